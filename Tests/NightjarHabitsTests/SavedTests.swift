import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@Suite(.computing) struct SavedTests {
  private static let twoDays = Habits.ofThree(days: 2).saved

  @Test func `habits go on in every bit from what was saved`() throws {
    var habits = Habits.ofThree(days: 9)

    var restored = try Habits(saved: habits.saved)
    #expect(restored == habits)
    habits.live(days: 9..<12)
    restored.live(days: 9..<12)

    #expect(restored == habits)
    #expect(restored.saved == habits.saved)
  }

  @Test func `nothing at all can be saved`() throws {
    #expect(try Habits(saved: Habits().saved) == Habits())
  }

  @Test func `an app takes less than two kilobytes`() {
    let three = Habits.ofThree(days: 3).saved.count
    let none = Habits().saved.count

    #expect((three - none) / 3 < 2000)
  }

  @Test(arguments: [[], [1], Array("SQLite format 3".utf8), [UInt8](repeating: 0, count: 5000)])
  func `what was never saved is refused by name`(bytes: [UInt8]) {
    let error = #expect(throws: HabitsError.self) { try Habits(saved: bytes) }

    #expect(error?.code == .notHabits)
  }

  @Test func `what a newer version has saved is refused with its number`() {
    var bytes = Self.twoDays
    bytes[3] = 9

    let error = #expect(throws: HabitsError.self) { try Habits(saved: bytes) }

    #expect(error?.code == .newerVersion(9))
  }

  @Test func `a changed byte is noticed wherever it is`() {
    let bytes = Self.twoDays

    for place in stride(from: 4, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] ^= 0x10
      let error = #expect(throws: HabitsError.self) { try Habits(saved: damaged) }
      #expect(error?.code == .damaged)
    }
  }

  @Test func `every cut is noticed`() {
    let bytes = Self.twoDays

    for count in stride(from: 4, to: bytes.count, by: 97) {
      #expect(throws: HabitsError.self) { try Habits(saved: Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: 0..<UInt64(100)) func `rubbish with a right sum does no harm`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var bytes = Array(Self.twoDays.dropLast(8))
    for _ in 0..<(1 + dice.roll(4)) { bytes[4 + dice.roll(bytes.count - 4)] = UInt8(dice.roll(256)) }
    let whole = bytes + Dice.sum(bytes)

    guard var habits = try? Habits(saved: whole) else { return }
    habits.live(days: 2..<4)

    #expect(habits.known.allSatisfy { (0...1).contains(habits.forecast($0, at: .day(5)).probability) })
  }
}
