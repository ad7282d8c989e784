import NightjarModel

/// That an app is in the background, which it has been told and has to confirm.
struct Entering: Hashable, Sendable {
  /// What it confirms.
  var number: Int64
  /// By when.
  var by: Age
}

/// Where an app is: in the foreground, in the background, or suspended.
extension App {
  /// The connection that hears of the app's life: its leader's, or the oldest.
  var ear: ConnectionID? {
    let clients = attachments.values
    return (clients.first { $0.caller.pid == pid } ?? clients.first)?.connection
  }

  /// The app is told that it is in the background, and has to confirm it.
  mutating func owesEntering(by: Age) -> Int64 {
    transitions += 1
    entering = Entering(number: transitions, by: by)
    return transitions
  }

  /// What it runs for in the background; nothing in the foreground, where it needs no right.
  func rights(at now: Age, awake: Duration) -> [AppView.Right] {
    guard runsInBackground else { return [] }
    var rights = handling.entries(after: nil, limit: .max).map {
      AppView.Right.handling(session: $0.key, atMost: $0.value - now)
    }
    if let entering { rights.append(.entering(atMost: entering.by - now)) }
    if let acknowledgeBy { rights.append(.acknowledging(wakes.inFlight, atMost: acknowledgeBy - now)) }
    if !tasks.isEmpty, let end = tasks.end { rights.append(.tasks(names: tasks.shown, atMost: end - awake)) }
    return rights
  }

  /// It has confirmed where it is; an earlier confirmation is late.
  mutating func confirm(_ number: Int64) {
    if entering?.number == number { entering = nil }
  }
}
