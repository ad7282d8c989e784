import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What a cancelled download leaves, whoever dies.
  @Suite struct ResumeDataTests {
    private static let film = Content(seed: 21, size: 6 << 20)

    /// A server that gives most of the film slowly once, and then all at once.
    private func server() async throws -> HTTPTestServer {
      let server = try await HTTPTestServer.start()
      let slowly = Serving(Self.film).with { ($0.speed, $0.mishap, $0.mishapAfter) = (2 << 20, .stall, 5 << 20) }
      server.play("/film", .serve(slowly), .serve(Serving(Self.film)))
      return server
    }

    /// An app whose download of the film was cancelled in the middle; it has kept the resume data as `film`.
    private func cancelled(_ url: String, in home: Home) async throws -> Probe {
      let probe = Probe(home: home)
      try probe.instruct(.init(transfers: [.init(name: "film", url: url)], cancelsAfter: 1 << 20))
      try await home.start()
      try await probe.install()
      try await probe.launch()
      try await eventually("the app has its resume data") { probe.heard.contains { $0.call == "kept" } }
      return probe
    }

    /// Kills everybody, and begins new lives of the daemon and, with these instructions, of the app.
    private func bringBack(_ probe: Probe, _ transfers: [Instructions.Transfer]) async throws {
      probe.home.crash()
      probe.home.endApps()
      try probe.instruct(.init(transfers: transfers))
      try await probe.home.start()
      try await probe.launch()
    }

    @Test func `a download that was cancelled goes on at its byte in new lives of the daemon and the app`()
      async throws
    {
      let server = try await server()
      try await withHome(.impatient) { home in
        let probe = try await cancelled(server.url("/film"), in: home)

        try await bringBack(probe, [.init(name: "again", url: server.url("/film"), resumes: "film")])
        try await eventually("the film is whole") { probe.completed == ["again"] }
        try await eventually("nothing is left") { Files.names(home.staging).isEmpty }

        let offset = probe.heard.first { $0.call == "didResumeAtOffset" }?.count ?? 0
        let request = server.requests("/film").last
        #expect(probe.file("again") == Data(Self.film.bytes))
        #expect(offset >= 1 << 20 && server.requests("/film").count == 2)
        #expect(request?.headers["range"] == "bytes=\(offset)-" && request?.headers["if-range"] != nil)
        #expect(probe.end(of: "film")?.error == URLError.Code.cancelled.rawValue)
      }
      try await server.stop()
    }

    @Test func `what is used twice is gone on with once, and begun anew once`() async throws {
      let server = try await server()
      try await withHome(.impatient) { home in
        let (url, probe) = (server.url("/film"), try await cancelled(server.url("/film"), in: home))

        let twice = ["again", "once more"].map { Instructions.Transfer(name: $0, url: url, resumes: "film") }
        try await bringBack(probe, twice)
        try await eventually("both are whole") { probe.completed == ["again", "once more"] }

        let ranges = server.requests("/film").dropFirst().map { $0.headers["range"] }
        #expect(ranges.count == 2 && ranges.filter { $0 == nil }.count == 1)
        #expect(probe.heard.filter { $0.call == "didResumeAtOffset" }.count == 1)
        for name in ["again", "once more"] { #expect(probe.file(name) == Data(Self.film.bytes)) }
      }
      try await server.stop()
    }

    @Test func `what is cut off, forged or another app's is refused in words, and harms nothing`() async throws {
      let server = try await server()
      try await withHome(.impatient) { home in
        let url = server.url("/film")
        let probe = try await cancelled(url, in: home)
        let data = Files.bytes(probe.kept("film"))
        try Files.write(data.prefix(data.count / 2), to: probe.kept("cut off"))
        try Files.write(Data("bplist00 and nothing of ours".utf8), to: probe.kept("made up"))
        try Files.write(Self.pointing(data, to: server.url("/other")), to: probe.kept("elsewhere"))
        let thief = Probe(home: home, app: "dev.nightjar.thief")
        try thief.instruct(.init(transfers: [.init(name: "stolen", url: url, resumes: "film")]))
        try Files.write(data, to: thief.kept("film"))

        let names = ["cut off", "made up", "elsewhere"]
        try await bringBack(probe, names.map { .init(name: "with \($0)", url: url, resumes: $0) })
        try await eventually("three are refused") { names.allSatisfy { probe.end(of: "with \($0)") != nil } }
        try await thief.install()
        try await thief.launch()
        let ends = try await eventually("all four are refused") {
          let ends = names.map { probe.end(of: "with \($0)") } + [thief.end(of: "stolen")]
          return ends.contains { $0 == nil } ? nil : ends.compactMap(\.self)
        }
        try await bringBack(probe, [.init(name: "again", url: url, resumes: "film")])
        try await eventually("who has the right to it goes on") { probe.completed == ["again"] }

        #expect(ends.map(\.error) == Array(repeating: URLError.Code.cannotDecodeRawData.rawValue, count: 4))
        #expect(ends.allSatisfy { $0.detail?.hasPrefix("The resume data cannot be used: ") == true })
        #expect(ends.allSatisfy { $0.detail?.contains("this app has not made it") == true })
        #expect(server.requests("/film").count == 2 && server.requests("/film").last?.headers["range"] != nil)
        #expect(probe.file("again") == Data(Self.film.bytes) && server.requests("/other").isEmpty)
      }
      try await server.stop()
    }

    /// The one who goes on has inherited the bytes; the daemon is killed before the file has its new name, or after,
    /// when that is not yet remembered. The test renames it, in the daemon's place, because nobody can strike in
    /// between.
    @Test(arguments: [false, true])
    func `a kill while the bytes change hands loses none`(isRenamed: Bool) async throws {
      let server = try await server()
      try await withHome(.impatient) { home in
        let probe = try await cancelled(server.url("/film"), in: home)
        let size = Int64(Files.size(home.staging + "/1.part"))
        _ = try await home.call(ControlInterface.SetDevice.self, .init(network: ControlInterface.Device.Network.none))

        try await bringBack(probe, [.init(name: "again", url: server.url("/film"), resumes: "film")])
        try await eventually("the task is queued") { try await home.transfer(2)?.state == .queued }
        home.crash()
        home.endApps()
        if isRenamed { #expect(rename(home.staging + "/1.part", home.staging + "/2.part") == 0) }
        try await home.start()
        _ = try await home.call(ControlInterface.ResetDevice.self)
        try await eventually("the film is whole") { probe.completed == ["again"] }

        #expect(server.requests("/film").map { $0.headers["range"] } == [nil, "bytes=\(size)-"])
        #expect(probe.file("again") == Data(Self.film.bytes))
      }
      try await server.stop()
    }

    /// Resume data with another URL in it.
    private static func pointing(_ data: Data, to url: String) throws -> Data {
      let (plain, code) = (data.dropLast(32), data.suffix(32))
      var form = try PropertyListSerialization.propertyList(from: Data(plain), format: nil) as? [String: Any] ?? [:]
      form["url"] = url
      return try PropertyListSerialization.data(fromPropertyList: form, format: .binary, options: 0) + code
    }
  }
}
