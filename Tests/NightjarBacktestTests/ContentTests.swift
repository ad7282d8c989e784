import TestThreads
import Testing

@testable import NightjarBacktest

/// Made-up content, and what is told of it.
@Suite(.computing) struct ContentTests {
  private func course() throws -> Course {
    let recording = try Recording()
    let path = try recording.file([Recording.header] + Recording.lines(users: ["ann"], days: 28))
    return try Recording.course(Recording.read(path).diaries[0])
  }

  /// Fetches always, and remembers what it was told.
  private struct Listener: Policy {
    var (news, nothing) = (0, 0)
    mutating func choose(_ scene: Scene, into chosen: inout [Int]) { chosen += scene.apps.indices }
    mutating func learn(_ app: Int, isNew: Bool, after pause: Int64, at time: Int64) {
      if isNew { news += 1 } else { nothing += 1 }
    }
  }

  @Test func `content changes as often as its rate says, by day more than by night`() throws {
    let course = try course()
    let content = Content(course, seed: 5)
    let hours = (0..<(28 * 24)).map { Int64($0) * 3600 }

    let app = try #require(content.perHour.firstIndex { $0 >= 1 && $0 < 3 })
    let changed = hours.filter { content.isNew(app, after: $0, at: $0 + 3600) }
    let byDay = changed.count { (7..<23).contains($0 % 86_400 / 3600) }

    #expect(changed.count > 28 * 10)
    #expect(Double(byDay) / Double(28 * 16) > 1.3 * Double(changed.count - byDay) / Double(28 * 8))
  }

  @Test func `the same seed makes the same content, another one other rates`() throws {
    let course = try course()
    let (one, same, other) = (Content(course, seed: 3), Content(course, seed: 3), Content(course, seed: 4))
    let times = (0..<1000).map { Int64($0) * 900 }

    #expect(times.allSatisfy { one.isNew(0, after: $0, at: $0 + 900) == same.isNew(0, after: $0, at: $0 + 900) })
    #expect(one.perHour != other.perHour)
  }

  @Test func `every fetch is told of, and who fetches always is nearly always up to date`() throws {
    let course = try course()
    var listener = Listener()

    let tally = Replay.run(course, &listener, content: Content(course, seed: 1))

    #expect(listener.news > 0 && listener.nothing > 0)
    #expect(listener.news + listener.nothing >= tally.fetches)
    #expect(tally.inVain < tally.fetches)
    #expect(Double(tally.upToDate) > 0.6 * Double(tally.ages.count))
  }
}
