import Foundation
import Testing
import WeatherModel

@Suite struct LogbookTests {
  private let noon = Date(timeIntervalSince1970: 1_768_557_600)

  @Test func `a reading is new once, and then only fetched again`() throws {
    var logbook = Logbook()
    let reading = try self.reading(280, at: 1000)

    let first = logbook.take(.success(reading), of: "Oslo", at: noon, inBackground: false)
    let second = logbook.take(.success(reading), of: "Oslo", at: noon + 60, inBackground: true)
    let third = logbook.take(.success(try self.reading(281, at: 1600)), of: "Oslo", at: noon + 120, inBackground: true)

    #expect([first, second, third] == [.newData, .noData, .newData])
    #expect(logbook.fetched == noon + 120 && logbook.wasInBackground && logbook.reading?.temperature.words == "8°")
  }

  @Test func `a failure leaves the reading and the time of its fetch, and goes with the next success`() throws {
    var logbook = Logbook()
    let trouble = WeatherTrouble(silenceOf: URL(filePath: "/"), because: "nobody there")
    _ = logbook.take(.success(try reading(280, at: 1000)), of: "Oslo", at: noon, inBackground: false)

    let outcome = logbook.take(.failure(trouble), of: "Oslo", at: noon + 60, inBackground: true)
    let kept = logbook
    _ = logbook.take(.success(try reading(280, at: 1000)), of: "Oslo", at: noon + 120, inBackground: true)

    #expect(outcome == .failed && kept.reading != nil && kept.fetched == noon && !kept.wasInBackground)
    #expect(kept.failure?.trouble == trouble && kept.failure?.at == noon + 60 && logbook.failure == nil)
  }

  @Test func `another city's weather is not this one's`() throws {
    var logbook = Logbook()
    let trouble = WeatherTrouble(silenceOf: URL(filePath: "/"), because: "nobody there")
    _ = logbook.take(.success(try reading(280, at: 1000)), of: "Oslo", at: noon, inBackground: false)

    let outcome = logbook.take(.failure(trouble), of: "Lisbon", at: noon + 60, inBackground: false)

    #expect(outcome == .failed && logbook.city == "Lisbon" && logbook.reading == nil && logbook.fetched == nil)
  }

  @Test func `what was kept is there in the next life`() throws {
    try withFile { file in
      var logbook = Logbook()
      _ = logbook.take(.success(try reading(280, at: 1000)), of: "Oslo", at: noon, inBackground: true)

      try logbook.save(to: file)

      #expect(Logbook.open(file) == logbook)
    }
  }

  @Test(arguments: ["", "{", #"{"city": 5}"#, "\u{0}\u{1}\u{2}"])
  func `a damaged file is a new logbook`(text: String) throws {
    try withFile { file in
      try Data(text.utf8).write(to: file)

      #expect(Logbook.open(file) == Logbook())
    }
  }

  private func reading(_ kelvin: Double, at seconds: Int) throws -> Reading {
    let answer = #"{"main": {"temp": \#(kelvin)}, "dt": \#(seconds), "name": "Oslo"}"#
    return try Reading(answer: Data(answer.utf8), status: 200, city: "Oslo")
  }

  private func withFile(_ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "weather-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file)
  }
}
