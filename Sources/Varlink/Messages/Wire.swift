import FoundationEssentials

/// Translates between typed values and the bytes of messages: one JSON object and one NUL each.
///
/// The envelope around the parameters is written by hand here and read by ``JSONScanner``; the parameters go through
/// ``MessageEncoder`` and ``MessageDecoder``, or through Foundation's coders if those do not handle them.
package enum Wire {
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return encoder
  }()

  private static let decoder = JSONDecoder()

  /// A value as JSON text.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    try MessageEncoder.text(of: value) ?? Array(encoder.encode(value))
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from json: String) throws -> Value {
    var json = json
    return try json.withUTF8 { try decode(type, from: $0) }
  }

  /// Decodes the parameters of a message; absent ones equal empty ones.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: UnsafeBufferPointer<UInt8>?) throws -> Value {
    if Value.self == NoParameters.self, let nothing = NoParameters() as? Value { return nothing }
    guard let json else { return try decode(type, from: "{}") }
    return try MessageDecoder.value(type, in: json) ?? decoder.decode(type, from: Data(json))
  }

  /// A string with its quotes, escapes resolved.
  static func unescape(_ quoted: UnsafeBufferPointer<UInt8>) -> String? {
    try? decoder.decode(String.self, from: Data(quoted))
  }

  /// A call, its NUL included.
  static func call(_ method: String, _ parameters: some Encodable, flag: String?) throws -> [UInt8] {
    var bytes = [UInt8]()
    bytes.append(contentsOf: #"{"method":"#.utf8)
    try appendName(method, to: &bytes)
    try appendParameters(parameters, to: &bytes)
    if let flag { bytes.append(contentsOf: #","\#(flag)":true"#.utf8) }
    bytes.append(contentsOf: [UInt8(ascii: "}"), 0])
    return bytes
  }

  /// A reply, its NUL included.
  static func reply(_ parameters: some Encodable, continues: Bool) throws -> [UInt8] {
    let json = try encode(parameters)
    var bytes = [UInt8]()
    bytes.reserveCapacity(json.count + 36)
    bytes.append(contentsOf: #"{"parameters":"#.utf8)
    bytes.append(contentsOf: json)
    if continues { bytes.append(contentsOf: #","continues":true"#.utf8) }
    bytes.append(contentsOf: [UInt8(ascii: "}"), 0])
    return bytes
  }

  /// An error reply, its NUL included.
  static func failure(_ error: VarlinkError) -> [UInt8] {
    var bytes = Array(#"{"error":"#.utf8)
    try? appendName(error.name, to: &bytes)
    bytes.append(contentsOf: #","parameters":"#.utf8)
    bytes.append(contentsOf: error.json.utf8)
    bytes.append(contentsOf: [UInt8(ascii: "}"), 0])
    return bytes
  }

  /// Why a value could not be read or written, for a person.
  static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      context.codingPath.isEmpty ? context.debugDescription : "\(path(context.codingPath)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context): "\(path(context.codingPath)): \(context.debugDescription)"
    default: "\(error)"
    }
  }

  /// The field at which a decoder failed, such as `state.progress`, for `InvalidParameter`.
  static func field(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): path(context.codingPath + [key])
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      path(context.codingPath)
    default: "\(error)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }

  /// Appends a name. Valid names need no escaping; others go through the encoder.
  private static func appendName(_ name: String, to bytes: inout [UInt8]) throws {
    let isPlain = name.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    bytes.append(contentsOf: isPlain ? Array("\"\(name)\"".utf8) : try encode(name))
  }

  /// Appends the parameters. Empty ones are left out, which is their canonical form.
  private static func appendParameters(_ parameters: some Encodable, to bytes: inout [UInt8]) throws {
    let json = try encode(parameters)
    guard json.count > 2 else { return }
    bytes.append(contentsOf: #","parameters":"#.utf8)
    bytes.append(contentsOf: json)
  }
}
