public import NightjarModel

extension Scenario {
  /// Reads a scenario, one sentence a line; `#` outside of quotation marks begins a comment.
  ///
  /// - Throws: ``ScenarioError`` for the first invalid line, with what to write instead.
  public init(_ text: String) throws(ScenarioError) {
    try self.init(lines: Self.lines(of: text))
  }

  /// Reads a scenario from its lines.
  ///
  /// - Parameter days: How many days to play, if not the scenario's own number.
  /// - Throws: ``ScenarioError`` for the first invalid line, with what to write instead.
  public init(lines: [String], days: Int? = nil) throws(ScenarioError) {
    try self.init(lines: lines, onlyApp: nil, days: days)
  }

  /// Reads a scenario of one real app, whose name may be left out.
  ///
  /// - Throws: ``ScenarioError``, also for sentences that describe made-up apps.
  package init(_ text: String, of app: String) throws(ScenarioError) {
    try self.init(lines: Self.lines(of: text), onlyApp: app)
  }

  private static func lines(of text: String) -> [String] {
    text.withoutByteOrderMark.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
  }

  private init(lines: [String], onlyApp: String?, days: Int? = nil) throws(ScenarioError) {
    self.init()
    guard lines.count <= Self.linesMax else {
      throw ScenarioError(line: nil, "a scenario of \(lines.count) lines is too long: \(Self.linesMax) at most")
    }
    var reader = ScenarioReader(onlyApp: onlyApp)
    for (number, line) in lines.enumerated() { try reader.read(line, number + 1) }
    self = try reader.finished(atLeast: days ?? 0)
    self.days = days ?? self.days
  }

  /// The days of the scenario with their numbers.
  public var calendar: [(number: Int, day: CalendarDay)] {
    (1...max(days, 1)).map { ($0, CalendarDay(number: start.number + Int64($0) - 1)) }
  }
}
