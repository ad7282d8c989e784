import NightjarModel

/// The background tasks of an app (Apple's `beginBackgroundTask`): while it has any, it may go on running in the
/// background, until the time that they share is up.
///
/// That time is counted on the clock that stands still while the device sleeps, so it need not pass in one piece.
struct BackgroundTasks: Sendable {
  /// A task: its process's connection, and its number there.
  struct Key: Hashable, Comparable, Sendable {
    var connection: ConnectionID
    var number: Int64

    static func < (a: Key, b: Key) -> Bool { (a.connection, a.number) < (b.connection, b.number) }
  }

  private var names = OrderedIndex<Key, String>()
  /// When the time is up, on the awake clock; nil until the app has left the foreground or begun a task elsewhere.
  private(set) var end: Duration?
  /// Whether the app was told that the time is nearly up.
  private(set) var isWarned = false

  var isEmpty: Bool { names.isEmpty }
  var count: Int { names.count }

  /// The tasks' names, for people: the first few.
  var shown: String {
    let shown = names.entries(after: nil, limit: 3).map { "'\($0.value)'" }
    return (shown + (names.count > 3 ? ["\(names.count - 3) more"] : [])).joined(separator: ", ")
  }

  /// Begins a task, in the foreground or the background. False if the time is up, or nearly.
  mutating func begin(_ key: Key, _ name: String, isBackground: Bool, awake: Duration, _ limits: Limits) -> Bool {
    if isBackground {
      if end == nil { end = awake + limits.wokenTaskTime }
      if let end, end - limits.taskWarning <= awake { return false }
    }
    names[key] = name
    return true
  }

  mutating func finish(_ key: Key) { names[key] = nil }

  /// A connection is gone, and its tasks with it.
  mutating func drop(_ connection: ConnectionID) {
    for (key, _) in names.entries(after: nil, limit: .max) where key.connection == connection { names[key] = nil }
  }

  /// The app leaves the foreground: its time runs from now.
  mutating func startClock(awake: Duration, _ limits: Limits) { (end, isWarned) = (awake + limits.taskTime, false) }

  /// The app has another right to run, or needs none: its time is not counted until it begins a task again.
  mutating func stopClock() { (end, isWarned) = (nil, false) }

  mutating func warned() { isWarned = true }

  mutating func postpone(by lost: Duration) { end = end.map { $0 + lost } }

  /// When something must be done about them, on the awake clock. The app is warned `warning` before their time is up.
  func due(warning: Duration) -> Duration? {
    guard !isEmpty, let end else { return nil }
    return isWarned ? end : end - warning
  }
}
