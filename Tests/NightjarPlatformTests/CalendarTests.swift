import Foundation
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

/// The calendar of our own against Foundation's.
@Suite(.blocking) struct CalendarTests {
  static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Kathmandu",
    "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Kiritimati",
  ]

  @Test func `days have the numbers and the parts that Foundation gives them`() {
    let calendar = Calendar.gregorian("UTC")

    for number in stride(from: Int64(-25_000), to: 84_000, by: 13) {
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
      let date = CalendarDay(number: number)

      #expect([date.year, date.month, date.day] == [parts.year, parts.month, parts.day])
      #expect(date.number == number)
    }
  }

  @Test(arguments: zones)
  func `offsets are those that Foundation knows`(name: String) throws {
    let (rules, zone) = (try rules(name), try #require(TimeZone(identifier: name)))
    var dice = Dice(seed: 1)

    for _ in 0..<2000 {
      let second = Int64.random(in: 0...3_900_000_000, using: &dice)  // 1970 to 2093
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
      #expect(rules.offset(at: Timestamp(seconds: second)) == Int64(offset), "\(second)")
    }
  }

  @Test(arguments: zones)
  func `readings are found again at the moment that Foundation finds`(name: String) throws {
    let (rules, calendar) = (try rules(name), Calendar.gregorian(name))
    var dice = Dice(seed: 2)
    // Around every change of the clocks, and anywhere.
    let changes = rules.changes.map(\.at).filter { (631_152_000...2_524_608_000).contains($0) }
    let moments =
      changes.flatMap { at in [-5400, -1800, -1, 0, 1, 1800, 5400].map { at + $0 } }
      + (0..<500).map { _ in Int64.random(in: 631_152_000...2_524_608_000, using: &dice) }

    for second in moments {
      let time = Timestamp(seconds: second)
      let date = Date(timeIntervalSince1970: Double(second))
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      let back = try #require(calendar.date(from: parts))

      #expect(rules.time(of: rules.reading(at: time)).seconds == Int64(back.timeIntervalSince1970), "\(second)")
    }
  }

  // Without Apia, which once left out a whole day: there Foundation counts hours, and this calendar days.
  @Test(arguments: zones.filter { $0 != "Pacific/Apia" }, CalendarUnit.allCases)
  func `repetitions come when Foundation's calendar says, after short months and leap days too`(
    name: String, unit: CalendarUnit
  ) throws {
    let (rules, calendar) = (try rules(name), Calendar.gregorian(name))
    var dice = Dice(seed: 3)

    for _ in 0..<60 {
      let start = Timestamp(seconds: .random(in: 946_684_800...1_900_000_000, using: &dice))
      let offset = rules.offset(at: start)
      let time = NoticeTime(at: start, zone: .init(name: name, offset: offset), interval: unit)
      let count = Int.random(in: 1...40, using: &dice)
      let (component, factor) = unit.inFoundation
      let first = rules.time(of: rules.reading(at: start))
      let expected = try #require(
        calendar.date(
          byAdding: component, value: count * factor, to: Date(timeIntervalSince1970: Double(first.seconds))))
      let expectedSecond = Int64(expected.timeIntervalSince1970)

      let found = time.next(after: Timestamp(seconds: expectedSecond - 1), rules)

      #expect(found.seconds == expectedSecond, "\(start.seconds) and \(count) \(unit)s")
    }
  }

  @Test func `the last days of months come back after shorter ones`() {
    let start = ClockReading(CalendarDay(year: 2024, month: 1, day: 31), millisecondsOfDay: 60_000)
    let leapDay = ClockReading(CalendarDay(year: 2024, month: 2, day: 29))

    #expect(
      start.adding(1, .month) == ClockReading(CalendarDay(year: 2024, month: 2, day: 29), millisecondsOfDay: 60_000))
    #expect(start.adding(2, .month).date == CalendarDay(year: 2024, month: 3, day: 31))
    #expect(leapDay.adding(1, .year).date == CalendarDay(year: 2025, month: 2, day: 28))
    #expect(leapDay.adding(4, .year).date == CalendarDay(year: 2028, month: 2, day: 29))
  }

  private func rules(_ name: String) throws -> ZoneRules {
    let bytes = try #require(Disk.bytes(of: "/usr/share/zoneinfo/" + name, max: 1 << 20))
    return try #require(TimeZoneFile.rules(bytes, name: name))
  }
}

/// What is no time zone, and rules without a file.
@Suite(.blocking) struct ZoneTests {
  @Test func `damaged files are no time zones, wherever they break off`() throws {
    let bytes = try #require(Disk.bytes(of: "/usr/share/zoneinfo/Europe/Berlin", max: 1 << 20))

    for count in stride(from: 0, to: bytes.count, by: 7) {
      _ = TimeZoneFile.rules(Array(bytes.prefix(count)), name: "")
    }
    var dice = Dice(seed: 4)
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<4 { damaged[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice) }
      _ = TimeZoneFile.rules(damaged, name: "")
    }

