/// Stands for one client's connection.
public struct ConnectionID: Hashable, Comparable, Sendable {
  /// Counted by the front.
  public let rawValue: UInt64

  /// A connection of this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (a: ConnectionID, b: ConnectionID) -> Bool { a.rawValue < b.rawValue }
}
