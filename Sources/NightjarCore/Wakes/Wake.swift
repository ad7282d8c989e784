public import NightjarModel

/// Something of a session to tell its app: a transfer has ended, or asks. It stays until the app has acknowledged it,
/// over any crash.
///
/// What an app is woken to do, rather than to hear, is an errand. Both share their numbers, the gate, and the app's
/// life.
public struct Wake: Hashable, Sendable {
  /// Given out once; what the app acknowledges.
  public var number: Int64
  /// The app to tell.
  public var app: AppID
  /// The session whose opening lets it be told.
  public var session: String
  /// The transfer that it is about.
  public var transfer: TransferID
  /// Whether the transfer asks, rather than has ended. Such a wake is never written down: after a crash the transfer
  /// asks again.
  public var isQuestion: Bool
  /// How often telling it has crashed the app.
  public var crashes: Int

  /// A wake as it was saved, or a new one.
  public init(
    number: Int64, of session: SessionID, transfer: TransferID, isQuestion: Bool = false, crashes: Int = 0
  ) {
    (self.number, self.app, self.session, self.transfer) = (number, session.app, session.identifier, transfer)
    (self.isQuestion, self.crashes) = (isQuestion, crashes)
  }
}
