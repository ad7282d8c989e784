import Foundation
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Everything dies, and nothing is lost.
  @Suite struct KillTests {
    @Test func `a hundred kills lose no byte and no completion, and repeat none that was acknowledged`() async throws {
      var dice = Dice.ofThisRun()
      let cargo = (1...30).map { Cargo($0, &dice) }
      let server = try await HTTPTestServer.start()
      for cargo in cargo { server.play(cargo.path, cargo.scripts(&dice)) }
      try await withHome(.impatient) { home in
        let probe = Probe(home: home)
        let siege = Siege(home, probe, dice)
        try probe.instruct(.init())
        let transfers = try cargo.map { try $0.instruction(server, sources: home.folder + "/sources") }
        try await home.start()
        try await probe.install()

        for strike in 0..<100 {
          siege.transfers = Array(transfers.prefix(strike / 3 + 1))
          try await siege.strike()
        }
        try await siege.lift()

        for cargo in cargo where !cargo.isUpload {
          #expect(probe.file(cargo.name) == Data(cargo.content.bytes), "\(cargo.name) arrived damaged")
        }
        for cargo in cargo where cargo.isUpload {
          let digests = Set(server.requests(cargo.path).map(\.bodyDigest))
          #expect(digests == [cargo.content.sha256], "\(cargo.name) was sent damaged")
        }
        #expect(siege.repeated() == [] && siege.stuttered() == [])
        #expect(Files.names(home.staging) == [])
        print("\(siege.appKills) kills of the app, \(siege.daemonKills) of the daemon; \(siege.retellings) told again")
      }
      try await server.stop()
    }
  }
}
