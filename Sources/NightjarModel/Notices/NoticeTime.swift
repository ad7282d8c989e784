/// When a local notification is due, once or again and again.
public struct NoticeTime: Hashable, Sendable {
  /// The date that was given, a moment.
  public var at: Timestamp
  /// The time zone that was given with it: then the clock's reading there counts, shown by the clocks of wherever the
  /// device is (Apple's rule for `UILocalNotification.timeZone`). Nil: the moment itself counts.
  public var zone: Zone?
  /// The interval after which it is repeated; nil for once.
  public var interval: CalendarUnit?
  /// How many intervals there are from one repetition to the next.
  public var step: Int64 = 1
  /// The days of the repetitions where the intervals of the Gregorian calendar do not lead to them (those of another
  /// calendar, a 31st of each month that has one): numbers as of ``CalendarDay``, each later than the one before. After
  /// the last of them it is never due again. Empty: each interval.
  public var days: [Int64] = []

  /// A time zone, as far as it matters.
  public struct Zone: Hashable, Sendable {
    /// Its name, for the app.
    public var name: String
    /// How many seconds its clocks are ahead of UTC at the date.
    public var offset: Int64

    /// A zone at a date.
    public init(name: String, offset: Int64) { (self.name, self.offset) = (name, offset) }
  }

  /// A time, once or repeated.
  public init(at: Timestamp, zone: Zone? = nil, interval: CalendarUnit? = nil, step: Int64 = 1, days: [Int64] = []) {
    (self.at, self.zone, self.interval, self.step, self.days) = (at, zone, interval, step, days)
  }

  /// When it is due next, after a moment; the first time of all without one.
  ///
  /// What is due once is due at its time, passed or not. Repetitions are counted from the first, so that a 31st comes
  /// back after a shorter month. Without a zone they are computed in UTC. In an hour that the clocks show twice, the
  /// first time is the moment that was given, and any other is the earlier one.
  /// - Parameter rules: Those of the place where the device is.
  public func next(after since: Timestamp?, _ rules: ZoneRules) -> Timestamp {
    let first = time(0, rules)
    guard let interval, let since, first <= since else { return first }
    if let last = days.last { return time(on: days.first { time(on: $0, rules) > since } ?? last, rules) }
    var count = max(estimate(interval, from: first, to: since), 1)
    while time(count, rules) <= since { count += 1 }
    return time(count, rules)
  }

  /// Whether it is never due again after a moment at which it was due.
  public func isOver(after moment: Timestamp, _ rules: ZoneRules) -> Bool {
    interval == nil || days.last.map { time(on: $0, rules) <= moment } ?? false
  }

  /// When it is due on one of its days.
  private func time(on day: Int64, _ rules: ZoneRules) -> Timestamp {
    (zone == nil ? .utc : rules).time(of: reading.moved(toDay: day))
  }

  /// When it is due after so many repetitions.
  private func time(_ count: Int64, _ rules: ZoneRules) -> Timestamp {
    let rules = zone == nil ? .utc : rules
    guard count > 0, let interval else { return first(rules) }
    guard interval.isSpan, case .milliseconds(let length) = interval.length else {
      return rules.time(of: reading.adding(count * step, interval))
    }
    return Timestamp(milliseconds: first(rules).milliseconds + count * step * length)
  }

  /// The first time: the given moment itself, if the clocks then show the wanted reading.
  private func first(_ rules: ZoneRules) -> Timestamp {
    rules.reading(at: at) == reading ? at : rules.time(of: reading)
  }

  /// Whether repetitions are so far apart that counting them cannot overflow: up to two hundred years.
  package var isStepSound: Bool {
    guard let interval else { return step == 1 }
    switch interval.length {
    case .milliseconds(let length): return (1...6_311_520_000_000 / length).contains(step)
    case .months(let months): return (1...2400 / months).contains(step)
    }
  }

  /// What the clock shows at the first time.
  public var reading: ClockReading {
    ClockReading(milliseconds: at.milliseconds + (zone?.offset ?? 0) * 1000)
  }

  /// An estimate of the count of repetitions: never too high, and hardly too low.
  private func estimate(_ interval: CalendarUnit, from first: Timestamp, to since: Timestamp) -> Int64 {
    switch interval.length {
    case .milliseconds(let length): return (since.milliseconds - first.milliseconds) / (step * length) - 2
    case .months(let months):
      let passed = CalendarDay(number: since.seconds / 86_400).monthNumber - reading.date.monthNumber
      return passed / (step * months) - 2
    }
  }
}
