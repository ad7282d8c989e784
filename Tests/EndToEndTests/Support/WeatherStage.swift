import Foundation
import NightjarWire
import Patience

/// The example Weather in a home, with its server.
final class WeatherStage {
  static let id = "dev.nightjar.Weather"

  let home: Home
  private(set) var server: Spawned
  /// The server's port; the next server has it too.
  let port: Int

  /// Starts a server whose weather does not change for a day, installs the app, and asks it for Nairobi's in the
  /// foreground.
  init(home: Home) async throws {
    self.home = home
    (server, port) = try await Self.serve(in: home, every: 86400, port: 0)
    try await home.run(["install", try bundle()])
    try await launch()
    try await eventually("the app shows the weather") { [self] in try await view().contains("Nairobi") }
  }

  deinit { server.crash() }

  /// Brings the app to the foreground, with its orders if it does not run.
  func launch() async throws {
    let address = "http://127.0.0.1:\(port)/data/2.5/weather"
    try await home.run(["launch", Self.id, "--", "address=\(address)", "city=Nairobi"])
  }

  /// The home button.
  func leave() async throws {
    try await home.run(["leave"])
    try await settle()
  }

  /// Waits until the app is suspended.
  func settle() async throws {
    try await eventually("the app is suspended") { [self] in try await state() == .suspended }
  }

  func state() async throws -> ControlInterface.App.State? {
    try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == Self.id }?.state
  }

  func view() async throws -> String {
    try await home.call(ControlInterface.ShowView.self, .init(app: Self.id)).html ?? ""
  }

  func snapshot() async throws -> String {
    try await home.call(ControlInterface.ShowSnapshot.self, .init(app: Self.id)).html ?? ""
  }

  /// What became of a fetch that a person asks for.
  func fetchNow() async throws -> ControlInterface.FetchOutcome {
    try await home.call(ControlInterface.FetchNow.self, .init(app: Self.id)).outcome
  }

  func stopServer() { server.crash() }

  /// Starts another server in the place of the first, whose weather changes with every question.
  func changeWeather() async throws {
    stopServer()
    (server, _) = try await Self.serve(in: home, every: 0, port: port)
    _ = try PlainHTTP.send("GET", "/data/2.5/weather?q=Nairobi", port: port, body: nil)
  }

  private static func serve(in home: Home, every seconds: Int, port: Int) async throws -> (Spawned, Int) {
    let server = try Spawned(
      [Home.programs + "/weather-server", "--every", "\(seconds)", "--port", "\(port)"], environment: [:],
      output: home.folder + "/weather.log")
    let found = try await eventually("the server names its port") {
      server.text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
    }
    return (server, found)
  }

  private func bundle() throws -> String {
    let bundle = home.folder + "/Weather.app"
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Examples/Weather/Bundle")
    try FileManager.default.copyItem(atPath: source.standardized.path, toPath: bundle)
    try FileManager.default.copyItem(atPath: Home.programs + "/Weather", toPath: bundle + "/Weather")
    return bundle
  }
}
