import NightjarModel
import NightjarSimulator

/// What happened in a scenario, as a document for programs and as lines for people.
struct SimulationReport {
  private let chronicle: Chronicle

  init(_ chronicle: Chronicle) { self.chronicle = chronicle }

  // MARK: For programs

  /// A year of many apps has hundreds of thousands of entries: they are written as they are walked.
  var json: String {
    let names = chronicle.scenario.apps.map(\.name)
    return JSONWriter.text { json in
      json.list("apps", of: zip(names, chronicle.figuresOfApps)) { json, app in
        json.object("figures") { Self.write(app.1, to: &$0) }
        json.field("name", app.0)
      }
      json.field("days", chronicle.scenario.days)
      json.field("digest", String(chronicle.digest.value, radix: 16))
      json.list("fetches", of: chronicle.ended) { Self.write($1.fetch, $1.outcome, of: names[$1.fetch.app], to: &$0) }
      json.field("scenario", chronicle.scenario.name)
      json.field("seed", chronicle.seed)
      json.object("total") { Self.write(chronicle.figures(), to: &$0) }
      json.field("turns", chronicle.turns)
      json.list("visits", of: chronicle.visits) { Self.write($1, of: names[$1.app], to: &$0) }
    }
  }

  private static func write(_ figures: Chronicle.Figures, to json: inout JSONWriter) {
    json.field("age_median_minutes", figures.ageMedian.map(rounded))
    json.field("age_p90_minutes", figures.age90.map(rounded))
    json.field("failed", figures.failed)
    json.field("fetches", figures.fetches)
    json.field("fetches_per_app_day", rounded(figures.fetchesPerAppDay))
    json.field("fresh15", figures.fresh15.map(rounded))
    json.field("fresh30", figures.fresh30.map(rounded))
    json.field("fresh60", figures.fresh60.map(rounded))
    json.field("joined", figures.joined)
    json.field("joules_per_day", rounded(figures.joulesPerDay))
    json.field("late", figures.late)
    json.field("new_data", figures.newData)
    json.field("newest", figures.newest.map(rounded))
    json.field("no_data", figures.noData)
    json.field("visits", figures.visits)
    json.field("wakes_per_day", rounded(figures.wakesPerDay))
    json.field("wasted", rounded(figures.wasted))
  }

  private static func write(
    _ fetch: Chronicle.Fetch, _ outcome: FetchOutcome, of app: String, to json: inout JSONWriter
  ) {
    json.field("app", app)
    json.field("at", fetch.at)
    json.field("joins", fetch.joins)
    json.field("joules", rounded(fetch.joules))
    json.field("manner", fetch.manner.rawValue)
    json.field("outcome", outcome.rawValue)
    json.field("until", fetch.until)
  }

  private static func write(_ visit: Chronicle.Visit, of app: String, to json: inout JSONWriter) {
    json.field("age_minutes", visit.age.map { rounded(Double($0) / 60_000) })
    json.field("app", app)
    json.field("at", visit.at)
    json.field("newest", visit.hasNewest)
    json.field("until", visit.until)
  }

  private static func rounded(_ value: Double) -> Double { value.rounded(decimals: 3) }

  // MARK: For people

  func lines(in context: Context) -> [String] {
    var table = Table(
      [.init(heading: "APP", columnsMax: 24)]
        + ["OPENED", "MEDIAN AGE", "≤ 30 MIN", "FETCHES/DAY", "NEW", "NONE", "FAILED", "LATE", "J/DAY"].map {
          .init(heading: $0, side: .right)
        })
    for (app, figures) in zip(chronicle.scenario.apps, chronicle.figuresOfApps) {
      table.append(Self.cells(app.name, figures))
    }
    let total = chronicle.figures()
    if chronicle.scenario.apps.count > 1 {
      table.append(Self.cells("all together", total, apps: chronicle.scenario.apps.count))
    }
    let days = chronicle.scenario.days
    let head = "\(DisplayText(chronicle.scenario.name)): \(days) day\(days == 1 ? "" : "s"), seed \(chronicle.seed)."
    return [head, ""] + context.lines(of: table, ifEmpty: "") + ["", Self.closing(total)]
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
