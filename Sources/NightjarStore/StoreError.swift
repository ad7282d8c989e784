/// Why the database could not be opened, read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can act on.
  public enum Code: String, Hashable, Sendable {
    /// The disk, or the quota, is full. May pass.
    case diskFull
    /// The disk or the system failed. May pass.
    case io
    /// The file or its folder may not be read or written.
    case permission
    /// Another process holds the database.
    case busy
    /// The database is damaged, or its tables are not those that this version made.
    case damaged
    /// A newer version of Nightjar has changed the database's tables.
    case newer
  }

  /// What a program can act on.
  public let code: Code
  /// What a person can read: what was wrong, with which file, and what to do.
  public let detail: String

  /// An error in both forms.
  public init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  public var description: String { detail }
}
