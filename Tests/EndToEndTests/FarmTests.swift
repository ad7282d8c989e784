import Foundation
import FoundationNetworking
import NightjarWire
import Patience
import ScriptedServer
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
        try await eventually("its end is acknowledged, so that nobody launches the app but us") {
          try await home.call(ControlInterface.ListTransfers.self, .init()).transfers.isEmpty
        }
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

    /// From a file of the app's own, and from data, of which only Nightjar has a copy.
    @Test(arguments: [nil, "data"])
    func `an upload that was cancelled goes on with what the farm has, in new lives of everybody`(
      source: String?
    ) async throws {
      try await withHome(.impatient) { home in
        let server = try await serve(in: home)
        let url = try await announce("Holiday", to: server.address)
        let (probe, file) = (Probe(home: home), home.folder + "/holiday")
        let holiday = Content(seed: 5, size: Int64(Self.size))
        try Files.write(holiday.bytes, to: file)
        let first = Instructions.Transfer(name: "first", url: url, file: file, source: source)
        try probe.instruct(.init(transfers: [first], cancelsAfter: 2 << 20))
        try await home.start()
        try await probe.install()
        try await probe.launch()
        try await eventually("the app has its resume data") { Files.exists(probe.kept("first")) }

        home.crash()
        home.endApps()
        if source != nil { unlink(file) }
        try probe.instruct(.init(transfers: [.init(name: "again", url: url, file: file, resumes: "first")]))
        try await home.start()
        try await probe.launch()
        try await eventually("the farm has all of it") { probe.completed == ["again"] }

        let log = server.process.text
        let resumed = log.firstMatch(of: /resumed\("[0-9a-f]+", at: (\d+)\)/).flatMap { Int($0.1) }
        #expect(resumed ?? 0 > 0 && log.contains(holiday.sha256))
        #expect(probe.end(of: "first")?.error == URLError.Code.cancelled.rawValue)
        #expect(probe.end(of: "again")?.status == 201)
        server.process.crash()
      }
    }

    /// Announces a video; where its movie goes.
    private func announce(_ title: String, to server: String) async throws -> String {
      struct Videos: Decodable {
        struct Video: Decodable {
          var id: String
          var title: String
        }
        var videos: [Video]
      }
      let page = try #require(URL(string: "http://\(server)/videos"))
      var request = URLRequest(url: page)
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(["title": title])
      _ = try await URLSession.shared.data(for: request)
      let list = try JSONDecoder().decode(Videos.self, from: try await URLSession.shared.data(from: page).0)
      let id = try #require(list.videos.first { $0.title == title }?.id)
      return "\(page.absoluteString)/\(id)/movie"
    }

    private func serve(in home: Home) async throws -> (process: Spawned, address: String) {
      let process = try Spawned(
        [
          Home.programs + "/videofarm-server", "--data", home.folder + "/farm", "--seed", "1", "--seed-size",
          "\(Self.size)", "--rate", "\(3 << 19)",
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
