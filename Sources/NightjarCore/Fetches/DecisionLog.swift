import NightjarModel

/// What was decided about fetches and why: of each app the latest, by number.
struct DecisionLog: Sendable {
  /// In boxes: the oldest goes with nearly every new one, and all behind it move up.
  private var decisions = OrderedIndex<Int64, Boxed<FetchDecision>>()
  private var numbersOf: [AppID: OrderedIndex<Int64, Void>] = [:]
  /// The latest about each app, which is asked for far more often than any other.
  private var latestOf: [AppID: Boxed<FetchDecision>] = [:]

  /// The decision of this number.
  subscript(number: Int64) -> FetchDecision? { decisions[number]?.value }

  /// All of them, oldest first.
  var all: [FetchDecision] { decisions.values.map(\.value) }

  /// Decisions with a number above the one and below the other, oldest first, of one app or of all: the first of them, or
  /// the last where a number is given to end before.
  func entries(of app: AppID?, after: Int64?, before: Int64? = nil, limit: Int) -> [FetchDecision] {
    guard let app else { return decisions.entries(after: after, before: before, limit: limit).map(\.value.value) }
    let numbers = numbersOf[app]?.entries(after: after, before: before, limit: limit) ?? []
    return numbers.compactMap { self[$0.key] }
  }

  /// The one reason for which an app was to wait by the latest decision about it; nil if it was not, or there were several.
  func waitsFor(_ app: AppID) -> FetchObstacle.Code? {
    guard case .holding(let latest)? = latestOf[app] else { return nil }
    return latest.verdict == .waits && latest.obstacles.count == 1 ? latest.obstacles[0].code : nil
  }

  /// Whether the latest decision about an app was that it waits for these reasons.
  func waits(_ app: AppID, for obstacles: [FetchObstacle]) -> Bool {
    guard case .holding(let latest)? = latestOf[app] else { return false }
    return latest.verdict == .waits && latest.obstacles.elementsEqual(obstacles, by: { $0.code == $1.code })
  }

  /// The latest decision to refresh an app of which something has come; nil if none is remembered.
  func latestFetch(of app: AppID) -> FetchDecision? {
    var before = Int64.max
    while true {
      let some = entries(of: app, after: nil, before: before, limit: 8)
      if let found = some.last(where: { $0.isOfFetch && !$0.isOpen }) { return found }
      guard let first = some.first else { return nil }
      before = first.number
    }
  }

  /// Takes a decision in, or what has come of one.
  mutating func enter(_ decision: FetchDecision) {
    let boxed = Boxed(decision)
    decisions[decision.number] = boxed
    numbersOf[decision.app, default: .init()][decision.number] = ()
    if numbersOf[decision.app]?.last?.key == decision.number { latestOf[decision.app] = boxed }
  }

  /// Forgets the oldest about an app until there are no more than so many; their numbers.
  mutating func trim(_ app: AppID, to max: Int) -> [Int64] {
    var gone: [Int64] = []
    while let oldest = surplus(of: app, over: max) {
      numbersOf[app]?[oldest] = nil
      decisions[oldest] = nil
      gone.append(oldest)
    }
    return gone
  }

  private func surplus(of app: AppID, over max: Int) -> Int64? {
    guard let numbers = numbersOf[app], numbers.count > max else { return nil }
    return numbers.first?.key
  }

  /// Forgets all about an app; their numbers.
  mutating func forget(_ app: AppID) -> [Int64] {
    latestOf[app] = nil
    let gone = numbersOf.removeValue(forKey: app)?.entries(after: nil, limit: .max).map(\.key) ?? []
    for number in gone { decisions[number] = nil }
    return gone
  }
}
