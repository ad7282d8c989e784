/// Every bound of the library in one place.
package enum LinkLimits {
  /// The longest time that the app's own threads wait for the daemon: at launch, for whether it is a launch into the
  /// background; for a new task, for the free task numbers, before the container's own record is used; and for calls
  /// that need an answer, such as the list of notifications.
  package static let patience = Duration.seconds(5)
  /// How long an app may run that was launched or woken in the background for a session's events.
  static let eventsTime = Duration.seconds(30)
  /// How long an app may go on that was asked to end.
  static let endTime = Duration.seconds(5)
  /// How long an exit waits for delegate calls in progress, and for the daemon's answers about notifications.
  static let departure = Duration.milliseconds(500)
  /// The first pause between two attempts to dial; it doubles each time.
  static let pauseMin = Duration.milliseconds(50)
  /// The longest pause between two attempts to dial.
  static let pauseMax = Duration.seconds(2)
  /// How often a session whose container lock we hold is opened before the daemon's refusal is accepted.
  static let openingsMax = 20
  /// How many numbers of acknowledged events are remembered, to recognise a late repetition.
  static let acknowledgedMax = 4096
  /// How many calls may be on the line unanswered; more wait in the outbox.
  static let unansweredMax = 8192
  /// How many interim responses wait to be delivered for one task.
  static let informationsMax = 8
  /// How many notifications wait for a task that iterates over them.
  static let notificationsMax = 1024
  /// How many redirects a task in this process follows, the same as with the daemon.
  static let redirectsMax = 20
  /// How many delegate calls are made in one operation on the delegate queue.
  static let tellingsAtOnce = 32
  /// The pause before a file is handed over again, when the process had too much open or too little memory for it.
  static let handoverPause = Duration.seconds(1)
  /// The longest URL, header fields and description of a task together, in bytes.
  static let headBytesMax = 256 << 10
  /// The largest body of a download's request, in bytes.
  static let bodyBytesMax = 1 << 20
  /// How long the spooled copy of an upload with resume data is kept: longer than the daemon's 30 days.
  static let spoolKeptForSeconds = 31 * 86_400
  /// The largest resume data that is read, in bytes.
  static let resumeDataBytesMax = 512 << 10
  /// The size of the part of an upload's answer in one `didReceive data`, in bytes.
  static let chunkBytes = 256 << 10
  /// The size from which an outbox with many struck entries is rewritten, in bytes.
  static let outboxBytesMax = 4 << 20
}
