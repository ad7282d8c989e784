/// How much a policy may spend.
public enum Budget: Hashable, Sendable {
  /// So many fetches for each app and day.
  case fetchesPerAppDay(Double)
  /// So many joules a day, on a mobile network of the fourth generation, with what is fetched at one time in one go.
  case joulesPerDay(Double)

  /// The budgets that are reported, as protocol v1 has them.
  public static let all: [Budget] =
    [2, 4, 8, 16].map { .fetchesPerAppDay($0) } + [200, 400, 800].map { .joulesPerDay($0) }

  var isOfFetches: Bool { if case .fetchesPerAppDay = self { true } else { false } }
}
