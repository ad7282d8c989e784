/// What one person's device has seen, as finely as decisions every five minutes can tell it apart.
///
/// Within five minutes all returns to an app count as one, and only the last notice of use counts. So the size follows
/// from how long the person was observed, and not from how many lines the trace has.
struct Diary: Sendable {
  /// What happened.
  enum Kind: UInt8, Sendable {
    /// The device was in use.
    case noticed
    /// A visit to an app began, and was no return.
    case launched
    /// The same, at least half an hour after the previous line.
    case launchedAfterIdle
    /// The app came back to the foreground within ten minutes.
    case returned
    /// It left the foreground.
    case left
  }

  /// One thing that happened.
  struct Happening: Sendable {
    /// Seconds since 1970 on the person's clock.
    var time: Int64
    /// The number of the app, in ``Diary/apps``; -1 for none.
    var app: Int32
    var kind: Kind
  }

  /// One app in the diary.
  struct App: Sendable {
    var name: String
    var launches = 0
    /// On how many days it was launched.
    var days = 0
  }

  /// The person's name in the trace.
  var user: String
  var apps: [App] = []
  /// In order.
  var happenings: [Happening] = []
  /// The days with anything in the trace, as days since 1970, in order.
  var days: [Int64] = []
  /// The person's own traffic: one transfer of two seconds each time an app comes to the foreground. In order, and
  /// without overlaps.
  var traffic: [Range<Int64>] = []
}
