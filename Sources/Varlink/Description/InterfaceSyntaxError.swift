/// Where a text stops being an interface description, and what was expected there.
public struct InterfaceSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
  public let column: Int
  /// What was expected: `a type`, `"->"`.
  public let expected: String
  /// What was found instead.
  public let found: String

  /// All of it in one line.
  public var description: String { "line \(line), column \(column): expected \(expected), found \(found)" }
}
