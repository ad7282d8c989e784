public import Foundation

/// What the weather was in a city at a moment. Only city, moment and temperature are always known.
public struct Reading: Hashable, Codable, Sendable {
  /// The city, as the service spells it.
  public var city: String
  /// When it was measured; by this a new reading is told from the one that is there.
  public var measured: Date
  public var temperature: Temperature
  public var feelsLike: Temperature?
  public var low: Temperature?
  public var high: Temperature?
  public var sky: Sky
  /// What the sky is like, in the service's words.
  public var description: String?
  /// In percent.
  public var humidity: Int?
  /// In hectopascals.
  public var pressure: Int?
  public var wind: Wind?
  public var sunrise: Date?
  public var sunset: Date?
  /// The city's time is ahead of UTC by so many seconds.
  public var offset: Int

  /// Where the wind comes from, and how fast.
  public struct Wind: Hashable, Codable, Sendable {
    /// In metres a second.
    public var speed: Double
    /// 0 for north, 90 for east.
    public var degrees: Int?

    /// `4.1 m/s from the south-west`.
    public var words: String {
      let speed = "\((speed * 10).rounded() / 10) m/s"
      guard let degrees else { return speed }
      return "\(speed) from the \(Self.points[(degrees % 360 * 2 + 45) / 90 % 8])"
    }

    private static let points = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
  }

  /// Whether the sun was up there at a moment, as far as is known.
  public func isDay(at moment: Date) -> Bool {
    guard let sunrise, let sunset else { return true }
    return sunrise <= moment && moment < sunset
  }

  /// A moment by the city's clocks: `07:05`.
  public func clock(_ moment: Date) -> String {
    let day = 86400
    let seconds = (Int(moment.timeIntervalSince1970.rounded(.down)) + offset) % day
    let minutes = (seconds + day) % day / 60
    return "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }
}

/// What is seen when one looks up.
public enum Sky: String, Hashable, Codable, Sendable {
  case clear, clouds, mist, rain, snow, thunder, unknown

  /// By the numbers of OpenWeatherMap's conditions, of which the hundreds are the kind
  /// (https://openweathermap.org/weather-conditions).
  public init(condition: Int?) {
    self =
      switch condition {
      case .some(200..<300): .thunder
      case .some(300..<600): .rain
      case .some(600..<700): .snow
      case .some(700..<800): .mist
      case 800: .clear
      case .some(801..<900): .clouds
      default: .unknown
      }
  }
}
