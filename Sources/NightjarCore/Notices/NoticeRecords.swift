public import NightjarModel

/// Names a scheduled notification.
public struct NoticeKey: Hashable, Comparable, Sendable {
  /// The app that scheduled it.
  public var app: AppID
  /// Its key within the app.
  public var key: RequestKey

  /// Names a notification of an app.
  public init(app: AppID, key: RequestKey) { (self.app, self.key) = (app, key) }

  public static func < (a: NoticeKey, b: NoticeKey) -> Bool { (a.app, a.key) < (b.app, b.key) }
}

/// What is remembered of a notification that is scheduled.
public struct ScheduledNotice: Hashable, Sendable {
  /// What was asked for; always with a time.
  public var request: NoticeRequest
  /// When it was last fired, on the wall clock: it is next due after that. Nil before the first time.
  public var since: Timestamp?

  /// A record as it was saved, or of one that was never fired.
  public init(request: NoticeRequest, since: Timestamp? = nil) { (self.request, self.since) = (request, since) }

  /// Its name.
  public var key: NoticeKey { NoticeKey(app: request.app, key: request.key) }
}

/// What is remembered of a notification that was fired.
public struct FiredNotice: Hashable, Sendable {
  /// What has become of it.
  public enum Stage: Hashable, Sendable {
    /// It lies in the notification centre; `isSeen`: it has been shown.
    case shown(isSeen: Bool)
    /// Its app is to be told, because it was in the foreground, or because a person has tapped it.
    case told(isTapped: Bool)
  }

  /// Its number.
  public var id: NoticeID
  /// What was asked for.
  public var request: NoticeRequest
  /// When it was fired, on the wall clock.
  public var firedAt: Timestamp
  /// What has become of it.
  public var stage: Stage

  /// A record as it was saved, or a new one.
  public init(id: NoticeID, request: NoticeRequest, firedAt: Timestamp, stage: Stage) {
    (self.id, self.request, self.firedAt, self.stage) = (id, request, firedAt, stage)
  }

  /// Whether it lies in the notification centre.
  public var isShown: Bool { if case .shown = stage { true } else { false } }
}
