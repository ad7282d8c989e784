import Dispatch
import NIOPosix
import NightjarModel
import Patience
import ScriptedServer
import Synchronization
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
        facts = try await workshop.run(.upload(path, to: url, id: id) { $0.requestTimeout = patience })
      }

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(told(facts) > 2, "only what was sent, and the end: \(facts)")
    }
  }

  @Test(arguments: ["GET", "PUT"])
  func `a transfer whose disk is slow to make its file safe says that it goes on`(method: String) async throws {
    try await withWorkshop(settings: { $0.fileThreads = 1 }) { workshop, server in
      let path = Disk.write("bytes", to: "\(workshop.folder)/source")
      var (told, facts): (Int, [TransferFact]) = (0, [])
      for attempt in 0..<5 where told < 2 {
        let (patience, id, disk) = (Duration.milliseconds(400 << attempt), Int64(attempt + 1), SlowDisk(workshop))
        let order: TransferOrder =
          method == "GET"
          ? .download(server.url("/file/1/10"), id: id) { $0.requestTimeout = patience }
          : .upload(path, to: server.url("/upload/\(id)"), id: id) { $0.requestTimeout = patience }
        told = try await disk.tellings(of: order, beforeItAnswers: 2)
        facts = try await workshop.end(of: order)
      }

      #expect(told == 2, "\(facts)")
      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test func `a transfer whose disk is slow to open its file says that it goes on`() async throws {
    try await withWorkshop(settings: { $0.fileThreads = 1 }) { workshop, server in
      var (told, facts): (Int, [TransferFact]) = (0, [])
      for attempt in 0..<5 where told < 2 {
        let (patience, id, disk) = (Duration.milliseconds(400 << attempt), Int64(attempt + 1), SlowDisk(workshop))
        let point = ResumePoint(offset: 5, validator: .entityTag("\"1\""), length: 10)
        let order = TransferOrder.download(server.url("/file/1/10"), id: id, resume: point) {
          $0.requestTimeout = patience
        }
        told = try await disk.tellings(of: order, beforeItAnswers: 2)
        facts = try await workshop.end(of: order)
      }

      #expect(told == 2, "\(facts)")
      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test func `a transfer that waits for a connection says so, and its wait is no stall`() async throws {
    try await withWorkshop(settings: { $0.connectionsPerHostMax = 1 }) { workshop, server in
      let facts = try await workshop.runPatiently(from: .milliseconds(200)) { attempt, patience in
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

  @Test func `a transfer on a connection that is not read for others' sake waits for that, and its wait is no stall`()
    async throws
  {
    try await withWorkshop(
      .http2, settings: { ($0.fileThreads, $0.checkpointBytes, $0.unsyncedMax) = (1, 1 << 20, 1 << 20) }
    ) { workshop, server in
      let path = Disk.write("bytes", to: "\(workshop.folder)/source")
      var facts: [TransferFact] = []
      for attempt in 0..<5 where facts.response == nil {
        let patience = Duration.milliseconds(800 << attempt)
        let others = (1...8).map { (path: "/film\(attempt)\($0)", id: Int64(10 * attempt + $0)) }
        for (path, id) in others {
          let film = Serving(Content(seed: 1, size: 6_000_000)).with { ($0.mishap, $0.mishapAfter) = (.hold, 100_000) }
          server.play(path, .serve(film))
          workshop.engine.start(.download(server.url(path), id: id))
          try await workshop.log.first { $0.id == TransferID(id) && $0.fact.hasMoved }
        }
        server.play("/x\(attempt)", .inform(status: 102, times: 16, pause: patience / 4, then: .take()))
        let order = TransferOrder.upload(path, to: server.url("/x\(attempt)"), id: Int64(10 * attempt + 9)) {
          $0.requestTimeout = patience
        }

        // The others, whose disk stands still, have enough before it has its answer.
        async let told = SlowDisk(workshop).tellings(of: order, beforeItAnswers: 3)
        try await workshop.log.first { $0.id == order.id && $0.fact.hasMoved }
        for (path, _) in others { server.release(path) }
        _ = try await told
        facts = try await workshop.end(of: order)
      }

      #expect(facts.response?.status == 200, "\(facts)")
    }
  }
}

extension TransferFact {
  fileprivate var hasMoved: Bool { if case .progressed(let count, _) = self { count > 0 } else { isTerminal } }
}

/// A disk that stands still from the moment when all bytes of a transfer have moved: the only file thread waits.
private final class SlowDisk: Sendable {
  private enum Stage { case moving, still(tellings: Int), over }

  private let workshop: Workshop
  private let gate = DispatchSemaphore(value: 0)
  private let stage = Mutex(Stage.moving)

  init(_ workshop: Workshop) { self.workshop = workshop }

  /// Runs an order, and counts what is told of it while the disk stands still, until it is so much or the end.
  func tellings(of order: TransferOrder, beforeItAnswers most: Int) async throws -> Int {
    if !order.request.isUpload { standStill() }  // Nothing is told of a small download before its end.
    defer { gate.signal() }
    return try await answered { told in
      workshop.log.hook { [self] entry in
        guard entry.id == order.id, let count = hear(entry.fact, most) else { return }
        told.yield(count)
      }
      workshop.engine.start(order)
    }
  }

  private func standStill() {
    stage.withLock { $0 = .still(tellings: 0) }
    workshop.engine.tools.files.submit { [gate] _ in gate.wait() }
  }

  /// How often it has been told of, once that is enough or over.
  private func hear(_ fact: TransferFact, _ most: Int) -> Int? {
    switch (stage.withLock { $0 }, fact) {
    case (.moving, .progressed(let count, _)) where count > 0: standStill()
    case (.still(let count), .progressed) where count + 1 < most: stage.withLock { $0 = .still(tellings: count + 1) }
    case (.still(let count), .progressed): return end(with: count + 1)
    case (.still(let count), _) where fact.isTerminal: return end(with: count)
    case (.moving, _) where fact.isTerminal: return end(with: 0)
    case (_, _): break
    }
    return nil
  }

  private func end(with count: Int) -> Int {
    stage.withLock { $0 = .over }
    return count
  }
}
