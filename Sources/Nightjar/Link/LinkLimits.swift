/// Every bound of the library in one place.
package enum LinkLimits {
  /// How long the app's own threads wait for the daemon at the most: an app that starts, to be told whether it starts into
  /// the background; a new task, to be told which numbers are free, before the container's own record serves; whoever cannot
  /// go on without an answer, such as the list of the app's notifications.
  package static let patience = Duration.seconds(5)
  /// How long an app may run that was launched or woken in the background to be told.
  static let eventsTime = Duration.seconds(30)
  /// How long an exit waits for delegate calls that are under way, and for the daemon's word on notifications.
  static let departure = Duration.milliseconds(500)
  /// The first pause between two attempts to dial; it doubles each time.
  static let pauseMin = Duration.milliseconds(50)
  /// The longest pause between two attempts to dial.
  static let pauseMax = Duration.seconds(2)
  /// How often a session that the container's lock says is ours is opened before the daemon's refusal is believed.
  static let openingsMax = 20
  /// How many acknowledged event numbers are remembered, so that a late repetition is recognised.
  static let acknowledgedMax = 4096
  /// How many calls may be on the line unanswered; more wait in the outbox.
  static let unansweredMax = 8192
  /// How much of what servers say before their answers waits to be told of one task.
  static let informationsMax = 8
  /// How many redirects a task in this process follows, as many as the daemon does.
  static let redirectsMax = 20
  /// How many things a delegate is told in one operation on its queue.
  static let tellingsAtOnce = 32
  /// The longest URL, header fields and description of a task together, in bytes.
  static let headBytesMax = 256 << 10
  /// The largest body of a download's request, in bytes.
  static let bodyBytesMax = 1 << 20
  /// How long the copy is kept that an upload with resume data was sent from: longer than the daemon's 30 days.
  static let spoolKeptForSeconds = 31 * 86_400
  /// The largest resume data that is read, in bytes.
  static let resumeDataBytesMax = 512 << 10
  /// How much of an upload's answer one `didReceive data` carries, in bytes.
  static let chunkBytes = 256 << 10
  /// The size from which an outbox with settled calls is written anew, in bytes.
  static let outboxBytesMax = 4 << 20
}
