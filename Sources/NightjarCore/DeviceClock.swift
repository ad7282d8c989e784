public import NightjarModel

/// Turns moments into ages: boot time, added up over all boots that this database has seen.
///
/// Within one boot an age is the boot time plus a constant. In a new boot the constant is chosen anew, so that the age
/// goes on from the last one that was committed. The wall clock has no say, so no jump of it can expire anything.
public struct DeviceClock: Hashable, Sendable {
  /// The boot that the offset holds for.
  public private(set) var bootID: BootID
  /// Age at the beginning of that boot.
  public private(set) var offset: Duration
  /// The latest age that was seen; what a commit saves.
  public private(set) var latest: Age

  /// The clock of a new database.
  public init(at moment: Moment) {
    (bootID, offset, latest) = (moment.bootID, .zero - moment.boot, .zero)
  }

  /// A clock as it was saved.
  public init(bootID: BootID, offset: Duration, latest: Age) {
    (self.bootID, self.offset, self.latest) = (bootID, offset, latest)
  }

  /// The age at a moment; never lower than an earlier answer.
  mutating func age(at moment: Moment) -> Age {
    if moment.bootID != bootID { (bootID, offset) = (moment.bootID, latest.sinceFirst) }
    latest = max(latest, Age(offset + moment.boot))
    return latest
  }

  /// The boot time at which an age will be reached in the current boot.
  func bootTime(of age: Age) -> Duration { age.sinceFirst - offset }

  /// The age that is reached at a boot time in the current boot.
  func age(ofBootTime boot: Duration) -> Age { Age(offset + boot) }
}
