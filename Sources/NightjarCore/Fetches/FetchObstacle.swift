public import NightjarModel

/// Something that keeps an app from being refreshed, and until when, where that is known.
public struct FetchObstacle: Error, Hashable, Sendable {
  /// What it is, in a word that programs may rely on: dev.nightjar.Control lists them. Written to the database: a new
  /// one needs a migration.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// It does not declare the background mode that this takes.
    case notDeclared
    /// It wants no fetches.
    case never
    /// A person has removed it from the switcher and not launched it since.
    case removedFromSwitcher
    /// Whoever looks after the machine forbids Background App Refresh.
    case backgroundRefreshRestricted
    /// Background App Refresh is off, for it or for all apps.
    case backgroundRefreshOff
    /// No person has ever used it.
    case neverOpened
    /// It is in the foreground of a screen that is not locked, where it refreshes itself.
    case inForeground
    /// It is being refreshed, or runs a task.
    case underWay
    /// The least time since its latest fetch, as it has asked for, is not over.
    case belowMinimumInterval
    /// It failed, and is left alone for a while; or its launches are spent.
    case backOff
    /// The time before which it asked not to be run is not there.
    case earliestBegin
    /// There is no network.
    case noNetwork
    /// It asked for external power, and there is none.
    case noPower
    /// The device is in use, and the work is not urgent.
    case inUse
    /// Power is saved.
    case lowPowerMode
    /// The battery is nearly empty.
    case batteryLow
    /// The network costs money, or data is saved.
    case meteredNetwork
    /// The device sleeps, or is about to.
    case deviceAsleep
    /// What fetches may cost in a day is spent.
    case budgetSpent
    /// It is not worth it just now.
    case belowThreshold
  }

  /// What it is.
  public var code: Code
  /// Until when, on the wall clock.
  public var until: Timestamp?

  /// What is spent, where that is why. It is told and not written down.
  public var spent: Spent?

  /// What there is so much of, and no more.
  public enum Spent: Hashable, Sendable {
    /// Fetches themselves, estimated joules out of a battery, and bytes over networks that cost money.
    case fetches, joules, bytes
    /// Launches of the app into the background.
    case launches

    init(_ good: FetchBudget.Good) {
      switch good {
      case .fetches: self = .fetches
      case .joules: self = .joules
      case .bytes: self = .bytes
      }
    }
  }

  /// An obstacle, until a time if that is known.
  public init(_ code: Code, until: Timestamp? = nil, spent: Spent? = nil) {
    (self.code, self.until, self.spent) = (code, until, spent)
  }
}
