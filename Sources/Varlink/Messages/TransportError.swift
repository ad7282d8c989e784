/// Why a connection, a socket or an address failed, as opposed to an error that a service answered.
///
/// The code is for the program, the detail for a person: it says what was wrong and, if possible, what to do.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: String, Sendable, Hashable {
    /// The other side, or this one, closed the connection.
    case closed
    /// No process listens at the address.
    case unreachable
    /// Another process listens at the address, or something that is not a socket lies there.
    case inUse
    /// The service refused the peer before its first call.
    case refused
    /// The bytes received are no Varlink message.
    case malformed
    /// A message is longer than the limit set.
    case tooLarge
    /// A queue is full: the reader is too slow, or too many calls wait for an answer.
    case overflow
    /// No reply came in the time given; it may still come, and is then dropped.
    case timedOut
    /// A value of this program cannot be written as JSON, such as a number that is not finite.
    case unencodable
    /// A reply is valid JSON but not of the expected type.
    case undecodable
    /// The service was stopped.
    case stopped
    /// The text is no Varlink address.
    case badAddress
    /// The operating system refused; the detail names the call and its reason.
    case system
  }

  /// What a program can act on.
  public let code: Code
  /// What a person can read.
  public let detail: String

  /// Makes a failure.
  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The code and the detail, in one line.
  public var description: String { "\(code.rawValue): \(detail)" }
}
