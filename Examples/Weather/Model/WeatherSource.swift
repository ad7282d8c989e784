public import Foundation

/// Where the weather comes from: a service, and the city that it is asked for.
public struct WeatherSource: Hashable, Sendable {
  /// The service's address with everything but the city:
  /// `https://api.openweathermap.org/data/2.5/weather?appid=KEY`.
  public var address: String
  /// A city, as the service names it: `Oslo`, or `Oslo,NO`.
  public var city: String

  public init(address: String, city: String) { (self.address, self.city) = (address, city) }

  private static let cityLengthMax = 100

  /// The question to the service.
  ///
  /// - Throws: ``WeatherTrouble`` if the address or the city makes no sense.
  public func question() throws(WeatherTrouble) -> URL {
    guard var parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
      parts.host?.isEmpty == false
    else {
      throw WeatherTrouble(
        .badAddress,
        "“\(shownAddress)” is no address of a service. Write one like \(Self.example) into the settings.")
    }
    let name = city.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty, name.count <= Self.cityLengthMax else {
      throw WeatherTrouble(.cityUnknown, "Write the name of a city into the settings, of at most 100 letters.")
    }
    let given = (parts.queryItems ?? []).filter { !["q", "units", "mode"].contains($0.name) }
    parts.queryItems = given + [URLQueryItem(name: "q", value: name)]
    // A plus is a plus in a URL, but many services read it as a space.
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let url = parts.url else {
      throw WeatherTrouble(.badAddress, "“\(shownAddress)” is no address of a service.")
    }
    return url
  }

  /// The address without what may be a key.
  private var shownAddress: String { String(address.prefix { $0 != "?" }.prefix(200)) }

  private static let example = "https://api.openweathermap.org/data/2.5/weather?appid=KEY"
}
