/// Why recorded usage cannot be replayed.
public struct TraceError: Error, Hashable, Sendable {
  /// What kind of trouble it is.
  public enum Code: Hashable, Sendable {
    /// The file cannot be opened or read.
    case unreadable
    /// What does not fit into memory cannot be kept in a temporary file.
    case noRoom
    /// The file is no trace, or only part of one.
    case damaged
    /// It has the right form, and nothing in it can be judged.
    case nothingToJudge
  }

  /// What kind of trouble it is.
  public let code: Code
  /// What is wrong, where, and what to do.
  public let detail: String

  init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }
}
