import TestThreads
import Testing

@testable import NightjarBacktest

/// The baseline that knows only the hour.
@Suite(.computing) struct HistogramTests {
  /// What it does without remembering any sum: all is added up anew at every tick.
  private struct Summed: Policy {
    let course: Course
    let threshold: Double
    var (told, weight) = (0, 1.0)
    var hours = [Double](repeating: 0, count: 48)
    var launches: [[Double]]

    init(_ course: Course, threshold: Double) {
      (self.course, self.threshold) = (course, threshold)
      launches = Array(repeating: hours, count: course.apps.count)
    }

    mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
      live(until: course.ticks[scene.tick])
      let scores = scene.apps.indices.map { scene.mayFetch($0) ? score($0, scene) : -1 }
      let isOpen = scene.isAwake || scores.contains { $0 >= threshold }
      chosen += scores.indices.filter { scores[$0] >= (isOpen ? threshold / 2 : threshold) }
    }

    private mutating func live(until tick: Course.Tick) {
      let before = Self.slot(tick.clock - 300)
      for step in course.steps[told..<tick.steps] where step.app >= 0 {
        let isLaunch = step.kind == .launched || step.kind == .launchedAfterIdle
        launches[Int(step.app)][before] += isLaunch ? weight : 0
      }
      told = tick.steps
      hours[before] += weight * 300 / 3600
      weight *= 1.000_171_93
    }

    private func score(_ app: Int, _ scene: Scene) -> Double {
      let (slot, strength) = (Self.slot(scene.clock), 2 * weight)
      let mean = launches[app].reduce(0, +) / hours.reduce(0, +)
      let expected = mean * liveliness(of: slot, strength)
      let rate = (launches[app][slot] + strength * expected) / (hours[slot] + strength) / 2
      return rate * scene.ageMinutes(app).squareRoot()
    }

    private func liveliness(of slot: Int, _ strength: Double) -> Double {
      let all = hours.indices.map { hour in launches.reduce(0) { $0 + $1[hour] } }
      let mean = all.reduce(0, +) / hours.reduce(0, +)
      return mean > 0 ? (all[slot] + strength * mean) / (hours[slot] + strength) / mean : 1
    }

    private static func slot(_ clock: Int64) -> Int {
      Int(clock % 86_400 / 3600) + ([2, 3].contains(clock / 86_400 % 7) ? 24 : 0)
    }
  }

  @Test(arguments: [2.0, 8])
  func `it fetches when one does that adds up all that was before at each tick`(fetches: Double) throws {
    let recording = try Recording()
    let path = try recording.file([Recording.header] + Recording.lines(users: ["ann"]))
    let course = try Recording.course(Recording.read(path).diaries[0])
    var own = PolicyName.histogram.dial(course)
    var summed = Dial(PolicyName.scores, start: 0.2, traffic: course.traffic) { setting in
      var policy = Summed(course, threshold: setting)
      return Replay.run(course, &policy)
    }

    let found = own.tally(within: .fetchesPerAppDay(fetches)).batches
    let expected = summed.tally(within: .fetchesPerAppDay(fetches)).batches

    #expect(!found.isEmpty)
    #expect(found.map(\.time) == expected.map(\.time))
    #expect(found.map(\.count) == expected.map(\.count))
  }
}
