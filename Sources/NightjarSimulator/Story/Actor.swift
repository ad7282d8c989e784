/// A made-up app, with its server and when that has changed. When the app has last looked the director knows.
struct Actor: Sendable {
  let app: Scenario.MadeUpApp
  /// What chance of this app is drawn from, whatever happens to others.
  private var dice: Dice
  private var server: Dice
  private var changedAt: Int64
  private var changesNext: Int64
  /// The number of the fetch that goes on.
  var fetch: Int64?
  /// It stands still, and would have finished its fetch meanwhile.
  var isOverdue = false

  init(_ app: Scenario.MadeUpApp, place: Int, start: Int64, seed: UInt64) {
    self.app = app
    dice = Dice(seed: seed &* 31 &+ UInt64(place))
    server = Dice(seed: seed &* 131 &+ UInt64(place))
    (changedAt, changesNext) = (start, start)
    changesNext = start + pause()
  }

  /// Whether the server has something that an app does not which was brought up to date then, or never; at a time that is not
  /// before the one last asked about.
  mutating func hasNews(since refreshedAt: Int64?, at now: Int64) -> Bool {
    while changesNext <= now {
      changedAt = changesNext
      changesNext += pause()
    }
    return refreshedAt.map { $0 < changedAt } ?? true
  }

  /// Whether this fetch fails although there is a network.
  mutating func fails() -> Bool { dice.falls(app.failsPercent * 10) }

  /// How long a fetch takes: about as long as it is said to.
  mutating func fetchLength() -> Int64 { dice.draw(app.fetchTakes / 2...app.fetchTakes * 3 / 2) }

  /// The time to the next change: in a day, as likely at one moment as at any other (a Poisson process, by steps of a
  /// sixteenth of its mean).
  private mutating func pause() -> Int64 {
    guard let mean = app.changesEvery else { return .max / 4 }
    let step = max(mean * 1000 / 16, 1)
    var pause = server.draw(0...step)
    while !server.falls(1000 / 16) { pause += step }
    return max(pause, 1000)
  }
}
