/// Why the home screen cannot be served.
public struct HomeError: Error, Hashable, Sendable {
  /// What a program can act on.
  public enum Code: Hashable, Sendable {
    /// Another process has the port, or it may not be used.
    case portTaken
    /// The file that lets a browser in cannot be written.
    case unwritable
  }

  /// What a program can act on.
  public let code: Code
  /// What a person can read: what was wrong, and what to do.
  public let detail: String

  init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }
}
