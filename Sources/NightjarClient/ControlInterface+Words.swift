public import NightjarWire

extension ControlInterface {
  /// Every error that the interface declares.
  static let failures: [any WireFailure.Type] = [
    NoSuchApp.self, NoSuchTransfer.self, NoSuchNotice.self, BundleRefused.self, LaunchFailed.self, NotABundle.self,
    NotRunning.self, NotInForeground.self, WrongState.self, InvalidRequest.self, LimitReached.self,
    CannotSave.self, FetchRefused.self,
  ]
}

extension WireFailure {
  /// The failure in a sentence or two: what was wrong, and what to do.
  public var explanation: String {
    switch self {
    case let error as ControlInterface.NoSuchApp:
      "There is no app \(error.app). `nightjar apps` lists those that there are."
    case let error as ControlInterface.NoSuchTransfer:
      "There is no transfer \(error.id). `nightjar transfers --all` lists those that there are."
    case let error as ControlInterface.NoSuchNotice:
      "There is no notification \(error.id). `nightjar notifications` lists those that there are."
    case let error as ControlInterface.BundleRefused:
      "\(error.path) cannot be installed: \(error.reason)"
    case let error as ControlInterface.LaunchFailed:
      "\(error.app) could not be launched (\(error.code)): \(error.detail)"
    case let error as ControlInterface.NotABundle:
      "\(error.app) is a program that registered itself; start and end it as you would without Nightjar."
    case let error as ControlInterface.NotRunning:
      "\(error.app) does not run."
    case let error as ControlInterface.NotInForeground:
      "\(error.app) is not in the foreground, or not ready yet; bring it there: nightjar launch \(error.app)"
    case let error as ControlInterface.FetchRefused:
      "\(error.app) is not refreshed (\(error.code)): \(error.reason)"
    case let error as ControlInterface.WrongState:
      "Transfer \(error.id) is \(error.state): \(error.reason)"
    case let error as ControlInterface.InvalidRequest:
      "The daemon cannot use the \(error.field): \(error.reason)"
    case let error as ControlInterface.LimitReached where error.isSize:
      "At most \(error.limit) \(error.what) are taken; give less."
    case let error as ControlInterface.LimitReached where error.isOfTransfers:
      "The limit of \(error.limit) \(error.what) is reached, and none of them is over. Cancel some that you can do without: "
        + "nightjar transfers cancel ID. Or set transfers.per.app.max higher (nightjard --settings)."
    case let error as ControlInterface.LimitReached:
      "The limit of \(error.limit) \(error.what) is reached; try again when there are fewer."
    case let error as ControlInterface.CannotSave:
      error.pending
        ? "\(error.reason) What was asked is done once it can be written, unless the daemon ends before."
        : "\(error.reason) Nothing was done; ask again once it can be written."
    default:
      "\(Self.name): \(self)"
    }
  }
}

extension ControlInterface.LimitReached {
  /// Whether a parameter is too long, so that waiting does not help.
  fileprivate var isSize: Bool { what.hasPrefix("bytes ") || what.hasPrefix("days ") }
  /// Whether the limit is on the number of transfers: removing ended ones makes room.
  fileprivate var isOfTransfers: Bool { what.hasPrefix("transfers ") }
}
