import NightjarCore
import NightjarModel

/// A turn whose commit takes as long as the database cannot be written.
struct Standstill: Sendable {
  /// When a turn was taken: the true time, and how long the device has been on by then, in milliseconds.
  struct Time: Sendable {
    var now: Int64 = 0
    var uptime: Int64 = 0
  }

  let turn: Turn
  /// What it answers to.
  let events: [Event]
  let taken: Time
  /// The same on the device's own clocks.
  let moment: Moment
}
