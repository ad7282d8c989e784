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
  /// Transfers whose looks have changed, for those who watch; may name some twice.
  public var touchedTransfers: [TransferID] = []
  /// Apps whose looks have changed.
  public var touchedApps: [AppID] = []
  /// Whether the device's conditions have changed, or what is simulated of them.
  public var touchedDevice = false
  /// Notifications that were fired, or whose looks have changed; may name some twice.
  public var touchedNotices: [NoticeID] = []
  /// Decisions about fetches that were made, or whose outcome has come; may name some twice.
  public var touchedDecisions: [Int64] = []

  /// An empty turn.
  public init() {}

  /// Makes it an empty turn again. The room that it has taken up stays: the next one needs about as much.
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
