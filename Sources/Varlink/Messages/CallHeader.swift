/// The envelope of a call: everything but the parameters.
struct CallHeader {
  var method = ""
  /// The range of the parameters in the message; nil when they are absent or null.
  var parameters: Range<Int>?
  var oneway = false
  var more = false
  var upgrade = false

  /// Reads the header, and checks that the whole message is valid JSON.
  init(reading message: UnsafeBufferPointer<UInt8>) throws(TransportError) {
    try Self.validateText(message)
    do throws(JSONScanner.Fault) {
      var scanner = JSONScanner(message)
      try scanner.object { (key, scanner) throws(JSONScanner.Fault) in try read(key, &scanner) }
      try scanner.end()
    } catch {
      throw TransportError(.malformed, "byte \(error.offset) of a message: expected \(error.expected)")
    }
    if method.isEmpty { throw TransportError(.malformed, "a call without a method") }
  }

  private mutating func read(_ key: Range<Int>, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    if scanner.matches(key, Key.method) {
      method = scanner.words(try scanner.string())
    } else if scanner.matches(key, Key.parameters) {
      parameters = try scanner.objectOrNull()
    } else if scanner.matches(key, Key.oneway) {
      oneway = try scanner.flag()
    } else if scanner.matches(key, Key.more) {
      more = try scanner.flag()
    } else if scanner.matches(key, Key.upgrade) {
      upgrade = try scanner.flag()
    } else {
      try scanner.value()
    }
  }

  /// JSON is UTF-8, RFC 8259 section 8.1.
  static func validateText(_ message: UnsafeBufferPointer<UInt8>) throws(TransportError) {
    do {
      _ = try UTF8Span(validating: message.span)
    } catch {
      throw TransportError(.malformed, "a message that is not UTF-8: \(error)")
    }
  }

  private enum Key {
    static let method = Array("method".utf8)
    static let parameters = Array("parameters".utf8)
    static let oneway = Array("oneway".utf8)
    static let more = Array("more".utf8)
    static let upgrade = Array("upgrade".utf8)
  }
}

extension JSONScanner {
  /// A flag of a header; null means false.
  mutating func flag() throws(Fault) -> Bool {
    guard try kind() == .null else { return try boolean() }
    try null()
    return false
  }

  /// The range of a string's contents; nil when it is null.
  mutating func stringOrNull() throws(Fault) -> Range<Int>? {
    guard try kind() == .null else { return try string() }
    try null()
    return nil
  }

  /// The range of an object; nil when it is null.
  mutating func objectOrNull() throws(Fault) -> Range<Int>? {
    switch try kind() {
    case .object: return try value()
    case .null:
      try null()
      return nil
    case .array, .string, .number, .boolean: throw Fault(offset: offset, expected: "an object")
    }
  }
}
