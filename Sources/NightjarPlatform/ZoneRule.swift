import NightjarModel

/// A rule for all years, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX's form of `TZ`, with RFC 8536's wider hours).
struct ZoneRule: Hashable {
  /// When clocks are set, in every year.
  struct Moment: Hashable {
    enum Day: Hashable {
      /// A day of the year, from 1, the leap day never counted.
      case ofCommonYear(Int)
      /// A day of the year, from 0, the leap day counted.
      case ofYear(Int)
      /// The so many-th (5: the last) of a day of the week (0: Sunday) in a month.
      case ofMonth(Int, week: Int, weekday: Int)
    }

    var day: Day
    /// Seconds after midnight, by the clocks as they were before.
    var seconds: Int64
  }

  /// Seconds ahead of UTC.
  var standard: Int64
  /// The same while clocks are set forward, from one moment to the other; nil where they never are.
  var saving: (offset: Int64, from: Moment, to: Moment)?

  init?(_ text: String) {
    var reader = ZoneRuleReader(text)
    guard let standard = reader.nameAndOffset() else { return nil }
    self.standard = standard
    guard !reader.isAtEnd else { return }
    guard reader.name() else { return nil }
    let offset = reader.isAt(",") || reader.isAtEnd ? standard + 3600 : reader.offset()
    guard let offset else { return nil }
    if reader.isAtEnd {  // What POSIX leaves open; the rule of the United States is the custom.
      reader = ZoneRuleReader(",M3.2.0,M11.1.0")
    }
    guard let from = reader.moment(), let to = reader.moment(), reader.isAtEnd else { return nil }
    saving = (offset, from, to)
  }

  static func == (a: ZoneRule, b: ZoneRule) -> Bool {
    a.standard == b.standard && a.saving?.offset == b.saving?.offset && a.saving?.from == b.saving?.from
      && a.saving?.to == b.saving?.to
  }

  func hash(into hasher: inout Hasher) { hasher.combine(standard) }

  /// Writes out the changes after the last one that is known, from 1970 on.
  func extend(_ rules: inout ZoneRules, through yearMax: Int) {
    guard let saving else { return }
    let last = rules.changes.last?.at ?? Int64(0)
    let first = max(CalendarDay(number: last / 86_400).year, 1970)
    for year in first...max(first, yearMax) {
      let forward = ZoneRules.Change(at: saving.from.time(in: year) - standard, offset: saving.offset)
      let back = ZoneRules.Change(at: saving.to.time(in: year) - saving.offset, offset: standard)
      for change in [forward, back].sorted(by: { $0.at < $1.at }) where change.at > last {
        rules.changes.append(change)
      }
    }
  }
}

extension ZoneRule.Moment {
  /// Seconds since 1970, by the clocks as they are before it.
  fileprivate func time(in year: Int) -> Int64 { dayNumber(in: year) * 86_400 + seconds }

  private func dayNumber(in year: Int) -> Int64 {
    let newYear = CalendarDay(year: year, month: 1, day: 1).number
    switch day {
    case .ofYear(let day): return newYear + Int64(day)
    case .ofCommonYear(let day):
      let isAfterLeapDay = day >= 60 && CalendarDay.days(ofMonth: 2, year: year) == 29
      return newYear + Int64(day) - (isAfterLeapDay ? 0 : 1)
    case .ofMonth(let month, let week, let weekday):
      let first = CalendarDay(year: year, month: month, day: 1).number
      let ahead = (Int64(weekday) - (first + 4) % 7 + 14) % 7  // 1 January 1970 was a Thursday.
      let length = Int64(CalendarDay.days(ofMonth: month, year: year))
      let found = first + ahead + 7 * Int64(week - 1)
      return found < first + length ? found : found - 7
    }
  }
}

/// Reads a rule's text from its beginning.
struct ZoneRuleReader {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }
  func isAt(_ character: Character) -> Bool { rest.first == character }

  /// A zone's abbreviation: three letters or more, or anything between angle brackets.
  mutating func name() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let letters = rest.prefix(while: \.isLetter)
    rest = rest[letters.endIndex...]
    return letters.count >= 3
  }

  mutating func nameAndOffset() -> Int64? { name() ? offset() : nil }

  /// Seconds ahead of UTC; the text says how many one is behind.
  mutating func offset() -> Int64? { time().map { -$0 } }

  /// `,M10.5.0/3`, `,J60` or `,300/2`.
  mutating func moment() -> ZoneRule.Moment? {
    guard take(","), let day = day() else { return nil }
    guard take("/") else { return ZoneRule.Moment(day: day, seconds: 7200) }
    return time().map { ZoneRule.Moment(day: day, seconds: $0) }
  }

  private mutating func day() -> ZoneRule.Moment.Day? {
    if take("J") { return number(1...365).map { .ofCommonYear($0) } }
    guard take("M") else { return number(0...365).map { .ofYear($0) } }
    guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
      return nil
    }
    return .ofMonth(month, week: week, weekday: day)
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  private mutating func time() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number(0...167) else { return nil }
    var seconds = Int64(hours) * 3600
    for unit in [60, 1] as [Int64] where take(":") {
      guard let part = number(0...59) else { return nil }
      seconds += Int64(part) * unit
    }
    return isNegative ? -seconds : seconds
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest[digits.endIndex...]
    return Int(digits).flatMap { range.contains($0) ? $0 : nil }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }
}
