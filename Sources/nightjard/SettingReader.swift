import Configuration
import FoundationEssentials
import NightjarModel
import SystemPackage

/// A setting that cannot be what somebody has made it; the description says where it stands and what may stand there.
struct BadSetting: Error, CustomStringConvertible {
  let description: String
}

/// Reads settings: from the variables, else from the file.
///
/// A value that a setting cannot have is refused, never passed over: what somebody has forbidden would be allowed then.
struct SettingReader {
  private let variables: EnvironmentVariablesProvider
  private let file: FileProvider<JSONSnapshot>
  private let path: String

  /// A reader of an environment and of a JSON file, which may be missing.
  init(environment: [String: String], file path: String) async throws(BadSetting) {
    variables = EnvironmentVariablesProvider(environmentVariables: environment)
    self.path = path
    do { file = try await FileProvider<JSONSnapshot>(filePath: FilePath(path), allowMissing: true) } catch {
      throw BadSetting(description: "the settings in \(path) cannot be read: \(Self.words(for: error, at: path))")
    }
  }

  /// What the system says to a file that is not to be read, else what is wrong with what stands in it.
  private static func words(for error: any Error, at path: String) -> String {
    do {
      let file = try FileDescriptor.open(path, .readOnly)
      _ = try file.closeAfter {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { try file.read(into: $0) }
      }
    } catch let refusal as Errno {
      return "\(refusal)".lowercased()
    } catch {}
    guard let error = error as? CocoaError else { return "\(error)" }
    return "it is no JSON. \(error.userInfo["NSDebugDescription"] ?? error)"
  }

  /// The variable that stands for a setting.
  static func variable(_ key: String) -> String {
    "NIGHTJAR_" + key.uppercased().split(separator: ".").joined(separator: "_")
  }

  /// A text. Like any other setting it is not set by an empty one, unless that means something here.
  func text(
    _ key: String, _ allowed: String = "a text", ifEmpty: String? = nil, where fits: (String) -> Bool = { _ in true }
  ) throws(BadSetting) -> String? {
    try read(key, allowed, ifEmpty: ifEmpty) { text in fits(text) ? text : nil }
  }

  /// A whole number. Without a bound of its own it has one that leaves room to reckon with it.
  func count(_ key: String, from least: Int = 0, to most: Int = 1_000_000_000_000_000) throws(BadSetting) -> Int? {
    try read(key, "a whole number from \(least) to \(most)") { text in
      Int(text).flatMap { $0 >= least && $0 <= most ? $0 : nil }
    }
  }

  /// A time, which is written in seconds; thirty years at the most, so that it can be added to any date.
  func time(_ key: String, from least: Double = 0) throws(BadSetting) -> Duration? {
    try read(key, "a number of seconds from \(least.short) to 1000000000") { text in
      // Neither infinity nor what is no number is between the two.
      Double(text).flatMap { $0 >= least && $0 <= 1_000_000_000 ? Duration.seconds($0) : nil }
    }
  }

  /// Yes or no, as people write it and as JSON does.
  func yesOrNo(_ key: String) throws(BadSetting) -> Bool? {
    try read(key, "yes, true, 1 or on, or else no, false, 0 or off") { text in Self.truths[text.lowercased()] }
  }

  /// One of these words.
  func choice<Value>(_ key: String, of meanings: [String: Value]) throws(BadSetting) -> Value? {
    try read(key, "one of \(meanings.keys.sorted().joined(separator: ", "))") { text in meanings[text] }
  }

  /// What the text of a setting means; nil if nobody has set it.
  ///
  /// Unless it means something here, too, an empty text is nil as well, and the file is not asked for another.
  func read<Value>(
    _ key: String, _ allowed: String, ifEmpty: Value? = nil, _ meaning: (String) -> Value?
  ) throws(BadSetting) -> Value? {
    guard let found = find(key) else { return nil }
    if found.text == "" { return ifEmpty }
    guard let value = found.text.flatMap(meaning) else {
      let said = found.text?.debugDescription ?? "a list"
      throw BadSetting(description: "\(found.place) must be \(allowed), and is \(said)")
    }
    return value
  }

  private static let truths = [
    "yes": true, "true": true, "1": true, "on": true, "no": false, "false": false, "0": false, "off": false,
  ]
}

/// What somebody has written, and where.
private struct Written {
  /// The text; nil if it is a list.
  let text: String?
  /// The variable, or the key and the file.
  let place: String
}

extension SettingReader {
  private func find(_ key: String) -> Written? {
    Self.find(key, in: variables, place: Self.variable(key))
      ?? Self.find(key, in: file, place: "nightjar.\(key) in \(path)")
  }

  /// The file's numbers, and its `true` and `false`, become what one would write into a variable: 8, 0.5, 1 or 0.
  private static func find(_ key: String, in provider: some ConfigProvider, place: String) -> Written? {
    let absolute = AbsoluteConfigKey(ConfigKey("nightjar.\(key)"))
    for type in [ConfigType.string, .int, .double] {
      // An error says that something stands there, and is of another type.
      guard let found = try? provider.value(forKey: absolute, type: type) else { continue }
      return found.value.map { Written(text: plainText($0.content), place: place) }
    }
    return Written(text: nil, place: place)
  }

  private static func plainText(_ content: ConfigContent) -> String? {
    switch content {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool, .bytes, .stringArray, .intArray, .doubleArray, .boolArray, .byteChunkArray: nil
    }
  }
}
