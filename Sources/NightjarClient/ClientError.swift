public import NightjarWire

/// Why a call did not reach the daemon, or was refused by it.
///
/// The code is for the program; the detail is one or two sentences for a person and says what to do. It may quote what
/// a server or an app wrote, so escape control characters before it reaches a terminal.
public struct ClientError: Error, Sendable, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: String, Hashable, Sendable {
    /// No process listens on the socket.
    case noDaemon
    /// The socket, or the process behind it, belongs to another user.
    case notPermitted
    /// The connection ended before the answer came. It is unknown whether the daemon carried out the call; a request
    /// with a key may be repeated with the same key.
    case lost
    /// The daemon refused; ``ClientError/failure`` says why, if the interface declares the reason.
    case refused
    /// The daemon speaks another version of the protocol, or another program answered.
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
