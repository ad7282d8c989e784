/// Why a command ends without having done what it was asked. The message says what was wrong and what to do.
struct CommandError: Error, Sendable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) { (self.status, self.message) = (status, message) }

  /// An error without a message: everything was reported already, and only the status is left.
  static func silent(_ status: ExitStatus) -> CommandError { CommandError(status, "") }
}
