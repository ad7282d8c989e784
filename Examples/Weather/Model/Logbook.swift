public import Foundation

/// What the app remembers over its lives: the newest reading, when it was fetched, and what went wrong last.
public struct Logbook: Hashable, Codable, Sendable {
  /// What became of a fetch; the names are Apple's.
  public enum Outcome: String, Hashable, Sendable {
    /// There is a reading that was not there before.
    case newData
    /// The service still has the reading that is there.
    case noData
    /// There is no answer that makes sense.
    case failed
  }

  /// What went wrong, and when.
  public struct Failure: Hashable, Codable, Sendable {
    public var trouble: WeatherTrouble
    public var at: Date
  }

  /// The city that was asked for; the reading of another is of no use.
  public private(set) var city = ""
  public private(set) var reading: Reading?
  /// When the service last answered with the weather.
  public private(set) var fetched: Date?
  /// Whether that was done while the app was not on the screen.
  public private(set) var wasInBackground = false
  /// What went wrong since then.
  public private(set) var failure: Failure?

  public init() {}

  /// Writes down what came of a fetch, and says what it was worth.
  public mutating func take(
    _ result: Result<Reading, WeatherTrouble>, of city: String, at moment: Date, inBackground: Bool
  ) -> Outcome {
    if city != self.city { self = Logbook() }
    self.city = city
    switch result {
    case .failure(let trouble):
      failure = Failure(trouble: trouble, at: moment)
      return .failed
    case .success(let found):
      (failure, fetched, wasInBackground) = (nil, moment, inBackground)
      guard found != reading else { return .noData }
      reading = found
      return .newData
    }
  }

  /// What was kept. A file that is missing or damaged is a new logbook: everything in it can be fetched again.
  public static func open(_ file: URL) -> Logbook {
    guard let data = try? Data(contentsOf: file) else { return Logbook() }
    return (try? JSONDecoder().decode(Logbook.self, from: data)) ?? Logbook()
  }

  /// Keeps it, whole or not at all.
  public func save(to file: URL) throws { try JSONEncoder().encode(self).write(to: file, options: .atomic) }
}
