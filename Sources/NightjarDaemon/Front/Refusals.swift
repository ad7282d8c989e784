import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

extension Refusal {
  /// The refusal as an error of `dev.nightjar.App`.
  var appError: VarlinkError {
    switch self {
    case .notAttached(let app): AppInterface.NotAttached(app: app.rawValue).varlink
    case .nameRefused(let name, let reason): AppInterface.NameRefused(name: name, reason: reason).varlink
    case .sessionInUse(let session, let pid): AppInterface.SessionInUse(session: session, pid: Int64(pid)).varlink
    case .sessionNotOpen(let session): AppInterface.SessionNotOpen(session: session).varlink
    case .noSuchTask(let session, let task): AppInterface.NoSuchTask(session: session, task: Int64(task)).varlink
    case .sessionHasTasks(let session, let count):
      AppInterface.SessionHasTasks(session: session, count: Int64(count)).varlink
    case .invalid(let field, let reason): AppInterface.InvalidRequest(field: field, reason: reason).varlink
    case .limitReached(let what, let limit): AppInterface.LimitReached(what: what, limit: Int64(limit)).varlink
    case .noSuchApp(let app): AppInterface.NotAttached(app: app.rawValue).varlink
    case .notDeclared(let app, let mode): AppInterface.NotDeclared(mode, of: app).varlink
    case .noSuchTransfer, .noSuchNotice, .notABundle, .notRunning, .notInForeground, .launchFailed, .wrongState,
      .fetchRefused:
      preconditionFailure("an app's call was refused with \(self)")
    }
  }

  /// The refusal as an error of `dev.nightjar.Control`.
  var controlError: VarlinkError {
    switch self {
    case .noSuchApp(let app): ControlInterface.NoSuchApp(app: app.rawValue).varlink
    case .noSuchTransfer(let id): ControlInterface.NoSuchTransfer(id: id.rawValue).varlink
    case .noSuchNotice(let id): ControlInterface.NoSuchNotice(id: id.rawValue).varlink
    case .notABundle(let app): ControlInterface.NotABundle(app: app.rawValue).varlink
    case .notRunning(let app): ControlInterface.NotRunning(app: app.rawValue).varlink
    case .notInForeground(let app): ControlInterface.NotInForeground(app: app.rawValue).varlink
    case .launchFailed(let app, let failure):
      ControlInterface.LaunchFailed(app: app.rawValue, code: failure.code.rawValue, detail: failure.detail).varlink
    case .wrongState(let id, let state, let reason):
      ControlInterface.WrongState(id: id.rawValue, state: state, reason: reason).varlink
    case .invalid(let field, let reason): ControlInterface.InvalidRequest(field: field, reason: reason).varlink
    case .limitReached(let what, let limit): ControlInterface.LimitReached(what: what, limit: Int64(limit)).varlink
    case .fetchRefused(let app, let code, let reason):
      ControlInterface.FetchRefused(app: app.rawValue, code: code, reason: reason).varlink
    case .notAttached, .nameRefused, .sessionInUse, .sessionNotOpen, .noSuchTask, .sessionHasTasks, .notDeclared:
      preconditionFailure("a control call was refused with \(self)")
    }
  }
}
