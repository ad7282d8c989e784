import NightjarWire

/// What has happened so far: what is shown, and what is judged in the end. Times run from the app's launch.
struct Story {
  /// The end of a process that was killed, and how far everything was.
  struct Blow {
    let at: Duration
    let process: Int32
    let bytes: Int64
    let transfers: [ControlInterface.Transfer]
  }

  /// A line of the story.
  struct Event {
    let at: Duration
    let text: String
  }

  var port = 0
  var farm: Int32?
  var daemon: Int32?
  /// The app's process that runs or ran last.
  var app: Int32?
  var appDied: Blow?
  var daemonDied: Blow?
  /// Bytes of each download that were safe on the disk when the daemon died.
  var safe: [Int64: Int64] = [:]
  /// From the start of the new daemon to its first answer.
  var untilServing: Duration?
  /// When the app had been told everything and was suspended.
  var ended: Duration?
  /// Whether the process that the daemon launched into the background stands still.
  var isAppSuspended = false
  /// Transfers that the daemon still lists at the end, and files that it still stages.
  var leftOver: (transfers: Int, files: Int)?
  /// Why the story ends before its end.
  var brokenOff: String?
  var events: [Event] = []
}
