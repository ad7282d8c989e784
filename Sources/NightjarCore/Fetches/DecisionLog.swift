import NightjarModel

/// What was decided about fetches and why: of each app the latest, by number.
struct DecisionLog: Sendable {
  /// In boxes: the oldest goes with nearly every new one, and all behind it move up.
  private var decisions = OrderedIndex<Int64, Boxed<FetchDecision>>()
  private var ofApp: [AppID: Part] = [:]

  /// What is remembered about one app.
  private struct Part: Sendable {
    var numbers = OrderedIndex<Int64, Void>()
    /// The latest, which is asked for far more often than any other.
    var latest: Boxed<FetchDecision>?

    /// Takes a decision in; the numbers of the oldest, which go so that there are no more than so many.
    mutating func enter(_ number: Int64, _ decision: Boxed<FetchDecision>, max: Int) -> [Int64] {
      numbers[number] = ()
      if numbers.last?.key == number { latest = decision }
      guard numbers.count > max else { return [] }
      let gone = numbers.entries(after: nil, limit: numbers.count - max).map(\.key)
      for oldest in gone { numbers[oldest] = nil }
      return gone
    }
  }

  /// The decision of this number.
  subscript(number: Int64) -> FetchDecision? { decisions[number]?.value }

  /// All of them, oldest first.
  var all: [FetchDecision] { decisions.values.map(\.value) }

  /// Decisions with a number above the one and below the other, oldest first, of one app or of all: the first of them, or
  /// the last where a number is given to end before.
  func entries(of app: AppID?, after: Int64?, before: Int64? = nil, limit: Int) -> [FetchDecision] {
    guard let app else { return decisions.entries(after: after, before: before, limit: limit).map(\.value.value) }
    let numbers = ofApp[app]?.numbers.entries(after: after, before: before, limit: limit) ?? []
    return numbers.compactMap { self[$0.key] }
  }

  /// The one reason for which an app was to wait by the latest decision about it; nil if it was not, or there were several.
  func waitsFor(_ app: AppID) -> FetchObstacle.Code? {
    guard case .holding(let latest)? = ofApp[app]?.latest else { return nil }
    return latest.verdict == .waits && latest.obstacles.count == 1 ? latest.obstacles[0].code : nil
  }

  /// Whether the latest decision about an app was that it waits for these reasons.
  func waits(_ app: AppID, for obstacles: [FetchObstacle]) -> Bool {
    guard case .holding(let latest)? = ofApp[app]?.latest else { return false }
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

  /// Takes a decision in, or what has come of one, and forgets the oldest about its app until there are no more than so many;
  /// their numbers.
  @discardableResult
  mutating func enter(_ decision: FetchDecision, max: Int = .max) -> [Int64] {
    let boxed = Boxed(decision)
    decisions[decision.number] = boxed
    let gone = ofApp[decision.app, default: Part()].enter(decision.number, boxed, max: max)
    for number in gone { decisions[number] = nil }
    return gone
  }

  /// Forgets all about an app; their numbers.
  mutating func forget(_ app: AppID) -> [Int64] {
    let gone = ofApp.removeValue(forKey: app)?.numbers.entries(after: nil, limit: .max).map(\.key) ?? []
    for number in gone { decisions[number] = nil }
    return gone
  }
}
