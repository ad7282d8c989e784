import NightjarModel
import NightjarSimulator

/// What happened in a scenario, as a document for programs and as lines for people.
struct SimulationReport: Encodable {
  struct App: Encodable {
    var name: String
    var figures: Figures
  }

  struct Figures: Encodable {
    var visits: Int
    var ageMedianMinutes: Double?, ageP90Minutes: Double?
    var fresh15: Double?, fresh30: Double?, fresh60: Double?, newest: Double?
    var fetches: Int, newData: Int, noData: Int, failed: Int, late: Int, joined: Int
    var fetchesPerAppDay: Double, wakesPerDay: Double, wasted: Double, joulesPerDay: Double

    enum CodingKeys: String, CodingKey {
      case visits, fresh15, fresh30, fresh60, newest, fetches, failed, late, joined, wasted
      case ageMedianMinutes = "age_median_minutes", ageP90Minutes = "age_p90_minutes"
      case newData = "new_data", noData = "no_data"
      case fetchesPerAppDay = "fetches_per_app_day", wakesPerDay = "wakes_per_day", joulesPerDay = "joules_per_day"
    }

    init(_ figures: Chronicle.Figures) {
      visits = figures.visits
      (ageMedianMinutes, ageP90Minutes) = (figures.ageMedian.map(Self.rounded), figures.age90.map(Self.rounded))
      (fresh15, fresh30) = (figures.fresh15.map(Self.rounded), figures.fresh30.map(Self.rounded))
      (fresh60, newest) = (figures.fresh60.map(Self.rounded), figures.newest.map(Self.rounded))
      (fetches, newData, noData) = (figures.fetches, figures.newData, figures.noData)
      (failed, late, joined) = (figures.failed, figures.late, figures.joined)
      (fetchesPerAppDay, wakesPerDay) = (Self.rounded(figures.fetchesPerAppDay), Self.rounded(figures.wakesPerDay))
      (wasted, joulesPerDay) = (Self.rounded(figures.wasted), Self.rounded(figures.joulesPerDay))
    }

    static func rounded(_ value: Double) -> Double { value.rounded(decimals: 3) }
  }

  struct Visit: Encodable {
    var app: String
    var at: Int64, until: Int64
    var ageMinutes: Double?
    var newest: Bool

    enum CodingKeys: String, CodingKey {
      case app, at, until, newest
      case ageMinutes = "age_minutes"
    }
  }

  struct Fetch: Encodable {
    var app: String
    var at: Int64, until: Int64
    var outcome: String, manner: String
    var joins: Bool
    var joules: Double
  }

  var scenario: String
  var days: Int
  var seed: UInt64
  var turns: Int
  var digest: String
  var total: Figures
  var apps: [App]
  var visits: [Visit]
  var fetches: [Fetch]

  init(_ chronicle: Chronicle) {
    let names = chronicle.scenario.apps.map(\.name)
    (scenario, days, seed) = (chronicle.scenario.name, chronicle.scenario.days, chronicle.seed)
    (turns, digest) = (chronicle.turns, String(chronicle.digest.value, radix: 16))
    total = Figures(chronicle.figures())
    apps = zip(names, chronicle.figuresOfApps).map { App(name: $0, figures: Figures($1)) }
    visits = chronicle.visits.map { visit in
      Visit(
        app: names[visit.app], at: visit.at, until: visit.until,
        ageMinutes: visit.age.map { Figures.rounded(Double($0) / 60_000) }, newest: visit.hasNewest)
    }
    fetches = chronicle.ended.map { fetch, outcome in
      Fetch(
        app: names[fetch.app], at: fetch.at, until: fetch.until,
        outcome: outcome.rawValue, manner: fetch.manner.rawValue, joins: fetch.joins,
        joules: Figures.rounded(fetch.joules))
    }
  }

  // MARK: For people

  static func lines(_ chronicle: Chronicle, in context: Context) -> [String] {
    var table = Table(
      [.init(heading: "APP", columnsMax: 24)]
        + ["OPENED", "MEDIAN AGE", "≤ 30 MIN", "FETCHES/DAY", "NEW", "NONE", "FAILED", "LATE", "J/DAY"].map {
          .init(heading: $0, side: .right)
        })
    for (app, figures) in zip(chronicle.scenario.apps, chronicle.figuresOfApps) {
      table.append(cells(app.name, figures))
    }
    let total = chronicle.figures()
    if chronicle.scenario.apps.count > 1 {
      table.append(cells("all together", total, apps: chronicle.scenario.apps.count))
    }
    let days = chronicle.scenario.days
    let head = "\(DisplayText(chronicle.scenario.name)): \(days) day\(days == 1 ? "" : "s"), seed \(chronicle.seed)."
    return [head, ""] + context.lines(of: table, ifEmpty: "") + ["", closing(total)]
  }

  private static func closing(_ total: Chronicle.Figures) -> String {
    "The device was woken \(total.wakesPerDay.fixed(1)) times a day; \(total.joined) of \(total.fetches) fetches joined others."
  }

  private static func cells(_ name: String, _ figures: Chronicle.Figures, apps: Int = 1) -> [Table.Cell] {
    [
      .init(name), .init("\(figures.visits)"), .init(figures.ageMedian.map(age) ?? "-"),
      .init(figures.fresh30.map(percent) ?? "-"),
      .init((figures.fetchesPerAppDay * Double(apps)).fixed(1)), .init("\(figures.newData)"),
      .init("\(figures.noData)"), .init("\(figures.failed)"), .init("\(figures.late)"),
      .init(figures.joulesPerDay.fixed(0)),
    ]
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private static func age(_ minutes: Double) -> String {
    minutes < 120
      ? "\(minutes.fixed(0)) min"
      : minutes < 2880 ? "\((minutes / 60).fixed(1)) h" : "\((minutes / 1440).fixed(1)) days"
  }
}
