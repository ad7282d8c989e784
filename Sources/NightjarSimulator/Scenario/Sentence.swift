/// The words of one line of a scenario, taken from left to right.
struct Sentence {
  let line: Int
  private let text: Substring
  private let words: [String]
  /// The indices of quoted words, which are no keywords.
  private let quoted: Set<Int>
  private var place = 0
  /// The first numbered day that it names.
  private(set) var dayNamed: Int?

  /// Cuts a line into words. Names of several words may be put in double quotes; a comma counts as a space.
  init(_ text: Substring, line: Int) throws(ScenarioError) {
    (self.line, self.text) = (line, text)
    var (words, quoted): ([String], Set<Int>) = ([], [])
    for (number, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if number.isMultiple(of: 2) {
        words += part.split { $0.isWhitespace || $0 == "," }.map(String.init)
      } else {
        quoted.insert(words.count)
        words.append(String(part))
      }
    }
    guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else {
      throw ScenarioError(line: line, "a quotation mark has no partner; write names as \"Apple News\"")
    }
    (self.words, self.quoted) = (words, quoted)
  }

  /// The line up to its comment. Within quotation marks `#` is a character like any other.
  static func withoutComment(_ line: String) -> Substring {
    var isQuoted = false
    return line.prefix { character in
      if character == "\"" { isQuoted.toggle() }
      return character != "#" || isQuoted
    }
  }

  var isEmpty: Bool { words.isEmpty }
  var next: String? { place < words.count ? words[place] : nil }
  /// The next word in lowercase; nil if it was quoted, and at the end.
  var keyword: String? { quoted.contains(place) ? nil : next?.lowercased() }

  var rest: String { words[place...].joined(separator: " ") }

  /// The text after the first word as it was written, without the quotation marks of a name.
  var wording: String {
    guard quoted.isEmpty else { return words.dropFirst().joined(separator: " ") }
    let first = text.drop { $0.isWhitespace }
    let tail = first.drop { !$0.isWhitespace }.drop { $0.isWhitespace }
    let end = tail.lastIndex { !$0.isWhitespace }
    return end.map { String(tail[...$0]) } ?? ""
  }

  func complaint(_ detail: String) -> ScenarioError { ScenarioError(line: line, detail) }

  /// Removes these words if they come next.
  mutating func takes(_ phrase: String...) -> Bool {
    guard words.count - place >= phrase.count,
      zip(words[place...], phrase).allSatisfy({ $0.lowercased() == $1 }), !quoted.contains(place)
    else { return false }
    place += phrase.count
    return true
  }

  /// Removes and returns the words before the first of these keywords: a name.
  mutating func name(before keywords: Set<String>) throws(ScenarioError) -> String {
    let isKeyword = { (index: Int) in
      !quoted.contains(index) && keywords.contains(words[index].lowercased()) && !isOfName(index)
        || counts(index, among: keywords)
    }
    let end = (place..<words.count).first(where: isKeyword) ?? words.count
    let name = words[place..<end].joined(separator: " ")
    guard !name.isEmpty else { throw complaint("the name of an app is missing\(before(end))") }
    try check(name)
    place = end
    return name
  }

  /// Whether the word at an index is a number that cannot be one of times, by what follows it: `App 7 at 09:00`.
  private func isOfName(_ index: Int) -> Bool {
    guard words[index].allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
    let next = words.dropFirst(index + 1).first?.lowercased() ?? ""
    return ["at", "on", "daily", "every"].contains(next) || counts(index + 1, among: ["times"])
  }

  /// Whether the word at an index is a number of times, if that may follow.
  private func counts(_ index: Int, among keywords: Set<String>) -> Bool {
    guard keywords.contains("times"), words.dropFirst(index + 1).first?.lowercased() == "times" else { return false }
    return words[index].allSatisfy { $0.isASCII && $0.isNumber }
  }

