import Foundation
import Testing
import WeatherModel

@Suite struct ReadingTests {
  @Test func `everything that the service says is read`() throws {
    let reading = try Reading(answer: Data(Answers.whole.utf8), status: 200, city: "lisbon,pt")

    #expect(reading.city == "Lisbon" && reading.measured == Date(timeIntervalSince1970: 1_768_557_600))
    #expect(abs(reading.temperature.celsius - 14.5) < 0.001 && reading.temperature.words == "15°")
    #expect(reading.feelsLike?.words == "14°" && reading.low?.words == "14°" && reading.high?.words == "15°")
    #expect(reading.sky == .rain && reading.description == "light rain" && reading.humidity == 82)
    #expect(reading.pressure == 1013 && reading.wind?.words == "5.7 m/s from the south-west")
    #expect(reading.sunrise.map(reading.clock) == "08:53" && reading.sunset.map(reading.clock) == "18:40")
    #expect(reading.isDay(at: reading.measured) && !reading.isDay(at: reading.measured + 86400))
  }

  @Test func `city, moment and temperature are enough`() throws {
    let answer = #"{"main": {"temp": 280}, "dt": 1000, "name": ""}"#

    let reading = try Reading(answer: Data(answer.utf8), status: 200, city: "Nowhere")

    #expect(reading.city == "Nowhere" && reading.temperature.words == "7°" && reading.sky == .unknown)
    #expect(reading.wind == nil && reading.humidity == nil && reading.sunrise == nil && reading.offset == 0)
  }

  @Test(arguments: [
    (#"{"dt": 1000, "name": "Oslo"}"#, "main.temp"), (#"{"main": {}, "dt": 1000}"#, "main.temp"),
    (#"{"main": {"temp": 280}, "name": "Oslo"}"#, "dt"), (#"{"main": {"temp": 280}, "dt": -5}"#, "dt"),
    (#"{"main": {"temp": 21.5}, "dt": 1000}"#, "21.5 K"), (#"{"main": {"temp": "warm"}, "dt": 1000}"#, "main.temp"),
    ("<html>Please log in to the hotel's network</html>", "not the weather"), ("", "not the weather"),
    ("[]", "not the weather"), (#"{"main": {"temp": 280}, "dt": 1e99}"#, "dt"),
  ])
  func `an answer without the weather is refused, with the name of what is wrong`(answer: String, words: String) {
    let trouble = #expect(throws: WeatherTrouble.self) {
      try Reading(answer: Data(answer.utf8), status: 200, city: "Oslo")
    }

    #expect(trouble?.code == .unreadable)
    #expect(trouble?.words.contains(words) == true, "it said: \(trouble?.words ?? "")")
  }

  @Test func `rubbish beside the weather is left out`() throws {
    let answer = """
      {"main": {"temp": 280, "feels_like": 4, "humidity": 400, "pressure": -1}, "dt": 1000, "name": "Oslo",
       "wind": {"speed": 1e300, "deg": 10}, "sys": {"sunrise": 1e300}, "timezone": 9e99, "weather": []}
      """

    let reading = try Reading(answer: Data(answer.utf8), status: 200, city: "Oslo")

    #expect(reading.feelsLike == nil && reading.humidity == nil && reading.pressure == nil && reading.wind == nil)
    #expect(reading.sunrise == nil && reading.offset == 0 && reading.sky == .unknown)
  }

  @Test func `an answer of a megabyte is not read`() {
    let answer = Data(repeating: 0x20, count: 1 << 20)

    let trouble = #expect(throws: WeatherTrouble.self) { try Reading(answer: answer, status: 200, city: "Oslo") }

    #expect(trouble?.code == .unreadable)
  }

  @Test(
    arguments: [
      (401, #"{"cod":401, "message": "Invalid API key."}"#, .keyRefused, "Invalid API key."),
      (404, #"{"cod":"404","message":"city not found"}"#, .cityUnknown, "“Atlantis”"),
      (429, #"{"cod":429,"message":"Your account is blocked"}"#, .askedTooOften, "Your account is blocked"),
      (503, "<h1>Bad gateway</h1>", .refused, "503"), (400, "", .refused, "400"), (0, "", .refused, "0"),
      (302, "", .refused, "302"),
    ] as [(Int, String, WeatherTrouble.Code, String)])
  func `a refusal is told in words, with those of the service`(
    status: Int, answer: String, code: WeatherTrouble.Code, words: String
  ) {
    let trouble = #expect(throws: WeatherTrouble.self) {
      try Reading(answer: Data(answer.utf8), status: status, city: "Atlantis")
    }

    #expect(trouble?.code == code)
    #expect(trouble?.words.contains(words) == true, "it said: \(trouble?.words ?? "")")
  }

  @Test(arguments: [(0, "north"), (22, "north"), (23, "north-east"), (90, "east"), (338, "north"), (360, "north")])
  func `winds come from the eight points of the compass`(degrees: Int, name: String) throws {
    let answer = #"{"main": {"temp": 280}, "dt": 1, "wind": {"speed": 3, "deg": \#(degrees)}}"#

    let reading = try Reading(answer: Data(answer.utf8), status: 200, city: "Oslo")

    #expect(reading.wind?.words == "3.0 m/s from the \(name)")
  }
}

enum Answers {
  /// As api.openweathermap.org answers.
  static let whole = """
    {"coord": {"lon": -9.1333, "lat": 38.7167}, "weather": [{"id": 500, "main": "Rain", "description": "light rain", \
    "icon": "10d"}], "base": "stations", "main": {"temp": 287.65, "feels_like": 287.2, "temp_min": 286.8, \
    "temp_max": 288.4, "pressure": 1013, "humidity": 82}, "visibility": 10000, "wind": {"speed": 5.7, "deg": 220, \
    "gust": 9.3}, "rain": {"1h": 0.4}, "clouds": {"all": 75}, "dt": 1768557600, "sys": {"type": 1, "id": 6901, \
    "country": "PT", "sunrise": 1768549980, "sunset": 1768585200}, "timezone": 3600, "id": 2267057, "name": "Lisbon", \
    "cod": 200}
    """
}
