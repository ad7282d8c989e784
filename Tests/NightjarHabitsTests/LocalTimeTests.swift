import NightjarHabits
import Testing

@Suite struct LocalTimeTests {
  @Test(
    arguments: [
      (0, 0, 0, 0, false),  // Thursday, 1970-01-01.
      (172_799, 0, 1, 86_399, false),  // The last second of Friday.
      (172_800, 0, 2, 0, true),  // Saturday.
      (345_600, 0, 4, 0, false),  // Monday.
      (172_799, 1, 2, 0, true),  // Saturday comes earlier in the east
      (172_800, -1, 1, 86_399, false),  // and later in the west.
      (-1, 0, -1, 86_399, false),  // Before 1970 as after it.
      (-345_600, 0, -4, 0, true),  // Sunday, 1969-12-28.
    ] as [(Int64, Int64, Int64, Int64, Bool)])
  func `a time is read off the clocks of its zone`(
    seconds: Int64, offset: Int64, day: Int64, secondOfDay: Int64, isWeekend: Bool
  ) {
    let time = LocalTime(seconds: seconds, offset: offset)

    #expect(time.day == day)
    #expect(time.secondOfDay == secondOfDay)
    #expect(time.isWeekend == isWeekend)
  }

  @Test(arguments: [Int64.min, -1, 0, .max]) func `no time is too far off to be read`(seconds: Int64) {
    let times = [Int64.min, -50_400, 50_400, .max].map { LocalTime(seconds: seconds, offset: $0) }

    #expect(times.allSatisfy { (0..<86_400).contains($0.secondOfDay) })
  }
}