  private func check(_ name: String) throws(ScenarioError) {
    if let control = name.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) {
      let code = String(control.value, radix: 16, uppercase: true)
      throw complaint("a name has the control character U+00\(code.count < 2 ? "0" : "")\(code); leave it out")
    }
    guard name.utf8.count <= 60 else {
      throw complaint("'\(name.prefix(20))…' is too long for a name: 60 bytes at most")
    }
  }

  private func before(_ index: Int) -> String { index < words.count ? " before '\(words[index])'" : "" }

  mutating func word(_ what: String) throws(ScenarioError) -> String {
    guard let word = next else { throw complaint("\(what) is missing at the end") }
    place += 1
    return word
  }

  mutating func number(_ what: String, in range: ClosedRange<Int>) throws(ScenarioError) -> Int {
    let word = try word(what)
    guard let number = Int(word), range.contains(number) else {
      throw complaint("'\(word)' is no \(what); write a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func percent() throws(ScenarioError) -> Int {
    let word = try word("a percentage")
    guard word.hasSuffix("%"), let number = Int(word.dropLast()), (0...100).contains(number) else {
      throw complaint("'\(word)' is no percentage; write one from 0% to 100%")
    }
    return number
  }

  /// A minute of the day, such as `09:30`. The end of a day is the beginning of the next, and is written so.
  mutating func time() throws(ScenarioError) -> Int {
    let word = try word("a time of day")
    guard let minutes = Self.minutes(word), minutes < 1440 else {
      throw complaint("'\(word)' is no time of day; write one from 00:00 to 23:59, such as 09:30")
    }
    return minutes
  }

  /// Two times of day, such as `23:00-07:00`.
  mutating func times() throws(ScenarioError) -> (from: Int, to: Int) {
    let word = try word("a span of time")
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = Self.minutes(String(parts[0])), let to = Self.minutes(String(parts[1])),
      from < 1440
    else {
      throw complaint("'\(word)' is no span of time; write one such as 10:00-12:00, or 23:00-07:00 over midnight")
    }
    guard from != to else { throw complaint("'\(word)' is empty; write 00:00-24:00 for the whole day") }
    return (from, to)
  }

  /// Whether a span such as `10:00-12:00` comes next.
  var hasTimes: Bool { next.map { $0.contains(":") && $0.contains("-") } ?? false }

  /// A length of time in milliseconds, such as `40 min`.
  mutating func duration(in range: ClosedRange<Int64> = 1000...31_536_000_000) throws(ScenarioError) -> Int64 {
    let word = try word("a length of time")
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    let isWhole = digits.count < word.count
    let unitWord = isWhole ? String(word.dropFirst(digits.count)) : try self.word("a unit of time")
    let written = isWhole ? word : "\(word) \(unitWord)"
    guard let count = Int64(digits), count <= 1_000_000, let unit = Self.units[unitWord.lowercased()] else {
      throw complaint("'\(written)' is no length of time; write a number and s, min, h or days, such as 40 min")
    }
    let (length, isTooLong) = count.multipliedReportingOverflow(by: unit)
    guard !isTooLong, range.contains(length) else {
      throw complaint("'\(written)' is too short or too long here")
    }
    return length
  }

  /// Whether days come next.
  var hasDays: Bool {
    switch keyword {
    case "on", "daily", "every": true
    default: false
    }
  }

  /// The days after `on`, if that comes next; otherwise all days.
  mutating func days() throws(ScenarioError) -> Scenario.Days {
    if takes("daily") || takes("every", "day") { return .every }
    guard takes("on") else { return .every }
    if takes("day") || takes("days") { return try numberedDays() }
    var days = try someDays()
    while takes("and") || next.map({ Self.weekday($0) != nil }) == true { days.ofWeek |= try someDays().ofWeek }
    return days
  }

  private mutating func someDays() throws(ScenarioError) -> Scenario.Days {
    let word = try word("a day")
    switch word.lowercased() {
    case "weekdays": return .weekdays
    case "weekends", "weekend": return .weekends
    default:
      guard let weekday = Self.weekday(word) else {
        throw complaint("'\(word)' is no day; write weekdays, weekends, a day such as Tuesday, or day 3")
      }
      return Scenario.Days(ofWeek: 1 << UInt8(weekday))
    }
  }

  private mutating func numberedDays() throws(ScenarioError) -> Scenario.Days {
    let word = try word("the number of a day")
    let parts = word.split(separator: "-", maxSplits: 1).compactMap { Int($0) }
    guard let first = parts.first, let last = parts.last, first >= 1, first <= last, last <= Scenario.daysMax,
      word == (parts.count == 1 ? "\(first)" : "\(first)-\(last)")
    else { throw complaint("'\(word)' is no day of a scenario; they count from 1: write day 3, or days 3-5") }
    dayNamed = first
    return Scenario.Days(ofWeek: Scenario.Days.every.ofWeek, numbers: first...last)
  }

  /// Checks that no words are left.
  func end() throws(ScenarioError) {
    if let next { throw complaint("'\(next)' is not understood after '\(words[..<place].joined(separator: " "))'") }
  }

  private static func minutes(_ word: String) -> Int? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2, let hours = Int(parts[0]),
      let minutes = Int(parts[1]), (0...23).contains(hours) && (0...59).contains(minutes) || (hours, minutes) == (24, 0)
    else { return nil }
    return hours * 60 + minutes
  }

  private static func weekday(_ word: String) -> Int? {
    let word = word.lowercased()
    return weekdays.firstIndex { $0 == word || $0 + "s" == word || String($0.prefix(3)) == word }
  }

  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let units: [String: Int64] = [
    "s": 1000, "sec": 1000, "second": 1000, "seconds": 1000, "min": 60_000, "minute": 60_000, "minutes": 60_000,
    "h": 3_600_000, "hour": 3_600_000, "hours": 3_600_000, "d": 86_400_000, "day": 86_400_000, "days": 86_400_000,
  ]
}