    #expect(TimeZoneFile.rules([], name: "") == nil)
    #expect(TimeZoneFile.rules(Array("TZif2".utf8), name: "") == nil)
  }

  @Test(arguments: [Int64.max, 1 << 41, -1 << 41])
  func `a file whose clocks change beyond all reckoning is no time zone`(time: Int64) {
    #expect(TimeZoneFile.rules(file(changes: [-1 << 59, time], "AAA1BBB,M12.5.0,M12.5.0/167"), name: "") == nil)
  }

  @Test func `a first change at the beginning of all time is none to reckon from`() throws {
    for first in [-1 << 59, Int64.min + 1] {
      let rules = try #require(TimeZoneFile.rules(file(changes: [first], "CET-1CEST,M3.5.0,M10.5.0/3"), name: ""))

      #expect(rules.offset(at: Timestamp(seconds: 1_750_000_000)) == 7200)  // June 2025
      #expect(rules.changes.count == 1 + 2 * (1970...2100).count)
    }
  }

  /// A file with these changes, all to UTC, and a rule for what comes after them.
  private func file(changes: [Int64], _ rule: String) -> [UInt8] {
    func header(_ count: Int) -> [UInt8] {
      let counts: [UInt8] = [0, 0, 0, UInt8(count), 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
      return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
    }
    let type = [UInt8](repeating: 0, count: 7)  // And its name, which is empty.
    let times = changes.flatMap { time in (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } }
    let indexes = [UInt8](repeating: 0, count: changes.count)
    return header(0) + type + header(changes.count) + times + indexes + type + Array("\n\(rule)\n".utf8)
  }

  @Test func `a rule without a file is understood as POSIX has it`() {
    let berlin = ZoneSensor.rules(named: "CET-1CEST,M3.5.0,M10.5.0/3")

    #expect(berlin.offset(at: Timestamp(seconds: 1_750_000_000)) == 7200)  // June 2025
    #expect(berlin.offset(at: Timestamp(seconds: 1_765_000_000)) == 3600)  // December 2025
    #expect(ZoneSensor.rules(named: "<+0330>-3:30").offset == 12_600)
    #expect(ZoneSensor.rules(named: "Europe/Berlin").name == "Europe/Berlin")
    #expect(ZoneSensor.rules(named: "../../etc/passwd") == .utc)
    #expect(ZoneSensor.rules(named: "") == .utc)
  }

  @Test func `another time zone of the device is noticed`() throws {
    let (lookout, place, bell) = (try Lookout(), try TestHome(), Doorbell())
    defer { lookout.stop() }
    let file = try place.folder("etc") + "/localtime"
    symlink("/usr/share/zoneinfo/Europe/Berlin", file)
    let pipe = Pipe(in: place)
    let sensor = ZoneSensor(lookout: lookout, environment: [:], localtime: file) { rules in
      pipe.say(rules.name)
      bell.ring()
    }

    #expect(bell.wait() && pipe.line() == "Europe/Berlin")
    symlink("/usr/share/zoneinfo/Asia/Tokyo", file + ".new")
    rename(file + ".new", file)

    #expect(pipe.line() == "Asia/Tokyo")
    withExtendedLifetime(sensor) {}
  }

  @Test func `a time zone that is taken away and put anew is no other in between`() throws {
    let (lookout, place) = (try Lookout(), try TestHome())
    defer { lookout.stop() }
    let (pipe, file) = (Pipe(in: place), try place.folder("etc") + "/localtime")
    symlink("/usr/share/zoneinfo/Europe/Berlin", file)
    let sensor = ZoneSensor(lookout: lookout, environment: [:], localtime: file, patience: .seconds(3600)) {
      pipe.say($0.name)
    }
    #expect(pipe.line() == "Europe/Berlin")

    unlink(file)
    lookout.settle()
    symlink("/usr/share/zoneinfo/Asia/Tokyo", file)

    #expect(pipe.line() == "Asia/Tokyo")
    withExtendedLifetime(sensor) {}
  }

  @Test func `a time zone that stays away is UTC in the end, and another one may come`() throws {
    let (lookout, place) = (try Lookout(), try TestHome())
    defer { lookout.stop() }
    let (pipe, file) = (Pipe(in: place), try place.folder("etc") + "/localtime")
    symlink("/usr/share/zoneinfo/Europe/Berlin", file)
    let sensor = ZoneSensor(lookout: lookout, environment: [:], localtime: file, patience: .zero) {
      pipe.say($0.name)
    }
    #expect(pipe.line() == "Europe/Berlin")

    unlink(file)
    #expect(pipe.line() == "UTC")
    symlink("/usr/share/zoneinfo/Asia/Tokyo", file)

    #expect(pipe.line() == "Asia/Tokyo")
    withExtendedLifetime(sensor) {}
  }

  @Test func `a time zone that cannot be watched is looked at when something else has changed`() throws {
    let (lookout, place) = (try Lookout(), try TestHome())
    defer { lookout.stop() }
    let (pipe, file) = (Pipe(in: place), place.root + "/etc/localtime")
    let sensor = ZoneSensor(lookout: lookout, environment: [:], localtime: file) { pipe.say($0.name) }
    #expect(pipe.line() == "UTC")

    _ = try place.folder("etc")
    symlink("/usr/share/zoneinfo/Asia/Tokyo", file)
    sensor.lookAgain()

    #expect(pipe.line() == "Asia/Tokyo")
    #expect(sensor.shortcoming?.contains(place.root + "/etc") == true)
  }
}

extension Lookout {
  /// Returns when everything was handled that had happened before.
  fileprivate func settle() {
    for _ in 1...2 {  // The first may come before what was there at the same time.
      let bell = Doorbell()
      perform { bell.ring() }
      #expect(bell.wait())
    }
  }
}

extension Calendar {
  fileprivate static func gregorian(_ zone: String) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone)!
    return calendar
  }
}

extension CalendarUnit {
  fileprivate var inFoundation: (Calendar.Component, Int) {
    switch self {
    case .second: (.second, 1)
    case .minute: (.minute, 1)
    case .hour: (.hour, 1)
    case .day: (.day, 1)
    case .week: (.day, 7)
    case .month: (.month, 1)
    case .quarter: (.month, 3)
    case .year: (.year, 1)
    }
  }
}

/// Random numbers that are the same each time.
private struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
