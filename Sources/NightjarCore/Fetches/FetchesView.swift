public import NightjarModel

/// The state of background fetch, as clients see it.
public struct FetchesView: Hashable, Sendable {
  /// The apps that declare the background mode, or that were refreshed before; by name.
  public var apps: [Entry]
  /// What fetches may cost, and the threshold that follows from it.
  public var budget: Budget
  /// When it is decided anew, unless something happens before; nil if never.
  public var nextLook: Timestamp?

  /// What fetches may cost in a day, and what is left of it.
  public struct Budget: Hashable, Sendable {
    /// What a fetch must be worth just now.
    public var threshold: Double
    /// The balance of fetches themselves.
    public var fetches: Balance
    /// The balance of joules that the radio may take.
    public var joules: Balance
    /// The balance of bytes over networks that cost money.
    public var bytes: Balance
  }

  /// A daily allowance, and what is left of it.
  public struct Balance: Hashable, Sendable {
    /// The allowance of a day.
    public var perDay: Double
    /// What is left; negative if more was spent than granted.
    public var left: Double
  }

  /// The state of one app.
  public struct Entry: Hashable, Sendable {
    /// The app as it is installed.
    public var installed: InstalledApp
    /// What is remembered of it.
    public var record: FetchRecord
    /// Whether it may be refreshed: by its own setting, by that for all, and by its place in the switcher.
    public var isAllowed: Bool
    /// Whether it is being refreshed just now, or runs a task.
    public var isUnderWay: Bool
    /// What a fetch is worth just now; nil while that cannot be weighed.
    public var weight: FetchWeight?
    /// The decision that its latest fetch follows from; nil if none is remembered.
    public var latest: FetchDecision?
    /// Whether its content is so old that it joins the next window, though a fetch is not worth it. False if anything
    /// else keeps it waiting.
    public var isNeglected = false
    /// All that keeps it from being refreshed just now, the most lasting first. Empty for an app that asks for
    /// processing tasks alone.
    public var obstacles: [FetchObstacle] = []
    /// The five-minute ticks of the coming day at which a fetch is likely, if nobody touches the device until then.
    /// None while something stands in the way of which nobody knows when it ends.
    public var windows: [Timestamp] = []
    /// The tasks that it has asked for and is not running just now.
    public var requests: [Pending]
  }

  /// A task that an app has asked for.
  public struct Pending: Hashable, Sendable {
    /// What it has asked for.
    public var request: BackgroundRequest
    /// All that keeps it from being run just now, the most lasting first.
    public var obstacles: [FetchObstacle]
  }
}
