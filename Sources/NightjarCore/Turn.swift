import NightjarHabits
public import NightjarModel

/// What the supervisor hands back: what to remember, what to do once that is remembered, and when to look again.
///
/// Several events may be gathered into one turn; it is committed and performed as one.
public struct Turn: Sendable {
  /// What to make durable, before any deed.
  public var changes = Changes()
  /// What to do afterwards, in this order.
  public var deeds: [Deed] = []
  /// Transfers whose views have changed, for clients that watch; some may be named twice.
  public var touchedTransfers: [TransferID] = []
  /// Apps whose views have changed.
  public var touchedApps: [AppID] = []
  /// Whether the device's conditions, sensed or simulated, have changed.
  public var touchedDevice = false
  /// Notifications that were fired, or whose views have changed; some may be named twice.
  public var touchedNotices: [NoticeID] = []
  /// Decisions about fetches that were made, or whose outcome has come; some may be named twice.
  public var touchedDecisions: [Int64] = []

  /// An empty turn.
  public init() {}

  /// Empties the turn, and keeps its memory: the next one needs about as much.
  public mutating func clear() {
    changes.clear()
    deeds.removeAll(keepingCapacity: true)
    touchedTransfers.removeAll(keepingCapacity: true)
    touchedApps.removeAll(keepingCapacity: true)
    touchedDevice = false
    touchedNotices.removeAll(keepingCapacity: true)
    touchedDecisions.removeAll(keepingCapacity: true)
  }
}
