/// What a radio spends on transfers, in joules: a machine of three states, idle, active and tail.
///
/// A transfer out of idleness pays for the promotion first. When it ends, the radio stays awake for its tail, which is
/// most of what a small transfer costs on a mobile network. One that begins within the tail pays no promotion and cuts
/// the tail short. What the radio spends while idle is the same whatever is fetched, and not counted.
///
/// The figures are those that Huang et al. measured on phones of their day ("A Close Examination of Performance and
/// Power Characteristics of 4G LTE Networks", MobiSys 2012, tables 3 and 4): a yardstick to compare with, not the
/// energy of the machine at hand.
public struct Radio: Hashable, Sendable {
  /// A power that is drawn for some time.
  public struct Phase: Hashable, Sendable {
    /// The power.
    public var watts: Double
    /// For how long.
    public var seconds: Double

    /// A power for some time.
    public init(watts: Double, seconds: Double) { (self.watts, self.seconds) = (watts, seconds) }

    /// The energy of the whole phase.
    public var joules: Double { watts * seconds }
  }

  /// One direction of the traffic.
  public struct Direction: Hashable, Sendable {
    /// The energy of each megabit beyond keeping the radio awake: watts for each megabit per second.
    public var joulesPerMegabit: Double
    /// The usual speed.
    public var megabitsPerSecond: Double

    /// A direction of this cost and speed.
    public init(joulesPerMegabit: Double, megabitsPerSecond: Double) {
      (self.joulesPerMegabit, self.megabitsPerSecond) = (joulesPerMegabit, megabitsPerSecond)
    }
  }

  /// From idle to active.
  public var promotion: Phase
  /// What follows the last byte, in order.
  public var tail: [Phase]
  /// The power while active, whatever is moved.
  public var wattsActive: Double
  /// To the device.
  public var down: Direction
  /// From the device.
  public var up: Direction

  /// A radio with these figures.
  public init(promotion: Phase, tail: [Phase], wattsActive: Double, down: Direction, up: Direction) {
    (self.promotion, self.tail, self.wattsActive, self.down, self.up) = (promotion, tail, wattsActive, down, up)
  }

  /// A network of the fourth generation.
  public static let lte = Radio(
    promotion: Phase(watts: 1.2107, seconds: 0.2601), tail: [Phase(watts: 1.06, seconds: 11.576)],
    wattsActive: 1.28804, down: Direction(joulesPerMegabit: 0.05197, megabitsPerSecond: 12.74),
    up: Direction(joulesPerMegabit: 0.43839, megabitsPerSecond: 5.64))

  /// A network of the third generation, whose tail has two steps (DCH, FACH).
  public static let umts = Radio(
    promotion: Phase(watts: 0.6594, seconds: 0.5821),
    tail: [Phase(watts: 0.8039, seconds: 8.088), Phase(watts: 0.6013, seconds: 0.824)],
    wattsActive: 0.81788, down: Direction(joulesPerMegabit: 0.12212, megabitsPerSecond: 0.9),
    up: Direction(joulesPerMegabit: 0.86898, megabitsPerSecond: 0.57))

  /// A wireless local network, with power saving.
  public static let wifi = Radio(
    promotion: Phase(watts: 0.1244, seconds: 0.0791), tail: [Phase(watts: 0.1193, seconds: 0.238)],
    wattsActive: 0.13286, down: Direction(joulesPerMegabit: 0.13701, megabitsPerSecond: 4.12),
    up: Direction(joulesPerMegabit: 0.28317, megabitsPerSecond: 0.94))

  /// How long the radio stays awake after the last byte.
  public var tailSeconds: Double { tail.reduce(0) { $0 + $1.seconds } }

  /// The energy of the tail's first seconds, at most of the whole tail.
  public func tailJoules(first seconds: Double = .infinity) -> Double {
    var (joules, rest) = (0.0, max(0, seconds))
    for phase in tail {
      joules += phase.watts * min(rest, phase.seconds)
      rest = max(0, rest - phase.seconds)
    }
    return joules
  }

  /// What a transfer adds while the radio is awake anyway: for the bytes, and for the time by which it is active
  /// longer.
  public func joules(joining seconds: Double, received: Int64, sent: Int64) -> Double {
    wattsActive * max(0, seconds) + Self.megabits(received) * down.joulesPerMegabit
      + Self.megabits(sent) * up.joulesPerMegabit
  }

  /// The cost of a transfer that has the radio to itself: promotion, transfer and the whole tail.
  public func joules(apart seconds: Double, received: Int64, sent: Int64) -> Double {
    promotion.joules + joules(joining: seconds, received: received, sent: sent) + tailJoules()
  }

  /// The energy of a pause of so many seconds between two active times: the tail as far as it comes, and a promotion if
  /// the radio was asleep by then.
  public func joules(pausing seconds: Double) -> Double {
    tailJoules(first: seconds) + (seconds > tailSeconds ? promotion.joules : 0)
  }

  /// How long bytes take at the usual speed, one direction after the other.
  public func seconds(received: Int64, sent: Int64) -> Double {
    Self.megabits(received) / down.megabitsPerSecond + Self.megabits(sent) / up.megabitsPerSecond
  }

  private static func megabits(_ bytes: Int64) -> Double { Double(max(0, bytes)) * 8 / 1_000_000 }
}
