/// A client that attaches, to be told what waits.
public struct Attachment: Hashable, Sendable {
  /// Its connection.
  public var connection: ConnectionID
  /// The process that attaches.
  public var caller: Caller
  /// For a program that registers itself, the command that starts it again, or an empty one; nil for a bundle's
  /// process.
  public var relaunch: [String]?

  /// A client on a connection.
  public init(connection: ConnectionID, caller: Caller, relaunch: [String]? = nil) {
    (self.connection, self.caller, self.relaunch) = (connection, caller, relaunch)
  }
}
