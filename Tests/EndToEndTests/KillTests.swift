import Foundation
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// Everything dies, and nothing is lost.
  @Suite struct KillTests {
    @Test func `two hundred kills lose no byte and no completion, and repeat none that was acknowledged`() async throws
    {
      var dice = Dice.ofThisRun()
      let cargo = (1...50).map { Cargo($0, &dice) }
      let yard = try await Yard.open(for: cargo, &dice)
      try await withHome(.impatient) { home in
        let disk = try SmallDisk(under: home)
        defer { disk.unmount() }
        let trust = try Yard.trust(in: home)
        home.settings[trust.name] = trust.path
        let probe = Probe(home: home)
        let siege = Siege(home, probe, disk, dice)
        try probe.instruct(.init())
        let transfers = try cargo.map { try $0.instruction(yard, sources: home.folder + "/sources") }
        try await home.start()
        try await probe.install()

        for strike in 0..<200 {
          siege.transfers = Array(transfers.prefix(strike / 4 + 1))
          try await siege.strike()
        }
        try await siege.lift()

        for cargo in cargo where !cargo.isUpload {
          #expect(probe.file(cargo.name) == Data(cargo.content.bytes), "\(cargo) arrived damaged")
        }
        for cargo in cargo where cargo.isUpload {
          let digests = Set(yard.digests(of: cargo))
          #expect(digests == [cargo.content.sha256], "\(cargo) was sent damaged; heard: \(siege.story(of: cargo.name))")
        }
        #expect(siege.refused() == [], "a server's refusal of a part was told as the answer")
        #expect(siege.repeated() == [] && siege.stuttered() == [])
        #expect(siege.appKills > 50 && siege.daemonKills > 20 && siege.appKills + siege.daemonKills > 150)
        #expect(siege.outages > 0 && siege.famines > 0, "the network never went, or the disk was never full")
        #expect(siege.pauses > 0, "nothing was cancelled and gone on with")
        #expect(siege.suspensions > 0, "nothing ever stood still")
        try await eventually("what was sent from memory is gone") { Files.names(probe.spool).isEmpty }
        #expect(siege.strays(among: Files.names(home.staging)) == [])
        _ = try await home.stop()
        try await eventually("nothing is left frozen") { home.apps.filter(home.isFrozen) == [] }
        print("\(siege.account); \(siege.retellings) ends told again")
      }
      try await yard.close()
    }
  }
}
