/// Why a scenario cannot be read: which line, what is wrong with it, and what to write instead.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1; nil if the error concerns the whole.
  public let line: Int?
  /// What is wrong, and what to do.
  public let detail: String

  /// A complaint about a line.
  public init(line: Int?, _ detail: String) { (self.line, self.detail) = (line, detail) }

  public var description: String { line.map { "line \($0): \(detail)" } ?? detail }
}
