import Patience
import Foundation
import NightjarWire
import ScriptedServer
import Testing

extension EndToEndTests {
  /// `nightjar download`, whatever happens.
  @Suite struct DownloadTests {
    @Test func `a download goes on at its byte though its command and the daemon are killed`() async throws {
      let film = Content(seed: 7, size: 14 << 20)
      let server = try await HTTPTestServer.start()
      let slowly = Serving(film).with { ($0.speed, $0.mishap, $0.mishapAfter) = (1 << 20, .stall, 12 << 20) }
      server.play("/film", .serve(slowly), .serve(Serving(film)))
      try await withHome { home in
        let (url, place) = (server.url("/film"), home.folder + "/film")
        try await home.start()
        let command = try home.command(["download", url, "--output", place])
        // A checkpoint is made after five seconds, so one was made when as many mebibytes and five more have come. How
        // many had come by then depends on how busy the machine is. The rest never comes over this connection.
        try await eventually("10 MiB have moved") { try await home.transfer(1)?.count ?? 0 >= 10 << 20 }

        command.crash()
        home.crash()
        try await home.start()
        try await eventually("the download is delivered") { Files.exists(place) }

        let requests = server.requests("/film")
        let range = requests.last?.headers["range"] ?? ""
        #expect(Files.bytes(place) == Data(film.bytes))
        #expect(requests.count == 2 && requests.last?.headers["if-range"] != nil)
        #expect(Int(range.dropFirst("bytes=".count).prefix(while: \.isNumber)) ?? 0 > 0, "asked for '\(range)'")
        #expect(try await home.transfer(1)?.state == .succeeded)
      }
      try await server.stop()
    }

    @Test func `a finished file that is lost before it is delivered is downloaded again`() async throws {
      let film = Content(seed: 9, size: 100_000)
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(film).with { $0.mishap = .hold }), .serve(Serving(film)))
      try await withHome(.impatient) { home in
        let place = home.folder + "/film"
        try await home.start()
        let key = String(repeating: "ab", count: 16)
        _ = try await home.call(
          ControlInterface.Download.self,
          .init(key: key, url: server.url("/film"), headers: [], destination: place, overwrite: false))
        try Files.write(Data("mine".utf8), to: place)  // It would be refused at once if this stood there before.
        server.release("/film")
        try await eventually("the place is found taken") {
          try await home.transfer(1)?.failure?.code == "destinationExists"
        }
        #expect(try await home.stop() == 0)
        try FileManager.default.removeItem(atPath: place)
        for name in Files.names(home.staging) {
          try FileManager.default.removeItem(atPath: home.staging + "/" + name)
        }

        try await home.start()
        _ = try await home.call(ControlInterface.Resume.self, .init(id: 1))

        try await eventually("it is delivered") { try await home.transfer(1)?.state == .succeeded }
        #expect(Files.bytes(place) == Data(film.bytes))
        #expect(server.requests("/film").count == 2)
      }
      try await server.stop()
    }

    @Test func `a file longer than files may be is a full disk to the daemon, and not its end`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/film", .serve(Serving(Content(seed: 6, size: 8 << 20))))
      try await withHome { home in
        try await home.start(under: ["sh", "-c", "ulimit -f 4096; exec \"$0\" \"$@\""])  // 2 MiB, in some shells 4.

        let command = try home.command(["download", server.url("/film"), "--output", home.folder + "/film"])
        let failure = try await eventually("the download waits for room") { try await home.transfer(1)?.failure }

        #expect(failure.code == "diskFull" && failure.detail.contains("File too large"), "it said: \(failure)")
        #expect(home.daemon?.end == nil && command.end == nil)
      }
      try await server.stop()
    }

    @Test func `the command line waits for the next daemon when one is killed`() async throws {
      let server = try await HTTPTestServer.start(chaos: 5)
      let urls = (1...6).map { server.url("/file/\($0)/5000\($0)") }
      try await withHome(.impatient) { home in
        try await home.start()
        let command = try home.command(["download", "--output", home.folder] + urls)
        try await eventually("all are queued") { try await home.call(ControlInterface.Status.self).transfers == 6 }

        home.crash()
        try await home.start()

        #expect(try await command.ended() == 0, "it said: \(command.text)")
        for number in 1...6 {
          let content = Content(seed: UInt64(number), size: 50_000 + Int64(number))
          #expect(Files.bytes(home.folder + "/5000\(number)") == Data(content.bytes))
        }
      }
      try await server.stop()
    }
  }
}

extension Home {
  /// A transfer, if it is there.
  func transfer(_ id: Int64) async throws -> ControlInterface.Transfer? {
    try await call(ControlInterface.ListTransfers.self, .init(app: nil, after: id - 1, limit: 1)).transfers.first {
      $0.id == id
    }
  }
}

extension [String: String] {
  /// Settings of a daemon that tries again soon.
  static let impatient = [
    "NIGHTJAR_RETRY_DELAY_MIN": "0.05", "NIGHTJAR_RETRY_DELAY_MAX": "0.5", "NIGHTJAR_RETRY_AFTER_MAX": "0.2",
    "NIGHTJAR_RELAUNCH_DELAY_MIN": "0.05", "NIGHTJAR_RELAUNCH_DELAY_MAX": "0.5", "NIGHTJAR_DISK_FULL_DELAY": "0.3",
  ]
}
