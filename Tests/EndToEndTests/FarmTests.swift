import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// The example app and its server, as their README has them.
  @Suite struct FarmTests {
    private static let size = 8 << 20

    @Test func `a movie that is paused goes on where it was in later lives of the app and the daemon`() async throws {
      try await withHome(.impatient) { home in
        let server = try await serve(in: home)
        try await home.start()
        try await home.run(["install", try bundle(in: home)])
        try await launch(home, ["VIDEOFARM_SERVER=http://\(server.address)", "download-all"])
        try await eventually("some of the movie has come") {
          try await home.call(ControlInterface.ListTransfers.self, .init()).transfers.contains { $0.count > 1 << 20 }
        }
        try await home.run(["terminate", "dev.nightjar.VideoFarm"])

        try await launch(home, ["pause", "all"])
        try await eventually("the app has paused it") { said(home, "downloads-paused count=1") }
        let bytes = (try? FileManager.default.attributesOfItem(atPath: part(home))[.size] as? Int) ?? 0
        home.crash()
        home.endApps()
        try await home.start()
        try await launch(home, ["resume", "all"])
        try await eventually("the movie has come") { said(home, "arrived movie") }

        #expect(bytes > 1 << 20)
        #expect(said(home, "kept=true") && said(home, "at=\(bytes) of=\(Self.size)"))
        #expect(server.process.text.contains("from: \(bytes), to: \(Self.size)"))
        #expect(!said(home, "problem="))
        server.process.crash()
      }
    }

    private func serve(in home: Home) async throws -> (process: Spawned, address: String) {
      let process = try Spawned(
        [
          Home.programs + "/videofarm-server", "--data", home.folder + "/farm", "--seed", "1", "--seed-size",
          "\(Self.size)", "--rate", "\(2 << 20)",
        ], environment: [:], output: home.folder + "/farm.log")
      let beginning = "listening on "
      let address = try await eventually("the server names its address") {
        process.text.split(separator: "\n").first { $0.hasPrefix(beginning) }?.dropFirst(beginning.count)
      }
      return (process, String(address))
    }

    private func bundle(in home: Home) throws -> String {
      let bundle = home.folder + "/VideoFarm.app"
      let source = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Examples/VideoFarm/Bundle")
      try FileManager.default.copyItem(atPath: source.standardized.path, toPath: bundle)
      try FileManager.default.copyItem(atPath: Home.programs + "/VideoFarm", toPath: bundle + "/VideoFarm")
      return bundle
    }

    private func launch(_ home: Home, _ orders: [String]) async throws {
      try await home.run(["launch", "dev.nightjar.VideoFarm", "--"] + orders)
      try await eventually("the app has done as it was told") { [apps = home.apps] in
        let log = self.log(home)
        return apps.contains { log.contains("VideoFarm[\($0)] orders done") }
      }
    }

    private func said(_ home: Home, _ words: String) -> Bool { log(home).contains(words) }

    private func log(_ home: Home) -> String {
      Files.text(home.path + "/state/logs/dev.nightjar.VideoFarm.log")
    }

    /// The file that the movie's bytes lie in; its thumbnail's is gone.
    private func part(_ home: Home) -> String {
      home.staging + "/" + (Files.names(home.staging).first { $0.hasSuffix(".part") } ?? "none")
    }
  }
}
