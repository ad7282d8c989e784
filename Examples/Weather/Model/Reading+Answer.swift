public import Foundation

extension Reading {
  /// How many bytes an answer may have; a real one has about five hundred.
  public static let answerBytesMax = 64 * 1024

  /// Reads what the service has answered.
  ///
  /// - Parameters:
  ///   - city: The city that was asked for; it names the reading if the service does not.
  ///   - status: The status of HTTP.
  /// - Throws: ``WeatherTrouble`` for everything that is not the weather.
  public init(answer: Data, status: Int, city: String) throws(WeatherTrouble) {
    guard status == 200 else { throw WeatherTrouble(status: status, answer: answer, city: city) }
    guard answer.count <= Self.answerBytesMax else {
      throw WeatherTrouble(.unreadable, "The service answered with more than \(Self.answerBytesMax) bytes.")
    }
    let found: ReadingAnswer
    do { found = try JSONDecoder().decode(ReadingAnswer.self, from: answer) } catch {
      throw WeatherTrouble(
        .unreadable,
        "The service's answer is not the weather in JSON. Is its address right? \(WeatherTrouble.place(error))")
    }
    try self.init(found, city: city)
  }

  init(_ found: ReadingAnswer, city: String) throws(WeatherTrouble) {
    guard let kelvin = found.main?.temp else { throw WeatherTrouble.missing("temperature", "main.temp") }
    guard let temperature = Temperature(kelvin: kelvin) else {
      throw WeatherTrouble(
        .unreadable, "The service says that it is \(kelvin) K (main.temp), which is no temperature of air.")
    }
    guard let measured = Self.moment(found.dt) else { throw WeatherTrouble.missing("time of measurement", "dt") }
    let name = found.name.map { String($0.prefix(Self.nameLengthMax)) } ?? ""
    (self.temperature, self.measured, self.city) = (temperature, measured, name.isEmpty ? city : name)
    feelsLike = found.main?.feels_like.flatMap(Temperature.init)
    low = found.main?.temp_min.flatMap(Temperature.init)
    high = found.main?.temp_max.flatMap(Temperature.init)
    sky = Sky(condition: found.weather?.first?.id)
    description = found.weather?.first?.description.map { String($0.prefix(Self.nameLengthMax)) }
    humidity = Self.whole(found.main?.humidity, in: 0...100)
    pressure = Self.whole(found.main?.pressure, in: 800...1100)
    wind = found.wind.flatMap(Wind.init)
    sunrise = Self.moment(found.sys?.sunrise)
    sunset = Self.moment(found.sys?.sunset)
    offset = Self.whole(found.timezone, in: -86400...86400) ?? 0
  }

  private static let nameLengthMax = 100

  /// A moment between 1970 and 2100.
  private static func moment(_ seconds: Double?) -> Date? {
    seconds.flatMap { (0...4_102_444_800).contains($0) ? Date(timeIntervalSince1970: $0) : nil }
  }

  fileprivate static func whole(_ number: Double?, in range: ClosedRange<Int>) -> Int? {
    guard let number, number.isFinite, (Double(range.lowerBound)...Double(range.upperBound)).contains(number) else {
      return nil
    }
    return Int(number.rounded())
  }
}

extension Reading.Wind {
  init?(_ found: ReadingAnswer.Wind) {
    guard let speed = found.speed, (0...150).contains(speed) else { return nil }
    self.init(speed: speed, degrees: Reading.whole(found.deg, in: 0...360))
  }
}
