import NightjarCore
import NightjarModel

/// A turn whose commit waits until the database can be written again.
struct Standstill: Sendable {
  /// When a turn was taken: the true time, and the device's uptime, in milliseconds.
  struct Time: Sendable {
    var now: Int64 = 0
    var uptime: Int64 = 0
  }

  let turn: Turn
  /// The events of the turn.
  let events: [Event]
  let taken: Time
  /// The same on the device's own clocks.
  let moment: Moment
}
