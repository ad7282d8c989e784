import NightjarModel

extension Chronicle {
  /// The results of a scenario in figures.
  public struct Figures: Hashable, Sendable {
    /// How often apps were opened.
    public var visits = 0
    /// The median and the ninth decile of the content's age, in minutes, over the visits whose content had an age; nil
    /// without any.
    public var ageMedian: Double?, age90: Double?
    /// The share of those visits whose content was at most 15, 30 and 60 minutes old; nil without any.
    public var fresh15: Double?, fresh30: Double?, fresh60: Double?
    /// The share of those visits that found the server's newest content; nil without any.
    public var newest: Double?
    /// How many fetches had each outcome.
    public var newData = 0, noData = 0, failed = 0, late = 0
    /// How many of them joined others.
    public var joined = 0
    /// Fetches per app and day, and how often per day the device was woken for them.
    public var fetchesPerAppDay = 0.0, wakesPerDay = 0.0
    /// The share of the fetches that were followed by another before the app was opened.
    public var wasted = 0.0
    /// The estimated energy per day.
    public var joulesPerDay = 0.0

    /// How many fetches have ended.
    public var fetches: Int { newData + noData + failed + late }
  }

  /// The figures of one app, by its place among the scenario's, or of all together.
  public func figures(of app: Int? = nil) -> Figures {
    guard let app else { return figures(visits, ended, apps: scenario.apps.count) }
    return figures(visits.filter { $0.app == app }, ended.filter { $0.fetch.app == app }, apps: 1)
  }

  /// The figures of each app, in the scenario's order.
  public var figuresOfApps: [Figures] {
    let (visits, fetches) = (Dictionary(grouping: visits, by: \.app), Dictionary(grouping: ended, by: \.fetch.app))
    return scenario.apps.indices.map { figures(visits[$0] ?? [], fetches[$0] ?? [], apps: 1) }
  }

  private func figures(_ visits: [Visit], _ fetches: [(fetch: Fetch, outcome: FetchOutcome)], apps: Int) -> Figures {
    var figures = Figures()
    figures.visits = visits.count
    figures.weigh(visits.filter { $0.age != nil })
    figures.count(fetches)
    let days = Double(scenario.days)
    figures.fetchesPerAppDay = Double(fetches.count) / days / Double(apps)
    figures.wakesPerDay = Double(wakes(fetches.map(\.fetch))) / days
    figures.wasted = fetches.isEmpty ? 0 : Double(wasted(fetches.map(\.fetch), visits)) / Double(fetches.count)
    figures.joulesPerDay = fetches.reduce(0) { $0 + $1.fetch.joules } / days
    return figures
  }

  /// Counts the fetches of one window as one wake.
  private func wakes(_ fetches: [Fetch]) -> Int {
    Set(fetches.compactMap(\.window)).count + fetches.count { $0.window == nil }
  }

  /// How many of the fetches were followed by another of their app before a visit.
  private func wasted(_ fetches: [Fetch], _ visits: [Visit]) -> Int {
    var areUnseen = Array(repeating: false, count: scenario.apps.count)
    var (count, visit) = (0, 0)
    for fetch in fetches {
      while visit < visits.count, visits[visit].at <= fetch.at {
        areUnseen[visits[visit].app] = false
        visit += 1
      }
      if areUnseen[fetch.app] { count += 1 }
      areUnseen[fetch.app] = true
    }
    return count
  }
}

extension Chronicle.Figures {
  fileprivate mutating func weigh(_ visits: [Chronicle.Visit]) {
    guard !visits.isEmpty else { return }
    let ages = visits.map { $0.age ?? 0 }.sorted()
    let share = { (minutes: Int64) in Double(ages.count { $0 <= minutes * 60_000 }) / Double(ages.count) }
    (fresh15, fresh30, fresh60) = (share(15), share(30), share(60))
    ageMedian = ages.quantile(0.5) / 60_000
    age90 = ages.quantile(0.9) / 60_000
    newest = Double(visits.count { $0.hasNewest }) / Double(visits.count)
  }

  fileprivate mutating func count(_ fetches: [(fetch: Chronicle.Fetch, outcome: FetchOutcome)]) {
    for (fetch, outcome) in fetches {
      switch outcome {
      case .newData: newData += 1
      case .noData: noData += 1
      case .failed: failed += 1
      case .late: late += 1
      }
      if fetch.joins { joined += 1 }
    }
  }
}
