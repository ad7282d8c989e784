/// A date as HTTP writes it (RFC 9110, section 5.6.7): the fixed form, and the two old ones that must still be read.
package enum HTTPDate {
  /// Seconds since 1970, or nil for what is no HTTP date.
  package static func seconds(_ text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
    if words.count == 6, words[5] == "GMT" {
      return moment(day: words[1], month: words[2], year: words[3], time: words[4])
    }
    if words.count == 5 { return moment(day: words[2], month: words[1], year: words[4], time: words[3]) }
    return nil
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func moment(day: String, month: String, year: String, time: String) -> Int64? {
    let clock = time.split(separator: ":").compactMap { Int64($0) }
    guard let day = Int64(day), (1...31).contains(day), let month = months.firstIndex(of: month),
      let year = Int64(year).map({ $0 < 70 ? $0 + 2000 : $0 < 100 ? $0 + 1900 : $0 }), year < 10_000,
      clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}
