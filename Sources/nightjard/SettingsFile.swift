import Configuration
import Foundation
import Glibc
import SystemPackage

/// The file of settings, which may be missing: what is written in it, in JSON.
struct SettingsFile {
  /// The absolute path.
  let path: String
  /// Each value with its key, in which the names of the objects that it lies in stand before its own, each with a dot.
  /// Nil is JSON's `null`, which leaves a setting unset; of a list only that it is one is known.
  let entries: [(key: String, value: ConfigContent?)]

  /// Reads the file.
  init(at path: String) throws(BadSetting) {
    self.path = path
    do { entries = try Self.entries(in: Self.bytes(at: path)) } catch {
      throw BadSetting(description: "the settings in \(path) cannot be read: \(Self.words(for: error))")
    }
    var known: Set<String> = []
    if let twice = entries.map(\.key).sorted().first(where: { !known.insert($0).inserted }) {
      throw BadSetting(description: "\(twice) is written twice in \(path); remove one of them")
    }
  }

  /// Nil if nothing lies there.
  private static func bytes(at path: String) throws -> Data? {
    if isNoFile(path) { throw BadSetting(description: "it is no regular file") }
    do {
      let file = try FileDescriptor.open(path, .readOnly)
      return try file.closeAfter { try bytes(of: file) }
    } catch Errno.noSuchFileOrDirectory {
      return nil
    }
  }

  /// Whether something else lies there, such as a fifo: to open it could take forever. A folder is left to the system's
  /// own words.
  private static func isNoFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private static func bytes(of file: FileDescriptor) throws -> Data {
    var bytes = Data()
    try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { piece in
      while case let count = try file.read(into: piece), count > 0 { bytes.append(contentsOf: piece.prefix(count)) }
    }
    return bytes
  }

  private static func entries(in bytes: Data?) throws -> [(key: String, value: ConfigContent?)] {
    guard let bytes else { return [] }
    // It says what is wrong with what is no JSON; the decoder does not.
    _ = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
    let whole = try JSONDecoder().decode(Node.self, from: bytes)
    guard case .object = whole else { throw BadSetting(description: "it is no JSON object") }
    return whole.entries()
  }

  /// The system's message for a file that cannot be read, or what is wrong with its content.
  private static func words(for error: any Error) -> String {
    switch error {
    case let refusal as Errno: return "\(refusal)".lowercased()
    case let fault as CocoaError: return "it is no JSON. \(fault.userInfo["NSDebugDescription"] ?? fault)"
    default: return "\(error)"
    }
  }
}

/// A JSON value.
///
/// `JSONSerialization`, with which the configuration library reads, gives `true` as the number 1.
private enum Node: Decodable {
  case object([(name: String, node: Node)])
  case value(ConfigContent?)

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      self = .object(try object.allKeys.map { ($0.stringValue, try object.decode(Node.self, forKey: $0)) })
    } else {
      self = .value(try Self.content(decoder))
    }
  }

  private static func content(_ decoder: any Decoder) throws -> ConfigContent? {
    if (try? decoder.unkeyedContainer()) != nil { return .stringArray([]) }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() { return nil }
    if let truth = try? value.decode(Bool.self) { return .bool(truth) }
    if let text = try? value.decode(String.self) { return .string(text) }
    if let number = try? value.decode(Int.self) { return .int(number) }
    return .double(try value.decode(Double.self))
  }

  /// The values in it with their keys, which follow its own.
  func entries(below key: String? = nil) -> [(key: String, value: ConfigContent?)] {
    switch self {
    case .value(let value): [(key ?? "", value)]
    case .object(let parts):
      parts.flatMap { name, node in node.entries(below: key.map { "\($0).\(name)" } ?? name) }
    }
  }
}
