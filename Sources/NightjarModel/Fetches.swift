/// How a background fetch ended, as the app reported it or as the daemon found out.
public enum FetchOutcome: String, Hashable, Sendable, CaseIterable {
  /// There was something that the app did not have yet.
  case newData
  /// The app asked, and everything was as before.
  case noData
  /// The app could not ask: no network, a server in trouble. Further tries wait longer and longer.
  case failed
  /// The completion handler was not called while the app had the right to run; it was suspended.
  case late
}

/// A task that an app asks the system to run later, as `BGTaskScheduler` of iOS 13 and later has them.
///
/// It survives the app, the daemon and a reboot. Submitting the same identifier again replaces the earlier request; a
/// request whose task has begun is no longer pending.
public struct BackgroundRequest: Hashable, Sendable {
  /// What a task is for, which decides when it runs and for how long.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Brings the content up to date, in half a minute, shortly before the app is likely to be used.
    case refresh
    /// Does some minutes of upkeep while nobody uses the device.
    case processing
  }

  /// The name that the app gave it, from `BGTaskSchedulerPermittedIdentifiers` of its `Info.plist`.
  public var identifier: String
  /// What the task is for.
  public var kind: Kind
  /// The earliest time on the wall clock at which the task may begin; nil for no bound. That it begins then is not
  /// promised.
  public var earliestBegin: Timestamp?
  /// Whether the task waits for a network.
  public var needsNetwork: Bool
  /// Whether the task waits for external power.
  public var needsPower: Bool

  /// A request as an app makes it.
  public init(
    identifier: String, kind: Kind, earliestBegin: Timestamp? = nil, needsNetwork: Bool = false,
    needsPower: Bool = false
  ) {
    (self.identifier, self.kind, self.earliestBegin) = (identifier, kind, earliestBegin)
    (self.needsNetwork, self.needsPower) = (needsNetwork, needsPower)
  }
}

/// What one fetch cost, or several together.
public struct FetchCost: Hashable, Sendable {
  /// Time from telling the app to its answer, on the clock that runs on in sleep.
  public var wall: Duration
  /// CPU time that the app's processes used meanwhile.
  public var cpu: Duration
  /// Bytes that came in.
  public var received: Int64
  /// Bytes that went out.
  public var sent: Int64
  /// Energy that the radio is estimated to have used.
  public var joules: Double

  /// A cost of these parts.
  public init(
    wall: Duration = .zero, cpu: Duration = .zero, received: Int64 = 0, sent: Int64 = 0, joules: Double = 0
  ) {
    (self.wall, self.cpu, self.received, self.sent, self.joules) = (wall, cpu, received, sent, joules)
  }

  /// No cost.
  public static let zero = FetchCost()

  /// The sum of two costs.
  public static func + (a: FetchCost, b: FetchCost) -> FetchCost {
    FetchCost(
      wall: a.wall + b.wall, cpu: a.cpu + b.cpu, received: a.received + b.received, sent: a.sent + b.sent,
      joules: a.joules + b.joules)
  }

  /// Adds the cost of another fetch.
  public static func += (a: inout FetchCost, b: FetchCost) { a = a + b }
}
