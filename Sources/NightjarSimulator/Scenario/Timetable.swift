import NightjarModel

/// Everything that will happen in a scenario, minute by minute, as its rules and a seed yield it.
///
/// Every line of the scenario draws from its own dice, seeded anew for each day: a change to one line does not affect
/// the others.
struct Timetable: Sendable {
  /// What happens.
  enum Incident: Hashable, Sendable {
    /// The person opens an app, for this number of milliseconds.
    case opens(app: Int, for: Int64)
    /// Something about the device begins or ends.
    case begins(Scenario.Stretch.Kind)
    case ends(Scenario.Stretch.Kind)
    /// The battery's charge changes to this.
    case battery(percent: Int)
    /// What is done at a time of day. Daylight saving is not included: the rules contain it from the beginning.
    case act(Scenario.Act.Kind)
  }

  /// One incident, in milliseconds since 1970.
  struct Entry: Hashable, Sendable {
    var at: Int64
    var incident: Incident
  }

  /// What happens, in the order of time.
  private(set) var entries: [Entry] = []
  /// The zone rules of the whole scenario.
  let rules: ZoneRules
  private let clocks: ClockPlan
  /// When it begins and ends, in milliseconds since 1970.
  let start: Int64, end: Int64

  init(_ scenario: Scenario, seed: UInt64) {
    clocks = ClockPlan(scenario)
    rules = clocks.rules
    let days = scenario.calendar
    start = rules.time(of: ClockReading(scenario.start)).milliseconds
    let last = CalendarDay(number: scenario.start.number + Int64(days.count))
    end = rules.time(of: ClockReading(last)).milliseconds
    for (line, visits) in scenario.visits.enumerated() { plan(visits, line, days, seed) }
    for (line, stretch) in scenario.stretches.enumerated() { plan(stretch, line, days, seed) }
    for setting in clocks.settings where setting.isJourney { note(.act(setting.kind), at: setting.at) }
    for act in scenario.acts where !act.kind.setsClocks {
      for (number, day) in days where act.days.contains(number: number, day) {
        note(.act(act.kind), at: time(day, minute: act.minute))
      }
    }
    planBattery(scenario)
    sort()
  }

  /// Orders what happens at the same moment. A stretch begins before another ends, so that there is no gap between the
  /// two, and a journey comes before other acts. An app is opened before all that, unless the machine must wake first.
  /// Otherwise the order is that of the lines.
  private mutating func sort() {
    let wakings = Set(entries.filter { $0.incident == .ends(.asleep) }.map(\.at))
    let ranked = entries.enumerated().map { place, entry in
      (entry: entry, rank: entry.incident.rank(amidWaking: wakings.contains(entry.at)), place: place)
    }
    entries = ranked.sorted { ($0.entry.at, $0.rank, $0.place) < ($1.entry.at, $1.rank, $1.place) }.map(\.entry)
  }

  /// The zone rules that the device can know at a moment: not those of a journey to come.
  func rules(knownAt now: Int64) -> ZoneRules { clocks.rules(knownAt: now) }

  // MARK: The person

  private mutating func plan(
    _ visits: Scenario.Visits, _ line: Int, _ days: [(number: Int, day: CalendarDay)], _ seed: UInt64
  ) {
    for (number, day) in days where visits.days.contains(number: number, day) {
      var dice = Dice(seed: Self.mixed(seed, UInt64(line), UInt64(number)))
      switch visits.times {
      case .at(let minute, let slack):
        let shift = slack == 0 ? 0 : dice.draw(Int64(-slack)...Int64(slack))
        // Every day has its visit, also the first and the last.
        open(visits, at: min(max(time(day, minute: minute) + shift * 1000, start), end - 1000), &dice)
      case .count(let count, let from, let to):
        let length = Int64(to > from ? to - from : to + 1440 - from) * 60
        for _ in 0..<count { open(visits, at: time(day, minute: from) + dice.draw(0...length - 1) * 1000, &dice) }
      }
    }
  }

