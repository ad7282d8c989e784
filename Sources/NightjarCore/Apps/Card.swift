/// What is remembered of an app's place in the app switcher.
///
/// Places and snapshots are numbered together, over all apps: of two numbers the higher is the newer.
public struct Card: Hashable, Sendable {
  /// When a person used the app last, as a number; nil for one that is not in the switcher.
  public var used: Int64?
  /// The number of its newest snapshot; nil while there is none.
  public var snapshot: Int64?
  /// Whether the app does not want that snapshot shown while it is launched the next time.
  public var isStale: Bool
  /// Whether a person has removed it from the switcher and not launched it since: then nothing launches it.
  public var isRemoved: Bool

  /// The card of an app that was never used, or as it was saved.
  public init(used: Int64? = nil, snapshot: Int64? = nil, isStale: Bool = false, isRemoved: Bool = false) {
    (self.used, self.snapshot, self.isStale, self.isRemoved) = (used, snapshot, isStale, isRemoved)
  }
}
