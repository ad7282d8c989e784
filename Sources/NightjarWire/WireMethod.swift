public import Varlink

/// A method of one of the daemon's interfaces, with the types of its parameters and its answer.
///
/// The interface files beside this code are the reference; a test compares the two.
public protocol WireMethod {
  /// What the caller sends.
  associatedtype Parameters: Codable & Sendable
  /// What the daemon answers, once or, for a streaming method, again and again.
  associatedtype Reply: Codable & Sendable
  /// The method's name with its interface, such as `dev.nightjar.App.Enqueue`.
  static var name: String { get }
}

/// An error that one of the daemon's interfaces declares; its stored properties are the error's parameters.
public protocol WireFailure: Error, Codable, Hashable, Sendable {
  /// The error's name with its interface, such as `dev.nightjar.App.NotAttached`.
  static var name: String { get }
}

/// No parameters, or an empty answer.
public typealias Nothing = NoParameters

/// One field of an HTTP message. In a request these are the daemon's own to write, and left out where a client gives
/// them: Host, Content-Length, Transfer-Encoding, Connection, Keep-Alive, Upgrade, TE, Expect, and all whose names
/// begin with Proxy-.
public struct WireHeader: Codable, Hashable, Sendable {
  /// The field's name.
  public var name: String
  /// The field's value.
  public var value: String

  /// A field of this name and value.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

/// Why something failed, for programs and for people.
public struct FailureMessage: Codable, Hashable, Sendable {
  /// What a program can act on: the raw value of a `TransferFailure.Code`.
  public var code: String
  /// What a person can read.
  public var detail: String

  /// The network that was available but not allowed to the transfer, if it waited in vain for another one.
  public var network: Network?

  /// A network that a transfer may not use.
  public enum Network: String, Codable, Hashable, Sendable {
    /// A cellular one.
    case cellular
    /// One that costs money.
    case expensive
    /// One on which the person saves data.
    case constrained
  }

  /// A failure in both forms.
  public init(code: String, detail: String, network: Network? = nil) {
    (self.code, self.detail, self.network) = (code, detail, network)
  }
}

/// The direction of a transfer's bytes.
public enum WireDirection: String, Codable, Hashable, Sendable {
  /// From the server.
  case download
  /// To the server.
  case upload
}
