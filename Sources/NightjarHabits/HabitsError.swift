/// Why habits cannot be restored from bytes. What was learned before is untouched.
public struct HabitsError: Error, Hashable, Sendable {
  /// What is wrong with them.
  public enum Code: Hashable, Sendable {
    /// They were never saved habits.
    case notHabits
    /// A newer version of Nightjar has saved them, in the format of this number.
    case newerVersion(Int)
    /// They were saved habits once; bytes were lost or changed since.
    case damaged
  }

  /// What is wrong, for programs.
  public let code: Code
  /// What is wrong and what to do, for people.
  public let detail: String

  init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  static let notHabits = HabitsError(.notHabits, "these bytes are no saved habits; begin anew without them")

  static func newerVersion(_ version: Int) -> HabitsError {
    HabitsError(
      .newerVersion(version), "a newer version has saved these habits (format \(version)); update, or begin anew")
  }

  static func damaged(_ what: String) -> HabitsError {
    HabitsError(.damaged, "the saved habits are damaged: \(what); begin anew without them")
  }
}
