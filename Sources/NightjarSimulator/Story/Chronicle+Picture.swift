public import NightjarPictures

import NightjarModel

extension Chronicle {
  /// A drawing of what happened: the days of the most-used apps, the age of their content when they were opened, and
  /// the cost.
  ///
  /// Day by day it shows at most the last three weeks, and at most the six apps that were opened most.
  public func picture() -> Picture {
    let figures = figures()
    let fresh = figures.fresh30.map {
      " \(Int(($0 * 100).rounded())) % of the openings found content at most 30 minutes old."
    }
    let description =
      "\(scenario.about) \(scenario.days) days, \(scenario.apps.count) apps, opened \(figures.visits) times and refreshed "
      + "\(figures.fetches) times: \(figures.newData) with new data, \(figures.noData) without, \(figures.failed) failed, "
      + "\(figures.late) late.\(fresh ?? "")"
    let (shown, shownDays) = (shownApps, shownDays)
    var panels: [any Panel] = shown.enumerated().map { days(of: $1, shownDays, hasLegend: $0 == shown.count - 1) }
    panels += [ages(shown), fetchesByDay]
    if figures.joulesPerDay > 0 { panels.append(energyByDay) }
    return Picture(scenario.name, description: description, panels: panels)
  }

  /// The apps that are shown, in the scenario's order.
  private var shownApps: [Int] {
    var visitsOf = Array(repeating: 0, count: scenario.apps.count)
    for visit in visits { visitsOf[visit.app] += 1 }
    return Array(scenario.apps.indices.sorted { (visitsOf[$1], $0) < (visitsOf[$0], $1) }.prefix(6)).sorted()
  }

  // MARK: Day by day

  /// The last days by local time, three weeks at most: those of the scenario, and others that a journey leads into.
  private var shownDays: Range<Int> {
    let days = (visits.map(\.at) + ended.map(\.fetch.at)).map { local($0).day }
    let end = max(scenario.days, (days.max() ?? 0) + 1)
    return max(end - 21, min(days.min() ?? 0, 0))..<end
  }

  private func days(of app: Int, _ shown: Range<Int>, hasLegend: Bool) -> Timeline {
    var rows = shown.map { Timeline.Row(dayName($0)) }
    func spread(_ from: Int64, _ until: Int64, _ span: (ClosedRange<Double>) -> Timeline.Span) {
      let (start, end) = bounds(from, until)
      for day in start.day...end.day where shown.contains(day) {
        let hours =
          (day == start.day ? start.hour : 0)...max(day == end.day ? end.hour : 24, day == start.day ? start.hour : 0)
        rows[day - shown.lowerBound].spans.append(span(hours))
      }
    }
    for (from, until) in offline { spread(from, until) { .init($0, .grey, opacity: 0.3, says: "no network") } }
    for visit in visits where visit.app == app {
      spread(visit.at, visit.until) {
        .init($0, .blue, says: visit.age.map { "opened, content \(Self.words($0)) old" })
      }
    }
    for (fetch, outcome) in ended where fetch.app == app {
      let place = local(fetch.at)
      guard shown.contains(place.day) else { continue }
      rows[place.day - shown.lowerBound].marks.append(
        .init(at: place.hour, Self.ink(outcome), says: Self.words(outcome)))
    }
    return Timeline(
      scenario.apps[app].name, rows: rows, legend: hasLegend ? Self.meanings : [], rowHeight: rows.count > 10 ? 12 : 16)
  }

  /// The beginning and end of something in a drawing. If clocks are put back meanwhile by more than it lasts, its end
  /// is by the clocks of its beginning.
  private func bounds(
    _ from: Int64, _ until: Int64
  ) -> (start: (day: Int, hour: Double), end: (day: Int, hour: Double)) {
    let (start, end) = (local(from), local(until))
    guard (end.day, end.hour) < (start.day, start.hour) else { return (start, end) }
    let hours = start.hour + Double(until - from) / 3_600_000
    return (start, (start.day + Int(hours / 24), hours.truncatingRemainder(dividingBy: 24)))
  }

  /// When there was no network.
  private var offline: [(Int64, Int64)] {
    zip(weather, weather.dropFirst().map(\.at) + [end]).filter { !$0.0.conditions.isOnline }.map { ($0.0.at, $0.1) }
  }

