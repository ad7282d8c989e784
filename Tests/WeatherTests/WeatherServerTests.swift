import Foundation
import FoundationNetworking
import Logging
import Synchronization
import Testing
import WeatherModel

@testable import WeatherServer

@Suite(.timeLimit(.minutes(1))) struct WeatherServerTests {
  @Test(arguments: ["Oslo", "lisbon", "Nairobi, KE"])
  func `every city's weather is one that the app can read, with all that it shows`(city: String) async throws {
    try await withServer { server in
      let (status, answer) = try await server.ask("q=\(city)")
      let reading = try Reading(answer: answer, status: status, city: "")

      #expect(city.lowercased().hasPrefix(reading.city.lowercased()) && reading.measured == server.clock.now)
      #expect(reading.feelsLike != nil && reading.low != nil && reading.high != nil && reading.sky != .unknown)
      #expect(reading.humidity != nil && reading.pressure != nil && reading.wind != nil)
      let (sunrise, sunset) = (try #require(reading.sunrise), try #require(reading.sunset))
      #expect(sunrise < sunset && abs(sunrise.timeIntervalSince(reading.measured)) < 86400)
    }
  }

  @Test func `the weather changes when its time has come, and not before`() async throws {
    try await withServer({ $0.period = 600 }) { server in
      let first = try await server.reading("Oslo")
      server.clock.advance(by: 599)
      let second = try await server.reading("Oslo")
      server.clock.advance(by: 1)
      let third = try await server.reading("Oslo")
      server.clock.advance(by: 100 * 86400)
      let last = try await server.reading("Oslo")

      #expect(first == second && third != first && third.measured == first.measured + 600)
      #expect(third.temperature != first.temperature && last.measured > third.measured)
    }
  }

  @Test func `with no time between, the weather changes with every question`() async throws {
    try await withServer({ $0.period = 0 }) { server in
      var readings: Set<Reading> = []
      for _ in 0..<13 { readings.insert(try await server.reading("Lisbon")) }

      #expect(readings.count == 13)
    }
  }

  @Test(arguments: [
    ("q=Atlantis&appid=right", 404, "city not found"), ("appid=right", 400, "Nothing to geocode"),
    ("q=Oslo", 401, "Invalid API key"), ("q=Oslo&appid=wrong", 401, "Invalid API key"),
    ("q=Oslo&appid=right&units=metric", 400, "kelvin"),
  ])
  func `questions that the real service refuses are refused like there`(
    question: String, status: Int, words: String
  ) async throws {
    try await withServer({ $0.key = "right" }) { server in
      let answer = try await server.ask(question)

      #expect(answer.status == status && String(decoding: answer.body, as: UTF8.self).contains(words))
      #expect(throws: WeatherTrouble.self) { try Reading(answer: answer.body, status: answer.status, city: "") }
    }
  }

  @Test(arguments: [(70000, 600), (-1, 600), (0, -1), (0, Int.max)])
  func `a setting that makes no sense is refused with a sentence`(port: Int, period: Int) {
    var settings = WeatherServerSettings()
    (settings.port, settings.period) = (port, period)

    let error = #expect(throws: WeatherServerError.self) { try WeatherServer(settings, logger: quiet) { Date() } }

    #expect(error?.description.contains(port == 0 ? "\(period)" : "\(port)") == true)
  }

  @Test func `a port that somebody else has is named, and how to name another`() async throws {
    try await withServer { first in
      var settings = WeatherServerSettings()
      (settings.port, settings.endsOnSignals) = (first.port, false)
      let second = try WeatherServer(settings, logger: quiet) { Date() }

      let error = await #expect(throws: WeatherServerError.self) { try await second.run { _ in } }

      let words = "port \(first.port) of 127.0.0.1 cannot be had: Address already in use; name another with --port"
      #expect(error?.description.hasPrefix(words) == true)
    }
  }
}

private let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }

/// A clock that is moved by hand.
final class HandClock: Sendable {
  private let moment = Mutex(Date(timeIntervalSince1970: 1_780_000_000))
  var now: Date { moment.withLock { $0 } }
  func advance(by seconds: Double) { moment.withLock { $0 += seconds } }
}

/// A server on a free port of this process.
struct ServerUnderTest {
  let port: Int
  let clock: HandClock

  func ask(_ question: String) async throws -> (status: Int, body: Data) {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", port, "/data/2.5/weather")
    parts.query = question
    let (data, response) = try await URLSession.shared.data(from: try #require(parts.url))
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
  }

  func reading(_ city: String) async throws -> Reading {
    let (status, body) = try await ask("q=\(city)")
    return try Reading(answer: body, status: status, city: city)
  }
}

/// Runs `body` against a server of its own, and takes the server down afterwards.
private func withServer(
  _ configure: (inout WeatherServerSettings) -> Void = { _ in }, _ body: (ServerUnderTest) async throws -> Void
) async throws {
  var settings = WeatherServerSettings()
  settings.endsOnSignals = false
  configure(&settings)
  let clock = HandClock()
  let server = try WeatherServer(settings, logger: quiet) { clock.now }
  let (ports, listening) = AsyncStream<Int>.makeStream()
  let running = Task { try await server.run { listening.yield($0) } }
  defer { running.cancel() }
  for await port in ports {
    try await body(ServerUnderTest(port: port, clock: clock))
    break
  }
  running.cancel()
  _ = await running.result
}
