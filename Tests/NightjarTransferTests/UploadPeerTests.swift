import ForeignServer
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// Against swift-nio-extras' own server.
@Suite(.timeLimit(.minutes(2))) struct UploadPeerTests {
  private let content = Content(seed: 3, size: 600_000)

  @Test(arguments: [UploadVersion.three, .five, .six, .eight])
  func `cut again and again, an upload reaches somebody else's server once`(first: UploadVersion) async throws {
    let peer = try await UploadPeer.start(cuts: [200_000, 60_000, 140_000])
    try await withWorkshop(settings: { $0.uploadVersions = [first, .six] }) { workshop, _ in
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")
      var order = TransferOrder.upload(source, to: peer.url("/files")) { $0.method = "POST" }
      var facts = try await workshop.run(order)
      while facts.failure != nil, order.attempt < 8 {
        order.attempt += 1
        order.resume = facts.checkpoints.last ?? order.resume
        facts = try await workshop.run(order)
      }

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(peer.digests("/files") == [content.sha256])
      #expect(order.attempt == (first == .eight ? 3 : 4))  // The first version's refusal takes a connection.
    }
    try await peer.stop()
  }
}
