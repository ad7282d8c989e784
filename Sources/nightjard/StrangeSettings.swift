import FoundationEssentials
import NightjarModel

/// Unknown names among the settings, such as a misspelt bound: they have no effect, although a person believes they
/// have.
enum StrangeSettings {
  /// A sentence on each: variables first, then keys of the file.
  static func sentences(environment: [String: String], file path: String, known keys: [String]) -> [String] {
    let variables = environment.keys.filter { $0.hasPrefix("NIGHTJAR_") && !others.contains($0) }
    let (written, place) = (keysWritten(in: path), " in \(path)")
    return sentences(on: variables, known: keys.map(SettingReader.variable))
      + sentences(
        on: written.filter { $0.hasPrefix("nightjar.") }, known: keys.map { "nightjar." + $0 }, place: place)
      + outsiders(among: written, known: keys, place: place)
  }

  /// A sentence on each setting that stands where no settings are looked for, and on a `nightjar` that holds none.
  private static func outsiders(among written: [String], known: [String], place: String) -> [String] {
    written.filter { $0 == "nightjar" || known.contains($0) }.sorted().prefix(sentencesMax).map { key in
      key == "nightjar"
        ? #"nightjar\#(place) is no object and has no effect; write {"nightjar": {…}}"#
        : #"\#(key)\#(place) stands outside of "nightjar" and has no effect; write {"nightjar": {…}} around it"#
    }
  }

  /// Other variables with the same prefix: where the daemon is and what it tells apps, then those of this project's own
  /// scripts and tests.
  private static let others = Set(
    [
      "HOME", "SOCKET", "APP", "LIFE", "GROUPS", "BIN", "CLOCKS", "DEMO_CONFIGURATION", "FUZZING", "FUZZ_TARGET",
      "PYTHON", "SCRATCH", "SKIP_BUILD", "TEST_CALLS", "TEST_KEEP", "TEST_SEED",
    ].map { "NIGHTJAR_" + $0 })

  private static let sentencesMax = 20

  private static func sentences(on names: [String], known: [String], place: String = "") -> [String] {
    names.filter { !known.contains($0) }.sorted().prefix(sentencesMax).map { name in
      let advice = name.nearest(among: known).map { "did you mean \($0)?" } ?? "`nightjard --settings` lists all"
      return "\(String(escaping: name))\(place) is no setting and has no effect; \(advice)"
    }
  }

  private static func keysWritten(in path: String) -> [String] {
    guard let file = try? Data(contentsOf: URL(filePath: path)) else { return [] }
    return (try? JSONDecoder().decode(KeyTree.self, from: file))?.keys ?? []
  }
}

/// The keys of a JSON object; those of objects within it follow theirs, after a dot.
private struct KeyTree: Decodable {
  /// Contains only an empty text for a value that is no object.
  let keys: [String]

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      keys = [""]
      return
    }
    keys = try object.allKeys.flatMap { name in
      let within = try object.decode(KeyTree.self, forKey: name).keys
      return within.map { $0.isEmpty ? name.stringValue : "\(name.stringValue).\($0)" }
    }
  }
}
