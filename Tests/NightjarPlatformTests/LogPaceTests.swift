import Testing

@testable import NightjarPlatform

struct LogPaceTests {
  private func trial(_ size: Int64, _ hasBegunAnew: Bool) -> LogPace.Trial {
    LogPace.Trial(log: "a.log", size: size, hasBegunAnew: hasBegunAnew)
  }

  @Test func `a log that is many times too long is looked at all the time, until none is too long`() {
    var pace = LogPace(bytesMax: 1000)

    let floods = ([4003, 4004, 1001, nil] as [Int64?]).map { size in
      pace.note(size.map { [trial($0, true)] } ?? [], at: .zero)
      return pace.isFlooded
    }

    #expect(floods == [false, true, true, false])
    #expect(pace.isDue("a.log", at: .zero))
  }

  @Test func `a log that cannot be copied is no flood, and is tried again after longer and longer`() {
    var (pace, now) = (LogPace(bytesMax: 1000), Duration.zero)
    pace.note([trial(50_000, true)], at: now)

    let pauses = (0..<8).map { _ in
      pace.note([trial(50_000, false)], at: now)
      let begin = now
      while !pace.isDue("a.log", at: now) { now += .seconds(1) }
      return now - begin
    }

    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300].map { Duration.seconds($0) })
    #expect(!pace.isFlooded && pace.isDue("b.log", at: .zero))
  }

  @Test(arguments: [true, false])
  func `a log that begins anew, or is no longer too long, has its short pause back`(isLong: Bool) {
    var pace = LogPace(bytesMax: 1000)
    pace.note([trial(2000, false)], at: .zero)
    pace.note([trial(2000, false)], at: .seconds(5))

    pace.note(isLong ? [trial(2000, true)] : [], at: .seconds(15))
    pace.note([trial(2000, false)], at: .seconds(15))

    #expect(!pace.isDue("a.log", at: .seconds(19)) && pace.isDue("a.log", at: .seconds(20)))
  }
}
