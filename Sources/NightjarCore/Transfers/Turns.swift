import NightjarModel

/// Whose turn it is: for every class of needs the lanes that could start a transfer of it, in the order of their turns.
///
/// They are kept app by app, so that one can be passed over, however many lanes it has.
struct Turns: Sendable {
  /// The lanes of each app by class and turn.
  private var lanes: [AppID: [OrderedIndex<Int, Lanes.Lane>]] = [:]
  /// For every class the first turn of each app that is not passed over.
  private var heads = [OrderedIndex<Int, AppID>](repeating: .init(), count: Needs.count)
  private var passed: Set<AppID> = []

  var passesAny: Bool { !passed.isEmpty }

  /// The lane of a class whose turn it is.
  func first(of number: Int) -> (key: Int, value: Lanes.Lane)? {
    heads[number].first.flatMap { lanes[$0.value]?[number].first }
  }

  /// Shows a lane under a class at its turn, or no longer.
  mutating func show(_ lane: Lanes.Lane, at turn: Int, of number: Int, _ isShown: Bool) {
    let app = lane.app
    let before = first(of: number, app)
    lanes[app, default: Self.none][number][turn] = isShown ? lane : nil
    let after = first(of: number, app)
    guard before != after, !passed.contains(app) else { return }
    if let before { heads[number][before] = nil }
    if let after { heads[number][after] = app }
  }

  /// Passes over an app, or no longer.
  mutating func pass(over app: AppID, _ isPassed: Bool) {
    guard passed.contains(app) != isPassed else { return }
    if isPassed { passed.insert(app) } else { passed.remove(app) }
    for number in 0..<Needs.count {
      if let turn = first(of: number, app) { heads[number][turn] = isPassed ? nil : app }
    }
  }

  /// Drops an app that has no lane left.
  mutating func forget(_ app: AppID) { lanes[app] = nil }

  private func first(of number: Int, _ app: AppID) -> Int? { lanes[app]?[number].first?.key }

  private static let none = [OrderedIndex<Int, Lanes.Lane>](repeating: .init(), count: Needs.count)
}