  private mutating func open(_ visits: Scenario.Visits, at time: Int64, _ dice: inout Dice) {
    let length = max(dice.draw(visits.lasts * 500...visits.lasts * 1500), 1000)
    note(.opens(app: visits.app, for: length), at: time)
  }

  // MARK: The device

  private mutating func plan(
    _ stretch: Scenario.Stretch, _ line: Int, _ days: [(number: Int, day: CalendarDay)], _ seed: UInt64
  ) {
    for (number, day) in days where stretch.days.contains(number: number, day) {
      let from = time(day, minute: stretch.from)
      let until = max(end(of: stretch, begunOn: day), from)
      guard stretch.kind == .flaky else {
        bound(stretch.kind, from, until)
        continue
      }
      var dice = Dice(seed: Self.mixed(seed, UInt64(1 << 32 + line), UInt64(number)))
      var time = from + dice.draw(60_000...900_000)
      while time < until {
        let back = min(time + dice.draw(60_000...600_000), until)
        bound(.network(.none), time, back)
        time = back + dice.draw(120_000...900_000)
      }
    }
  }

  /// The end of a stretch by local time, like its beginning: a night in which clocks are put forward is shorter.
  private func end(of stretch: Scenario.Stretch, begunOn day: CalendarDay) -> Int64 {
    let isOnNextDay = stretch.to <= stretch.from || stretch.to == 1440
    return time(CalendarDay(number: day.number + (isOnNextDay ? 1 : 0)), minute: stretch.to % 1440)
  }

  private mutating func bound(_ kind: Scenario.Stretch.Kind, _ from: Int64, _ until: Int64) {
    note(.begins(kind), at: from)
    note(.ends(kind), at: until)
  }

  /// Plans the battery, computed every ten minutes and reported in steps of five percent.
  private mutating func planBattery(_ scenario: Scenario) {
    let charging = entries.filter { $0.incident == .begins(.charging) || $0.incident == .ends(.charging) }
      .sorted { $0.at < $1.at }
    guard scenario.batteryLasts != nil || !charging.isEmpty else { return }
    let (lasts, charges) = (Double(scenario.batteryLasts ?? 20 * 60), Double(scenario.batteryCharges))
    var (level, told, plugged, next) = (100.0, -1, 0, 0)
    for time in stride(from: start, to: end, by: 600_000) {
      while next < charging.count, charging[next].at <= time {
        plugged += charging[next].incident == .begins(.charging) ? 1 : -1
        next += 1
      }
      level = min(max(level + (plugged > 0 ? 1000 / charges : -1000 / lasts), 0), 100)
      guard told != Int(level / 5) * 5 else { continue }
      told = Int(level / 5) * 5
      note(.battery(percent: told), at: time)
    }
  }

  // MARK: Time

  private mutating func note(_ incident: Incident, at time: Int64) {
    if time >= start || isState(incident), time < end {
      entries.append(Entry(at: max(time, start), incident: incident))
    }
  }

  private func isState(_ incident: Incident) -> Bool {
    switch incident {
    case .begins, .ends, .act, .battery: true
    case .opens: false
    }
  }

  private func time(_ day: CalendarDay, minute: Int) -> Int64 {
    rules.time(of: ClockReading(day, millisecondsOfDay: Int64(minute) * 60_000)).milliseconds
  }

  private static func mixed(_ seed: UInt64, _ line: UInt64, _ day: UInt64) -> UInt64 {
    var dice = Dice(seed: seed ^ (line &* 0xD6E8_FEB8_6659_FD93) ^ (day &* 0xA076_1D64_78BD_642F))
    return dice.next()
  }
}

extension Timetable.Incident {
  /// The rank among what happens at the same moment, at which the machine may wake.
  fileprivate func rank(amidWaking wakes: Bool) -> Int {
    switch self {
    case .opens: wakes ? 3 : 0
    case .begins: 1
    case .ends: 2
    case .act, .battery: 4
    }
  }
}
