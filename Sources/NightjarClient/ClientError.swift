public import NightjarWire

/// Why the daemon could not be asked, or what it answered instead of doing what it was asked.
///
/// The code is for the program; the detail is one or two sentences for a person and says what to do. It may quote what a
/// server or an app wrote, so escape control characters before it reaches a terminal.
public struct ClientError: Error, Sendable, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: String, Hashable, Sendable {
    /// Nobody listens on the socket.
    case noDaemon
    /// The socket, or the process behind it, belongs to another user.
    case notPermitted
    /// The connection ended before the answer came. Whether the daemon did what it was asked is not known; a request
    /// that carries a key may be repeated with the same key.
    case lost
    /// The daemon said no; ``ClientError/failure`` says why, if the interface declares the reason.
    case refused
    /// The daemon speaks another version of the protocol, or something that is no daemon answered.
    case unintelligible
  }

  /// What a program can act on.
  public let code: Code
  /// What a person can read.
  public let detail: String
  /// The error that the daemon declared; nil unless it refused.
  public let failure: (any WireFailure)?

  /// A failure in both forms.
  public init(_ code: Code, _ detail: String, failure: (any WireFailure)? = nil) {
    (self.code, self.detail, self.failure) = (code, detail, failure)
  }

  /// The detail.
  public var description: String { detail }
}
