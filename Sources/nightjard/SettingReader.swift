import Configuration
import NightjarModel

/// A setting with an invalid value; the description says where it is set and which values are allowed.
struct BadSetting: Error, CustomStringConvertible {
  let description: String
}

/// Reads settings: from the variables, else from the file.
///
/// An invalid value is refused, never ignored: otherwise something that a person has forbidden would be allowed.
struct SettingReader {
  private let variables: EnvironmentVariablesProvider
  private let file: InMemoryProvider
  private let path: String

  /// A reader of an environment and of a file.
  init(environment: [String: String], file: SettingsFile) {
    variables = EnvironmentVariablesProvider(environmentVariables: environment)
    let values = file.entries.compactMap { key, value in
      value.map { (AbsoluteConfigKey(ConfigKey(key)), ConfigValue($0, isSecret: false)) }
    }
    self.file = InMemoryProvider(values: Dictionary(values) { first, _ in first })
    path = file.path
  }

  /// The environment variable of a setting.
  static func variable(_ key: String) -> String {
    "NIGHTJAR_" + key.uppercased().split(separator: ".").joined(separator: "_")
  }

  /// A text. As with any setting, an empty text leaves it unset unless `ifEmpty` is given.
  func text(
    _ key: String, _ allowed: String = "a text", ifEmpty: String? = nil, where fits: (String) -> Bool = { _ in true }
  ) throws(BadSetting) -> String? {
    try read(key, allowed, ifEmpty: ifEmpty) { text in fits(text) ? text : nil }
  }

  /// A text that is put to use at the start: `fault` says why it cannot be, in words that go on from the setting's
  /// name. The error has these words and not the text, which may hold a password.
  func text(
    _ key: String, ifEmpty: String? = nil, checked fault: (String) -> String?
  ) throws(BadSetting) -> String? {
    let text = try text(key, ifEmpty: ifEmpty)
    if let text, !text.isEmpty, let place = find(key)?.place, let fault = fault(text) {
      throw BadSetting(description: "\(place) \(fault)")
    }
    return text
  }

  /// A whole number. The default bound leaves room for arithmetic without overflow.
  func count(_ key: String, from least: Int = 0, to most: Int = 1_000_000_000_000_000) throws(BadSetting) -> Int? {
    try read(key, "a whole number from \(least) to \(most)") { text in
      Int(text).flatMap { $0 >= least && $0 <= most ? $0 : nil }
    }
  }

  /// A time, written in seconds; at most thirty years, so that it can be added to any date.
  func time(_ key: String, from least: Double = 0) throws(BadSetting) -> Duration? {
    try read(key, "a number of seconds from \(least.short) to 1000000000") { text in
      // Infinity and NaN fail these comparisons.
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

  /// The meaning of a setting's text; nil if it is not set.
  ///
  /// An empty text gives `ifEmpty`, and the file is not consulted.
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

/// The text of a setting, and where it was found.
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

  /// Finds a key. The file's numbers and its `true` and `false` become the text that a variable would hold, such as 8,
  /// 0.5 or true.
  private static func find(_ key: String, in provider: some ConfigProvider, place: String) -> Written? {
    let absolute = AbsoluteConfigKey(ConfigKey("nightjar.\(key)"))
    for type in [ConfigType.string, .int, .double, .bool] {
      // An error means that the key has a value of another type.
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
    case .bool(let truth): "\(truth)"
    case .bytes, .stringArray, .intArray, .doubleArray, .boolArray, .byteChunkArray: nil
    }
  }
}
