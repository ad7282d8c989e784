/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, section 11.3): a scheme with its
/// parameters, both named in lower case.
public struct AuthScheme: Hashable, Sendable {
  /// The scheme, in lower case.
  public var name: String
  /// Its parameters; of several with one name the first.
  public var parameters: [String: String] = [:]

  /// A scheme with its parameters.
  public init(name: String, parameters: [String: String] = [:]) { (self.name, self.parameters) = (name, parameters) }

  /// The challenges of all fields of one name, in their order and at most 16; what cannot be read is left out.
  ///
  /// - Parameter name: The name of the fields, in lower case.
  public static func all(in fields: [HTTPField], named name: String) -> [AuthScheme] {
    let values = fields.filter { $0.name.lowercased() == name }.map(\.value)
    return Array(
      values.flatMap { value in
        var reader = AuthReader(value)
        return reader.schemes()
      }.prefix(countMax))
  }

  private static let countMax = 16
}

/// Reads the value of such a field. A comma separates both challenges and parameters, so a word is a scheme unless an
/// equals sign follows it.
private struct AuthReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func schemes() -> [AuthScheme] {
    var found: [AuthScheme] = []
    while place < bytes.count {
      skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
      let word = token()
      guard !word.isEmpty else {
        place += 1
        continue
      }
      if !found.isEmpty, takes(UInt8(ascii: "=")) {
        let value = value()
        if found[found.count - 1].parameters[word] == nil { found[found.count - 1].parameters[word] = value }
      } else {
        found.append(AuthScheme(name: word))
      }
    }
    return found
  }

  private mutating func takes(_ byte: UInt8) -> Bool {
    let before = place
    skip(Self.isSpace)
    guard place < bytes.count, bytes[place] == byte else {
      place = before
      return false
    }
    place += 1
    skip(Self.isSpace)
    return true
  }

  private mutating func token() -> String {
    let start = place
    skip(\.isTokenCharacter)
    return String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
  }

  private mutating func value() -> String {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
      let start = place
      skip(\.isTokenCharacter)
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }
    place += 1
    var text: [UInt8] = []
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count { place += 1 }
      text.append(bytes[place])
      place += 1
    }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skip(_ isMeant: (UInt8) -> Bool) {
    while place < bytes.count, isMeant(bytes[place]) { place += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
