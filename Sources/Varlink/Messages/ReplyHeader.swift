/// The envelope of a reply: everything but the parameters.
struct ReplyHeader {
  /// The name of the error, if the reply is one.
  var error: String?
  /// The range of the parameters in the message; nil when they are absent or null.
  var parameters: Range<Int>?
  var continues = false

  /// Reads the header, and checks that the whole message is valid JSON.
  init(reading message: UnsafeBufferPointer<UInt8>) throws(TransportError) {
    try CallHeader.validateText(message)
    do throws(JSONScanner.Fault) {
      var scanner = JSONScanner(message)
      try scanner.object { (key, scanner) throws(JSONScanner.Fault) in try read(key, &scanner) }
      try scanner.end()
    } catch {
      throw TransportError(.malformed, "byte \(error.offset) of a reply: expected \(error.expected)")
    }
  }

  private mutating func read(_ key: Range<Int>, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
    if scanner.matches(key, Key.parameters) {
      parameters = try scanner.objectOrNull()
    } else if scanner.matches(key, Key.error) {
      error = try scanner.stringOrNull().map { scanner.words($0) }
    } else if scanner.matches(key, Key.continues) {
      continues = try scanner.flag()
    } else {
      try scanner.value()
    }
  }

  private enum Key {
    static let parameters = Array("parameters".utf8)
    static let error = Array("error".utf8)
    static let continues = Array("continues".utf8)
  }
}
