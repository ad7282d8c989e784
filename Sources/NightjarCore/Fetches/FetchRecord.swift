public import NightjarModel

/// What is remembered of refreshing one app: what it asked for, and the outcomes. It survives the app's exit, restarts
/// of the daemon and reboots, and goes when the app is removed.
public struct FetchRecord: Hashable, Sendable {
  /// The app.
  public var app: AppID
  /// The least time between two fetches that the app has asked for; nil if it wants none (Apple's `…Never`).
  public var interval: Duration?
  /// The number of the fetch that the app was told of and that has not ended.
  public var open: Int64?
  /// When its latest fetch began, on the wall clock, right or wrong; nil if there was none.
  public var lastBegin: Timestamp?
  /// The same as an age of the device, by which intervals are kept.
  public var begunAt: Age?
  /// When its content was last up to date, on the wall clock: a fetch had brought it, or a person saw it.
  public var lastFresh: Timestamp?
  /// The same as an age of the device.
  public var freshAt: Age?
  /// The outcome of the latest fetch that has ended.
  public var lastOutcome: FetchOutcome?
  /// How long that took; zero if the daemon did not live to see its end.
  public var lastDuration = Duration.zero
  /// How many fetches had which outcome.
  public var counts = Counts()
  /// How many failed or were late in a row, and the age before which none is tried again.
  public var backOff = BackOff()
  /// The same for its processing tasks: neither kind suffers for the other.
  public var taskBackOff = BackOff()
  /// How often its content changes, as far as its fetches have shown.
  public var updates = UpdateRate()
  /// What all its fetches have cost together.
  public var cost = FetchCost.zero

  /// How many fetches had which outcome.
  public struct Counts: Hashable, Sendable {
    /// They brought something.
    public var newData = 0
    /// Everything was as before.
    public var noData = 0
    /// They could not be made, or the app did not live to their end.
    public var failed = 0
    /// They had not ended when their time was up.
    public var late = 0

    /// No fetch.
    public init() {}
  }

  /// The record of an app that was never refreshed.
  public init(app: AppID) { self.app = app }
}

extension FetchRecord {
  /// How old its content is; nil if it never was up to date.
  func contentAge(at now: Age, _ moment: Moment) -> Duration? {
    freshAt.map { Self.passed(since: $0, lastFresh, at: now, moment) }
  }

  /// How long ago its latest fetch began; nil if there was none.
  func pause(at now: Age, _ moment: Moment) -> Duration? {
    begunAt.map { Self.passed(since: $0, lastBegin, at: now, moment) }
  }

  /// How long ago something was. The boot clock knows all the time since the machine was started. The time before, when
  /// it was switched off, only the wall clock knows, and not if it had no date or was set back since.
  private static func passed(since age: Age, _ time: Timestamp?, at now: Age, _ moment: Moment) -> Duration {
    let lived = now - age
    guard lived >= moment.boot, let time, time.isDated else { return lived }
    return max(lived, moment.wall - time)
  }

  /// Learns from whether a fetch has found something new. The first fetch says nothing of how often that happens.
  mutating func learn(isNew: Bool, at now: Age, _ moment: Moment) {
    guard let age = contentAge(at: now, moment) else { return }
    updates.learn(isNew: isNew, after: age)
  }
}

extension FetchRecord.Counts {
  mutating func add(_ outcome: FetchOutcome) {
    switch outcome {
    case .newData: newData += 1
    case .noData: noData += 1
    case .failed: failed += 1
    case .late: late += 1
    }
  }
}

/// A task that an app has asked for, with the app. It stays, over reboots, until it has ended or is cancelled: it is
/// run again if a crash of the daemon cut it short, or if its app was ended meanwhile for lack of memory or for an
/// upgrade.
public struct RequestRecord: Hashable, Sendable {
  /// Names it: an app has one request of an identifier.
  public struct ID: Hashable, Comparable, Sendable {
    /// The app.
    public var app: AppID
    /// The identifier that the app has given it.
    public var identifier: String

    /// The request of this identifier.
    public init(app: AppID, identifier: String) { (self.app, self.identifier) = (app, identifier) }

    public static func < (a: ID, b: ID) -> Bool { (a.app, a.identifier) < (b.app, b.identifier) }
  }

  /// The app.
  public var app: AppID
  /// What it has asked for.
  public var request: BackgroundRequest
  /// The number of the errand that last ran it; nil if none has, or if its app was ended over it. While the errand goes
  /// on the task is not pending. It is gone when the app says under this number that it is done, even to a later
  /// daemon.
  public var errand: Int64?

  /// A request of an app.
  public init(app: AppID, request: BackgroundRequest, errand: Int64? = nil) {
    (self.app, self.request, self.errand) = (app, request, errand)
  }

  /// Its name.
  public var id: ID { ID(app: app, identifier: request.identifier) }
}
