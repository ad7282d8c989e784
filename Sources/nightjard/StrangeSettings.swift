import NightjarModel

/// Unknown names among the settings, such as a misspelt bound: they have no effect, although a person believes they
/// have.
enum StrangeSettings {
  /// A sentence on each: variables first, then keys of the file.
  static func sentences(environment: [String: String], file: SettingsFile, known keys: [String]) -> [String] {
    let variables = environment.keys.filter { $0.hasPrefix("NIGHTJAR_") && !others.contains($0) }
    let (written, place) = (file.entries.map(\.key), " in \(file.path)")
    return sentences(on: variables, known: keys.map(SettingReader.variable))
      + sentences(
        on: written.filter { $0.hasPrefix("nightjar.") }, known: keys.map { "nightjar." + $0 }, place: place)
      + outsiders(among: written, known: keys, place: place)
  }

  /// A sentence on each key that stands where no settings are looked for, and on a `nightjar` that holds none.
  private static func outsiders(among written: [String], known: [String], place: String) -> [String] {
    written.filter { !$0.hasPrefix("nightjar.") }.sorted().prefix(sentencesMax).map { key in
      if key == "nightjar" { return #"nightjar\#(place) is no object and has no effect; write {"nightjar": {…}}"# }
      let advice = advice(onOutsider: key, known: known)
      return #"\#(String(escaping: key))\#(place) stands outside of "nightjar" and has no effect; \#(advice)"#
    }
  }

  /// It may lack its group, or that may have another name.
  private static func advice(onOutsider key: String, known: [String]) -> String {
    if known.contains(key) { return #"write {"nightjar": {…}} around it"# }
    let within = key.drop { $0 != "." }.dropFirst()
    let near = key.nearest(among: known) ?? String(within).nearest(among: known)
    return near.map { "did you mean nightjar.\($0)?" } ?? listed
  }

  /// Other variables with the same prefix: where the daemon is and what it tells apps, then those of this project's own
  /// scripts and tests.
  private static let others = Set(
    [
      "HOME", "SOCKET", "APP", "LIFE", "GROUPS", "BIN", "CLOCKS", "DEMO_CONFIGURATION", "FUZZING", "FUZZ_TARGET",
      "PYTHON", "SCRATCH", "SKIP_BUILD", "TEST_CALLS", "TEST_KEEP", "TEST_SEED",
    ].map { "NIGHTJAR_" + $0 })

  private static let sentencesMax = 20
  private static let listed = "`nightjard --settings` lists all"

  private static func sentences(on names: [String], known: [String], place: String = "") -> [String] {
    names.filter { !known.contains($0) }.sorted().prefix(sentencesMax).map { name in
      let advice = name.nearest(among: known).map { "did you mean \($0)?" } ?? listed
      return "\(String(escaping: name))\(place) is no setting and has no effect; \(advice)"
    }
  }
}
