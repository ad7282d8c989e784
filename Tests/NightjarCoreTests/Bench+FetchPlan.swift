import NightjarHabits
import NightjarModel

@testable import NightjarCore

extension Bench {
  /// The app that answers `newData` to every fetch at once, was used once, and stands still.
  static func withWishfulApp(interval: Duration = .zero) -> Bench {
    var (bench, client) = withRefreshableAppInForeground()
    bench.ask(.setFetchInterval(interval), as: client)
    bench.suspend(client)
    return bench
  }

  /// Some time later a person presses something in the app; whether it is decided anew for that.
  mutating func tap(after pause: Duration) -> Bool {
    passWithWall(pause)
    let before = supervisor.plan.askedAt
    order(.act(farm, ViewAction("buy")))
    return supervisor.plan.askedAt != before
  }

  /// Time passes; every fetch that the app is told of brings something.
  mutating func passAnswering(_ span: Duration) {
    let end = boot + span
    while boot < end {
      let next = min(supervisor.nextLook ?? end, end)
      let seconds = next > boot ? next - boot : .zero
      wall = Timestamp(nanoseconds: wall.nanoseconds + seconds.wholeMilliseconds * 1_000_000)
      boot = next
      send(.awoke)
      answerAll()
    }
  }

  private mutating func answerAll() {
    for case .performFetch(let number, _) in deeds.messages {
      ask(.finishFetch(number, .newData), as: Client(farm))
      stand()
    }
  }

  /// Days in each of which the app is used at nine in the morning, for five minutes.
  mutating func live(days: Int) {
    for _ in 0..<days {
      let day = (wall.seconds - 32_400) / 86_400 + 1
      passAnswering(.seconds(day * 86_400 + 32_400 - wall.seconds))
      order(.launch(farm, arguments: []))
      passAnswering(.minutes(5))
      order(.leave)
      rest()
    }
  }

  /// On how many of the coming mornings the app is refreshed in the hour and a half before nine.
  mutating func morningFetches(days: Int) -> Int {
    let last = begun.last?.number ?? 0
    live(days: days)
    let seconds = begun.filter { $0.number > last }.map { ($0.at.seconds % 86_400, $0.at.seconds / 86_400) }
    return Set(seconds.filter { (27_000...32_400).contains($0.0) }.map(\.1)).count
  }

  /// Decisions to fetch, oldest first.
  var begun: [FetchDecision] { rows.memory.decisions.filter { $0.verdict != .waits }.sorted { $0.number < $1.number } }
}
