import Foundation
import NightjarWire
import Testing

extension EndToEndTests {
  /// The example that fetches in the background, with the server that stands for the real service.
  @Suite struct WeatherAppTests {
    @Test func `a suspended app's fetch finds nothing new, fails, and brings new weather into its snapshot`()
      async throws
    {
      try await withHome(.impatient) { home in
        try await home.start()
        let weather = try await WeatherStage(home: home)
        try await weather.leave()

        let before = (outcome: try await weather.fetchNow(), snapshot: try await weather.snapshot())
        weather.stopServer()
        let without = (outcome: try await weather.fetchNow(), snapshot: try await weather.snapshot())
        try await weather.changeWeather()
        let after = (outcome: try await weather.fetchNow(), snapshot: try await weather.snapshot())
        try await weather.settle()

        #expect(before.outcome == .noData && without.outcome == .failed && after.outcome == .newData)
        #expect(before.snapshot.contains("19°") && before.snapshot.contains("in the background"))
        #expect(without.snapshot.contains("19°") && without.snapshot.contains("does not answer"))
        #expect(after.snapshot.contains("22°") && !after.snapshot.contains("does not answer"))
        let told = try await home.call(ControlInterface.ListFetches.self, .init(app: WeatherStage.id)).apps[0]
        #expect(told.newData >= 1 && told.noData >= 1 && told.failed >= 1 && told.interval == 0)
      }
    }

    @Test func `an app that does not run is launched into the background for its fetch, and shown so to a person`()
      async throws
    {
      try await withHome(.impatient) { home in
        try await home.start()
        let weather = try await WeatherStage(home: home)
        try await weather.leave()
        try await home.run(["terminate", WeatherStage.id])
        try await weather.changeWeather()

        let outcome = try await weather.fetchNow()
        let snapshot = try await weather.snapshot()
        try await weather.settle()

        #expect(outcome == .newData && snapshot.contains("22°"))
        #expect(try await weather.state() == .suspended)
      }
    }
  }
}
