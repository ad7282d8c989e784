/// Where a service listens: `unix:/path`, `unix:@abstract` or `tcp:host:port`.
///
/// Properties may follow after semicolons; `mode`, in octal, is that of the socket file, and others are ignored, as the
/// specification requires.
public struct VarlinkAddress: Sendable, Hashable, CustomStringConvertible {
  enum Place: Sendable, Hashable {
    case path(String)
    case abstract(String)
    case tcp(host: String, port: UInt16)
  }

  let place: Place
  /// The mode of the socket file; nil when the address says nothing, which means 0600.
  public let mode: UInt32?

  /// Reads an address.
  ///
  /// - Throws: `badAddress`, saying what is wrong with it.
  public init(_ text: String) throws(TransportError) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    place = try Self.place(parts[0], in: text)
    let mode = parts.dropFirst().first { $0.hasPrefix("mode=") }?.dropFirst(5)
    self.mode = try mode.map { mode throws(TransportError) in
      guard let bits = UInt32(mode, radix: 8), bits <= 0o777 else { throw Self.bad(text, "the mode is not octal") }
      return bits
    }
  }

  /// The address of a socket file; the path may have any length.
  public init(path: String, mode: UInt32? = nil) {
    place = .path(path)
    self.mode = mode
  }

  /// The address as text, with its mode.
  public var description: String {
    let property = mode.map { ";mode=0" + String($0, radix: 8) } ?? ""
    return switch place {
    case .path(let path): "unix:\(path)\(property)"
    case .abstract(let name): "unix:@\(name)"
    case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
    }
  }

  private static func place(_ text: Substring, in whole: String) throws(TransportError) -> Place {
    if text.hasPrefix("unix:@"), text.utf8.count > 6 { return .abstract(String(text.dropFirst(6))) }
    if text.hasPrefix("unix:"), !text.hasPrefix("unix:@"), text.utf8.count > 5 {
      return .path(String(text.dropFirst(5)))
    }
    guard text.hasPrefix("tcp:") else { throw bad(whole, "expected unix:/path, unix:@name or tcp:host:port") }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw bad(whole, "the port is not a number from 0 to 65535")
    }
    let host = text[..<colon].dropFirst(4).filter { $0 != "[" && $0 != "]" }
    if host.isEmpty { throw bad(whole, "the host is missing") }
    return .tcp(host: host, port: port)
  }

  private static func bad(_ text: String, _ reason: String) -> TransportError {
    TransportError(.badAddress, "\"\(text)\": \(reason)")
  }
}
