import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// An attempt that says nothing for longer than its request timeout, and a margin, is taken for lost and begun anew. So
/// one that goes on says so, though no byte moves that is counted.
@Suite(.timeLimit(.minutes(2))) struct SilenceTests {
  private func told(_ facts: [TransferFact]) -> Int {
    facts.count { if case .progressed = $0 { true } else { false } }
  }

  /// An answer that keeps a client waiting for two and a half timeouts, and moves four times in each.
  private func slowAnswer(_ patience: Duration, isInformed: Bool) -> Script {
    guard !isInformed else { return .inform(status: 102, times: 10, pause: patience / 4, then: .take()) }
    let size = patience.wholeMilliseconds / 40  // A byte comes every 100 ms.
    return .serve(Serving(Content(seed: 1, size: size)).with { $0.speed = 10 })
  }

  @Test(arguments: [true, false])
  func `an upload whose answer takes its time says that it goes on`(isInformed: Bool) async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write("bytes", to: "\(workshop.folder)/source")
      var facts: [TransferFact] = []
      for attempt in 0..<5 where facts.response == nil || facts.loss != nil {
        let patience = Duration.milliseconds(400 << attempt)
        server.play("/x\(attempt)", slowAnswer(patience, isInformed: isInformed))
        let (url, id) = (server.url("/x\(attempt)"), Int64(attempt + 1))
        facts = await workshop.run(.upload(path, to: url, id: id) { $0.requestTimeout = patience })
      }

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(told(facts) > 2, "only what was sent, and the end: \(facts)")
    }
  }

  @Test func `a transfer that waits for a connection says so, and its wait is no stall`() async throws {
    try await withWorkshop(settings: { $0.connectionsPerHostMax = 1 }) { workshop, server in
      let facts = await workshop.runPatiently(from: .milliseconds(200)) { attempt, patience in
        // Another has the only connection for three timeouts.
        server.play("/mute\(attempt)", .silence)
        let (mute, url) = (server.url("/mute\(attempt)"), server.url("/file/1/10"))
        workshop.engine.start(.download(mute, id: Int64(100 + attempt)) { $0.requestTimeout = patience * 3 })
        return .download(url, id: Int64(attempt)) { $0.requestTimeout = patience }
      }

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(facts.contains(.progressed(count: 0, expected: nil)), "\(facts)")
    }
  }
}
