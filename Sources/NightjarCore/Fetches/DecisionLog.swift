import NightjarModel

/// The latest decisions about each app's fetches, with their reasons, by number.
struct DecisionLog: Sendable {
  private var ofApp: [AppID: Part] = [:]

  /// The decisions about one app: those to wait, and the others.
  private struct Part: Sendable {
    var waiting = Latest<FetchDecision>()
    var acting = Latest<FetchDecision>()

    var count: Int { waiting.count + acting.count }

    subscript(number: Int64) -> FetchDecision? { acting[number: number] ?? waiting[number: number] }

    /// The latest of all, if it is to wait.
    var latestWait: FetchDecision? {
      (waiting.lastNumber ?? .min) > (acting.lastNumber ?? .min) ? waiting.last : nil
    }

    /// The decisions with a number above the one and below the other, in order.
    func between(_ after: Int64?, _ before: Int64?) -> [FetchDecision] {
      (waiting.between(after, before) + acting.between(after, before)).sorted { $0.number < $1.number }
    }

    /// Inserts or replaces a decision, and drops old ones above `max`. Returns the numbers of those dropped.
    mutating func enter(_ decision: FetchDecision, max: Int) -> [Int64] {
      if decision.verdict == .waits { waiting.enter(decision) } else { acting.enter(decision) }
      var gone: [Int64] = []
      while count > max { gone.append(dropOldest(outOf: max)) }
      return gone
    }

    /// Drops the oldest decision, or the oldest to wait if those take up more than half of the room: their reasons may
    /// change every few seconds, and what was fetched is to be remembered all the same. Returns its number.
    private mutating func dropOldest(outOf max: Int) -> Int64 {
      let isOldest = (waiting.firstNumber ?? .max) < (acting.firstNumber ?? .max)
      return isOldest || waiting.count > Swift.max(max / 2, 1) ? waiting.dropFirst() : acting.dropFirst()
    }
  }

  /// The apps that anything was decided about, in order.
  var apps: [AppID] { ofApp.keys.sorted() }

  /// The decision of this number about an app.
  func decision(_ number: Int64, of app: AppID) -> FetchDecision? { ofApp[app]?[number] }

  /// All of them, oldest first.
  var all: [FetchDecision] { entries(of: nil, after: nil, limit: .max) }

  /// At most `limit` decisions of one app or of all, oldest first, with numbers above `after` and below `before`: the
  /// first of them, or the last where `before` is given.
  func entries(of app: AppID?, after: Int64?, before: Int64? = nil, limit: Int) -> [FetchDecision] {
    let limit = max(limit, 0)
    func some(_ found: [FetchDecision]) -> ArraySlice<FetchDecision> {
      before == nil ? found.prefix(limit) : found.suffix(limit)
    }
    if let app { return Array(some(ofApp[app]?.between(after, before) ?? [])) }
    let found = ofApp.keys.sorted().flatMap { some(ofApp[$0]!.between(after, before)) }
    return Array(some(found.sorted { $0.number < $1.number }))
  }

  /// The only reason to wait in the latest decision about an app; nil if it was not to wait, or for several reasons.
  func waitsFor(_ app: AppID) -> FetchObstacle.Code? { ofApp[app]?.latestWait?.soleObstacle }

  /// Whether the latest decision about an app was that it waits for these reasons.
  func waits(_ app: AppID, for obstacles: [FetchObstacle]) -> Bool {
    guard let latest = ofApp[app]?.latestWait else { return false }
    return latest.obstacles.elementsEqual(obstacles, by: { $0.code == $1.code })
  }

  /// The latest decision to refresh an app among those that have an outcome; nil if none is remembered.
  func latestFetch(of app: AppID) -> FetchDecision? {
    ofApp[app]?.acting.elements.last { $0.isOfFetch && !$0.isOpen }
  }

  /// Inserts a decision, or replaces it once more is known, and drops old ones of its app above `max`: decisions to
  /// fetch keep half of the room. Returns the numbers of those dropped.
  @discardableResult
  mutating func enter(_ decision: FetchDecision, max: Int = .max) -> [Int64] {
    ofApp[decision.app, default: Part()].enter(decision, max: max)
  }

  /// Drops all decisions about an app. Returns their numbers.
  mutating func forget(_ app: AppID) -> [Int64] {
    ofApp.removeValue(forKey: app)?.between(nil, nil).map(\.number) ?? []
  }
}

/// Decisions in the order of their numbers.
extension Latest<FetchDecision> {
  fileprivate var firstNumber: Int64? { count > 0 ? self[elements.startIndex].number : nil }
  fileprivate var lastNumber: Int64? { count > 0 ? self[elements.endIndex - 1].number : nil }

  /// The index of the first decision whose number is not below this one: mostly the newest, or the end.
  private func index(of number: Int64) -> Int {
    let elements = elements
    guard let newest = lastNumber, number < newest else { return elements.endIndex - (number == lastNumber ? 1 : 0) }
    var (low, high) = (elements.startIndex, elements.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func holds(_ number: Int64, at index: Int) -> Bool {
    index < elements.endIndex && self[index].number == number
  }

  fileprivate subscript(number number: Int64) -> FetchDecision? {
    let index = index(of: number)
    return holds(number, at: index) ? self[index] : nil
  }

  /// The decisions with a number above the one and below the other.
  fileprivate func between(_ after: Int64?, _ before: Int64?) -> ArraySlice<FetchDecision> {
    let start = after.map { $0 == .max ? elements.endIndex : index(of: $0 + 1) } ?? elements.startIndex
    let end = before.map(index) ?? elements.endIndex
    return elements[start..<max(start, end)]
  }

  /// Inserts a decision, or replaces it: it is decided anew no more, only what has come of it is added.
  fileprivate mutating func enter(_ decision: FetchDecision) {
    let index = index(of: decision.number)
    if holds(decision.number, at: index) { self[index] = decision } else { insert(decision, at: index) }
  }

  /// Drops the oldest. Returns its number.
  fileprivate mutating func dropFirst() -> Int64 {
    defer { trim(to: count - 1) }
    return self[elements.startIndex].number
  }
}
