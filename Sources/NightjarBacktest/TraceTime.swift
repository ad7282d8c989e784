import NightjarModel

/// Reads times such as `2018-01-16 06:01:05`. Lines of one day come together, so each day is computed once.
struct TraceTime {
  private var lastDay: [UInt8] = []
  private var lastSeconds: Int64 = 0

  /// Seconds since 1970 on the clock that wrote it, whatever its zone; nil if it is no time between 1970 and 2199.
  mutating func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count >= 19, text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "T"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), Self.mayEnd(text),
      let hour = Self.number(text, 11..<13), hour < 24, let minute = Self.number(text, 14..<16), minute < 60,
      let second = Self.number(text, 17..<19), second <= 60, let day = day(text)
    else { return nil }
    return day + hour * 3600 + minute * 60 + min(second, 59)
  }

  /// Whether a text is a time with its zone behind it, such as `Z` or `+01:00`.
  mutating func isZoned(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count > 19, let zone = text[19...].firstIndex(where: { "Zz+-".utf8.contains($0) }) else { return false }
    return seconds(UnsafeRawBufferPointer(rebasing: text[..<zone])) != nil
  }

  /// A fraction of the second may follow.
  private static func mayEnd(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count == 19 || (text[19] == UInt8(ascii: ".") && text[20...].allSatisfy { (48...57).contains($0) })
  }

  private mutating func day(_ text: UnsafeRawBufferPointer) -> Int64? {
    if lastDay.elementsEqual(text[..<10]) { return lastSeconds }
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let year = Self.number(text, 0..<4),
      let month = Self.number(text, 5..<7), let day = Self.number(text, 8..<10), (1970...2199).contains(year),
      (1...12).contains(month), (1...CalendarDay.days(ofMonth: Int(month), year: Int(year))).contains(Int(day))
    else { return nil }
    lastDay = Array(text[..<10])
    lastSeconds = CalendarDay(year: Int(year), month: Int(month), day: Int(day)).number * 86_400
    return lastSeconds
  }

  private static func number(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int64? {
    var number: Int64 = 0
    for byte in text[range] {
      guard (48...57).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 48)
    }
    return number
  }
}
