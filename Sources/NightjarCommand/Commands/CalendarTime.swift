import ArgumentParser
import FoundationEssentials

/// A time on the calendar: `2027-01-31T03:00:00Z`, with another zone, or without one for the time here.
struct CalendarTime: ExpressibleByArgument, Hashable, Sendable {
  let text: String

  /// Accepts any text; ``check()`` reports what is wrong with it.
  init(argument: String) { text = argument }

  /// Nanoseconds since 1970; nil if the text is no time.
  var nanoseconds: Int64? { date.map { Int64($0.timeIntervalSince1970.rounded()) * 1_000_000_000 } }

  /// - Throws: `ValidationError` unless it is a time between 1970 and 2200.
  func check() throws {
    guard let date else {
      throw ValidationError(
        "'\(text)' is no time; write it as '2027-01-31 03:00', in the time here, or as 2027-01-31T03:00:00Z.")
    }
    guard (0...7_258_118_400).contains(date.timeIntervalSince1970) else {
      throw ValidationError("'\(text)' is too far away; give a time between 1970 and 2200.")
    }
  }

  /// A time as it is shown: in UTC, in the format of RFC 3339.
  static func words(ofNanoseconds nanoseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000)).formatted(.iso8601)
  }

  private var date: Date? {
    var rest = text[...]
    guard let numbers = Self.numbers(&rest), let zone = Self.zone(rest) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = DateComponents(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5])
    guard let date = calendar.date(from: parts) else { return nil }
    // The calendar carries a day such as the 31st of February over into the next month: it does not exist.
    let back = calendar.dateComponents([.year, .month, .day], from: date)
    return back.year == numbers[0] && back.month == numbers[1] && back.day == numbers[2] ? date : nil
  }

  /// Removes and returns year, month, day, hour, minute and, if present, seconds.
  private static func numbers(_ rest: inout Substring) -> [Int]? {
    var numbers: [Int] = []
    for (digits, separator, max) in [(4, "-", 9999), (2, "-", 12), (2, " T", 31), (2, ":", 23), (2, "", 59)] {
      guard let number = number(&rest, digits: digits), number <= max else { return nil }
      numbers.append(number)
      guard !separator.isEmpty else { continue }
      guard let next = rest.popFirst(), separator.contains(next) else { return nil }
    }
    guard rest.first == ":" else { return numbers + [0] }
    rest.removeFirst()
    return number(&rest, digits: 2).flatMap { $0 <= 59 ? numbers + [$0] : nil }
  }

  private static func number(_ rest: inout Substring, digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest.removeFirst(digits)
    return Int(text)
  }

  /// The zone in the remaining text: `Z`, an offset such as `+01:00`, or empty for the local zone.
  private static func zone(_ text: Substring) -> TimeZone? {
    guard let sign = text.first else { return .current }
    if text == "Z" || text == "z" { return TimeZone(secondsFromGMT: 0) }
    var rest = text.dropFirst()
    guard sign == "+" || sign == "-", let hours = number(&rest, digits: 2), rest.popFirst() == ":",
      let minutes = number(&rest, digits: 2), rest.isEmpty, hours <= 23, minutes <= 59
    else { return nil }
    return TimeZone(secondsFromGMT: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
  }
}
