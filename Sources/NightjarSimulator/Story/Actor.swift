/// A made-up app and its server, with the times when that has changed. The director knows when the app has last looked.
struct Actor: Sendable {
  let app: Scenario.MadeUpApp
  /// The app's own dice, which do not depend on what happens to others.
  private var dice: Dice
  private var server: Dice
  private var changedAt: Int64
  private var changesNext: Int64
  /// The number of the fetch that goes on.
  var fetch: Int64?
  /// Whether it is frozen past the time at which it would have finished its fetch.
  var isOverdue = false

  init(_ app: Scenario.MadeUpApp, place: Int, start: Int64, seed: UInt64) {
    self.app = app
    dice = Dice(seed: seed &* 31 &+ UInt64(place))
    server = Dice(seed: seed &* 131 &+ UInt64(place))
    (changedAt, changesNext) = (start, start)
    changesNext = start + pause()
  }

  /// Whether the server has changed since `refreshedAt`, which is nil for an app that was never refreshed. `now` must
  /// not decrease from call to call.
  mutating func hasNews(since refreshedAt: Int64?, at now: Int64) -> Bool {
    while changesNext <= now {
      changedAt = changesNext
      changesNext += pause()
    }
    return refreshedAt.map { $0 < changedAt } ?? true
  }

  /// Whether this fetch fails although there is a network.
  mutating func fails() -> Bool { dice.falls(app.failsPercent * 10) }

  /// How long a fetch takes: from half to one and a half of the app's `fetchTakes`.
  mutating func fetchLength() -> Int64 { dice.draw(app.fetchTakes / 2...app.fetchTakes * 3 / 2) }

  /// The time to the next change, which is equally likely at every moment (a Poisson process, in steps of a sixteenth
  /// of its mean).
  private mutating func pause() -> Int64 {
    guard let mean = app.changesEvery else { return .max / 4 }
    let step = max(mean * 1000 / 16, 1)
    var pause = server.draw(0...step)
    while !server.falls(1000 / 16) { pause += step }
    return max(pause, 1000)
  }
}