  private func dayName(_ number: Int) -> String {
    let day = CalendarDay(number: scenario.start.number + Int64(number))
    return "\(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday]) \(number + 1)"
  }

  private static let meanings: [Timeline.Meaning] = [
    .init("in use", .blue), .init("no network", .grey, opacity: 0.3), .init("new data", .green, isMark: true),
    .init("no data", .orange, isMark: true), .init("failed", .red, isMark: true),
    .init("late", .purple, isMark: true),
  ]

  private static func ink(_ outcome: FetchOutcome) -> Ink {
    switch outcome {
    case .newData: .green
    case .noData: .orange
    case .failed: .red
    case .late: .purple
    }
  }

  private static func words(_ outcome: FetchOutcome) -> String {
    switch outcome {
    case .newData: "fetched new data"
    case .noData: "fetched, no new data"
    case .failed: "fetch failed"
    case .late: "fetch was late"
    }
  }

  private static func words(_ span: Int64) -> String {
    let minutes = span / 60_000
    return minutes < 120 ? "\(minutes) min" : minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
  }

  // MARK: Over all days

  private func ages(_ shown: [Int]) -> Plot {
    let inks: [Ink] = [.blue, .orange, .green, .purple, .red, .sky]
    let series = zip(shown, inks).map { app, ink in
      Series(scenario.apps[app].name, .dots, ink, thinned(app))
    }
    let limit = Series("30 minutes", .line, .grey, [Point(0, 30), Point(Double(scenario.days), 30)])
    let ticks: [Axis.Tick] = [
      .init(1, "1 min"), .init(5, "5 min"), .init(30, "30 min"), .init(120, "2 h"), .init(720, "12 h"),
      .init(2880, "2 days"),
    ]
    return Plot(
      "Age of the content when the app was opened", x: dayAxis,
      y: Axis("", 0.5...5760, .logarithmic, ticks: ticks), series: [limit] + series, fieldHeight: 200)
  }

  /// At most a thousand visits to an app, evenly chosen.
  private func thinned(_ app: Int) -> [Point] {
    let points = visits.compactMap { visit -> Point? in
      guard visit.app == app, let age = visit.age else { return nil }
      return Point(day(visit.at), min(max(Double(age) / 60_000, 0.5), 5760))
    }
    let step = points.count / 1000 + 1
    return points.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }

  private var fetchesByDay: Plot {
    let outcomes: [(FetchOutcome, String, Ink)] = [
      (.newData, "new data", .green), (.noData, "no data", .orange), (.failed, "failed", .red),
      (.late, "late", .purple),
    ]
    // Bars that stand on one another: the highest is drawn first.
    var heights = Array(repeating: 0.0, count: scenario.days)
    var series: [Series] = []
    for (outcome, name, ink) in outcomes {
      for (fetch, its) in ended where its == outcome {
        heights[min(max(local(fetch.at).day, 0), scenario.days - 1)] += 1
      }
      series.append(bars(heights, name, ink))
    }
    return Plot(
      "Fetches by day", x: dayAxis, y: .fitting("fetches", heights), series: series.reversed(), fieldHeight: 110)
  }

  private var energyByDay: Plot {
    var heights = Array(repeating: 0.0, count: scenario.days)
    for (fetch, _) in ended { heights[min(max(local(fetch.at).day, 0), scenario.days - 1)] += fetch.joules }
    return Plot(
      "Energy of the fetches by day, estimated", x: dayAxis, y: .fitting("joules", heights),
      series: [bars(heights, "", .sky)], fieldHeight: 90)
  }

  private func bars(_ heights: [Double], _ name: String, _ ink: Ink) -> Series {
    Series(name, .bars(width: 0.9), ink, heights.enumerated().map { Point(Double($0) + 0.5, $1) })
  }

  private var dayAxis: Axis {
    let step = max(1, (scenario.days + 13) / 14)
    let ticks = stride(from: 0, to: scenario.days, by: step).map { Axis.Tick(Double($0), dayName($0)) }
    return Axis("", 0...Double(scenario.days), ticks: ticks)
  }

  private func day(_ time: Int64) -> Double {
    let place = local(time)
    return Double(place.day) + place.hour / 24
  }
}
