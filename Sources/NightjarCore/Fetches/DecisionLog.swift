import NightjarModel

/// The latest decisions about each app's fetches, with their reasons, by number.
struct DecisionLog: Sendable {
  private var ofApp: [AppID: Part] = [:]

  /// The decisions about one app, in the order of their numbers.
  private struct Part: Sendable {
    var latest = Latest<FetchDecision>()
    var waitCount = 0

    /// The index of the first decision whose number is not below this one.
    func index(of number: Int64) -> Int {
      let elements = latest.elements
      var (low, high) = (elements.startIndex, elements.endIndex)
      while low < high {
        let middle = (low + high) / 2
        if elements[middle].number < number { low = middle + 1 } else { high = middle }
      }
      return low
    }

    func holds(_ number: Int64, at index: Int) -> Bool {
      index < latest.elements.endIndex && latest[index].number == number
    }

    /// The decisions with a number above the one and below the other.
    func between(_ after: Int64?, _ before: Int64?) -> ArraySlice<FetchDecision> {
      let start = after.map { $0 == .max ? latest.elements.endIndex : index(of: $0 + 1) } ?? latest.elements.startIndex
      let end = before.map(index) ?? latest.elements.endIndex
      return latest.elements[start..<max(start, end)]
    }

    /// Inserts or replaces a decision, and drops old ones above `max`. Returns the numbers of those dropped.
    mutating func enter(_ decision: FetchDecision, max: Int) -> [Int64] {
      let index = index(of: decision.number)
      guard !holds(decision.number, at: index) else {
        latest[index] = decision  // It is decided anew no more: only what has come of it is added.
        return []
      }
      latest.insert(decision, at: index)
      if decision.verdict == .waits { waitCount += 1 }
      var gone: [Int64] = []
      while latest.count > max { gone.append(dropOldest(outOf: max)) }
      return gone
    }

    /// Drops the oldest decision, or the oldest to wait if those take up more than half of the room: their reasons may
    /// change every few seconds, and what was fetched is to be remembered all the same. Returns its number.
    private mutating func dropOldest(outOf max: Int) -> Int64 {
      let oldest = latest.elements.first { $0.verdict == .waits || waitCount <= Swift.max(max / 2, 1) }
      guard let number = oldest?.number else { preconditionFailure("\(waitCount) decisions to wait are not there") }
      if oldest?.verdict == .waits { waitCount -= 1 }
      if number == latest.elements.first?.number {
        latest.trim(to: latest.count - 1)
      } else {
        latest.remove(at: index(of: number))
      }
      return number
    }
  }

  /// The decision of this number about an app.
  func decision(_ number: Int64, of app: AppID) -> FetchDecision? {
    guard let part = ofApp[app] else { return nil }
    let index = part.index(of: number)
    return part.holds(number, at: index) ? part.latest[index] : nil
  }

  /// All of them, oldest first.
  var all: [FetchDecision] { entries(of: nil, after: nil, limit: .max) }

  /// At most `limit` decisions of one app or of all, oldest first, with numbers above `after` and below `before`: the
  /// first of them, or the last where `before` is given.
  func entries(of app: AppID?, after: Int64?, before: Int64? = nil, limit: Int) -> [FetchDecision] {
    let limit = max(limit, 0)
    func some(_ found: ArraySlice<FetchDecision>) -> ArraySlice<FetchDecision> {
      before == nil ? found.prefix(limit) : found.suffix(limit)
    }
    if let app { return Array(some(ofApp[app]?.between(after, before) ?? [])) }
    let found = ofApp.keys.sorted().flatMap { some(ofApp[$0]!.between(after, before)) }
    return Array(some(found.sorted { $0.number < $1.number }[...]))
  }

  /// The only reason to wait in the latest decision about an app; nil if it was not to wait, or for several reasons.
  func waitsFor(_ app: AppID) -> FetchObstacle.Code? { ofApp[app]?.latest.last?.soleObstacle }

  /// Whether the latest decision about an app was that it waits for these reasons.
  func waits(_ app: AppID, for obstacles: [FetchObstacle]) -> Bool {
    guard let latest = ofApp[app]?.latest.last else { return false }
    return latest.verdict == .waits && latest.obstacles.elementsEqual(obstacles, by: { $0.code == $1.code })
  }

  /// The latest decision to refresh an app among those that have an outcome; nil if none is remembered.
  func latestFetch(of app: AppID) -> FetchDecision? {
    ofApp[app]?.latest.elements.last { $0.isOfFetch && !$0.isOpen }
  }

  /// Inserts a decision, or replaces it once more is known, and drops old ones of its app above `max`: decisions to
  /// fetch keep half of the room. Returns the numbers of those dropped.
  @discardableResult
  mutating func enter(_ decision: FetchDecision, max: Int = .max) -> [Int64] {
    ofApp[decision.app, default: Part()].enter(decision, max: max)
  }

  /// Drops all decisions about an app. Returns their numbers.
  mutating func forget(_ app: AppID) -> [Int64] { ofApp.removeValue(forKey: app)?.latest.elements.map(\.number) ?? [] }
}
