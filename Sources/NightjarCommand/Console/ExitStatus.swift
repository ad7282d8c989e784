import NightjarClient
import NightjarWire

/// What the exit status of `nightjar` means. Scripts rely on these numbers.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// It was done.
  case done = 0
  /// A transfer failed, a fetch failed or was late, an app could not be launched, the result could not be written, or
  /// the daemon answered something unforeseen.
  case failed = 1
  /// An argument cannot be used.
  case usage = 2
  /// No daemon could be reached.
  case noDaemon = 3
  /// There is no such app, transfer or notification, no view or no service.
  case notFound = 4
  /// It was refused: wrong state, a file in the way, a limit reached, a database that cannot be written.
  case refused = 5
  /// The terminal was closed (SIGHUP).
  case hungUp = 129
  /// Interrupted by Ctrl-C.
  case interrupted = 130
  /// Asked to end by SIGTERM.
  case terminated = 143

  /// One line of the table in `--help`.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed: the transfer, fetch, launch or output, or something unforeseen"
    case .usage: "an argument cannot be used"
    case .noDaemon: "no daemon could be reached"
    case .notFound: "not found: no such app, transfer or notification, no view, no service"
    case .refused: "refused: wrong state, a file in the way, a limit reached, a full disk"
    case .hungUp: "the terminal has gone (SIGHUP)"
    case .interrupted: "interrupted by Ctrl-C"
    case .terminated: "asked to end (SIGTERM)"
    }
  }

  /// The status of a failure that the client reports.
  init(_ error: ClientError) {
    switch error.code {
    case .noDaemon, .notPermitted, .lost: self = .noDaemon
    case .unintelligible: self = .failed
    case .refused: self = error.failure.map(Self.init(failure:)) ?? .refused
    }
  }

  private init(failure: any WireFailure) {
    switch failure {
    case is ControlInterface.NoSuchApp, is ControlInterface.NoSuchTransfer,
      is ControlInterface.NoSuchNotice:
      self = .notFound
    case is ControlInterface.LaunchFailed: self = .failed
    // Nobody has refused: the app ended over the fetch, or was not there to be told of it.
    case let failure as ControlInterface.FetchRefused where ["ended", "notTold"].contains(failure.code): self = .failed
    case is ControlInterface.InvalidRequest: self = .usage
    default: self = .refused
    }
  }
}
