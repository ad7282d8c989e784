public import NightjarModel

/// Who asks: a process of an app.
public struct Caller: Hashable, Sendable {
  /// The app or program.
  public var app: AppID
  /// Its process.
  public var pid: Int32

  /// A process of an app.
  public init(app: AppID, pid: Int32) { (self.app, self.pid) = (app, pid) }
}
