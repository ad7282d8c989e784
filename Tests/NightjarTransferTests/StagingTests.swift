import Logging
import NIOCore
import NIOPosix
import NightjarModel
import ScriptedServer
import Synchronization
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite(.timeLimit(.minutes(2))) struct StagingTests {
  private let content = Content(seed: 3, size: 2_000_000)

  @Test func `checkpoints come while bytes flow, in ascending order, and never run ahead of the file`() async throws {
    try await withWorkshop(settings: { $0.checkpointBytes = 200_000 }) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/3/2000000")))

      let offsets = facts.checkpoints.map(\.offset)
      #expect(!offsets.isEmpty)
      #expect(offsets == offsets.sorted())
      #expect(offsets.allSatisfy { $0 <= 2_000_000 })
      #expect(facts.checkpoints.allSatisfy { $0.validator == .entityTag("\"3-2000000\"") && $0.length == 2_000_000 })
    }
  }

  @Test func `a slow trickle is checkpointed by time`() async throws {
    try await withWorkshop(settings: { $0.checkpointInterval = .milliseconds(10) }) { workshop, server in
      let order = TransferOrder.download(server.url("/slow/3/1000000/10000"))
      workshop.engine.start(order)

      let entry = try await workshop.log.first { ($0.fact.checkpoint?.offset ?? 0) > 0 }

      #expect(Disk.read(workshop.part()).map { Int64($0.count) >= entry.fact.checkpoint?.offset ?? 0 } == true)
      workshop.engine.stop(order.id, attempt: 1)
      try await workshop.end(of: order)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `reading waits while too much is unsynced, and everything still arrives`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security, settings: { ($0.checkpointBytes, $0.unsyncedMax) = (50_000, 60_000) }) {
      workshop, server in
      try await workshop.run(.download(server.url("/file/3/2000000")))

      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  /// A process that dies leaves what the kernel had; a power cut may leave garbage beyond the last sync.
  @Test(arguments: [10, 20, 30] as [UInt64])
  func `an engine that dies is followed by one that trusts the last checkpoint only`(seed: UInt64) async throws {
    let server = try await HTTPTestServer.start()
    let first = try Workshop { $0.checkpointBytes = 100_000 }
    let content = Content(seed: seed, size: 2_000_000)
    let cut = Serving(content).with { ($0.mishap, $0.mishapAfter) = (.stall, 900_000 + Int64(seed) * 1000) }
    server.play("/x", .serve(cut), .serve(Serving(content)))
    first.engine.start(.download(server.url("/x")))
    let checkpoint = try await first.log.first { ($0.fact.checkpoint?.offset ?? 0) >= 500_000 }.fact.checkpoint
    await first.engine.shutdown()  // Its last words are not heard: the daemon has died.

    let offset = checkpoint?.offset ?? 0
    let prefix = Disk.read(first.part())?.prefix(Int(offset)) ?? []
    Disk.write(prefix + [UInt8](repeating: 0xEE, count: 300_000), to: first.part())
    let second = try Workshop(folder: first.folder)
    try await second.run(.download(server.url("/x"), attempt: 2, resume: checkpoint))

    #expect(server.requests("/x").last?.headers["range"] == "bytes=\(offset)-")
    #expect(Disk.read(second.part()) == content.bytes)
    try await first.close()
    try await second.close()
    try await server.stop()
    Disk.removeFolder(first.folder)
  }

  /// An app that was told of a file has it by a name of its own, a hard link, and does with it what it likes.
  @Test(
    arguments: [0, 1_500_000] as [Int64],
    [nil, ResumePoint(offset: 1_000_000, validator: .entityTag("\"3-2000000\""), length: 2_000_000)]
      as [ResumePoint?])
  func `a file that somebody has by another name is left alone, and fetched anew`(
    size: Int64, resume: ResumePoint?
  ) async throws {
    try await withWorkshop { workshop, server in
      let (path, elsewhere) = ("/file/3/2000000", "\(workshop.folder)/elsewhere")
      let old = content.bytes(0..<size)
      Disk.write(old, to: workshop.part())
      try #require(link(workshop.part(), elsewhere) == 0)

      let facts = try await workshop.run(.download(server.url(path), attempt: 2, resume: resume))

      #expect(Disk.read(elsewhere) == old)
      #expect(Disk.read(workshop.part()) == content.bytes)
      #expect(server.requests(path).map { $0.headers["range"] } == [nil])
      #expect(facts.response?.status == 200, "\(facts)")
      if resume != nil { #expect(facts.checkpoints.first?.offset == 0) }
    }
  }

  @Test func `what stands in the place of a file is not followed elsewhere`() async throws {
    try await withWorkshop { workshop, server in
      let elsewhere = Disk.write("mine", to: "\(workshop.folder)/elsewhere")
      symlink(elsewhere, workshop.part())

      try await workshop.run(.download(server.url("/file/3/1000")))

      #expect(Disk.read(elsewhere) == Array("mine".utf8))
      #expect(Disk.read(workshop.part())?.count == 1000)
    }
  }

  @Test func `a stop keeps what came and says so`() async throws {
    try await withWorkshop { workshop, server in
      let stalled = Serving(content).with { ($0.mishap, $0.mishapAfter) = (.stall, 600_000) }
      server.play("/x", .serve(stalled))
      let order = TransferOrder.download(server.url("/x"))
      workshop.engine.start(order)
      try await workshop.log.first { if case .progressed = $0.fact { true } else { false } }

      workshop.engine.stop(order.id, attempt: 1)
      let facts = try await workshop.end(of: order)

      #expect(facts.last == .stopped)
      #expect((facts.checkpoints.last?.offset ?? 0) > 0)
    }
  }

  @Test func `a newer attempt takes over from one that still runs`() async throws {
    try await withWorkshop { workshop, server in
      let stalled = Serving(content).with { ($0.mishap, $0.mishapAfter) = (.stall, 600_000) }
      server.play("/x", .serve(stalled), .serve(Serving(content)))
      let (first, second) = (
        TransferOrder.download(server.url("/x")), TransferOrder.download(server.url("/x"), attempt: 2)
      )
      workshop.engine.start(first)
      try await workshop.log.first { if case .progressed = $0.fact { true } else { false } }

      workshop.engine.start(second)

      #expect(try await workshop.end(of: first).last == .stopped)
      #expect(try await workshop.end(of: second).response?.status == 200)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `who goes on with a file that is still written has its writer stopped, and waits until it is closed`()
    async throws
  {
    try await withWorkshop { workshop, server in
      let stalled = Serving(content).with { ($0.mishap, $0.mishapAfter) = (.stall, 600_000) }
      server.play("/x", .serve(stalled), .serve(Serving(content)))
      let writer = TransferOrder.download(server.url("/x"))
      workshop.engine.start(writer)
      try await workshop.log.first { if case .progressed = $0.fact { true } else { false } }
      var point = ResumePoint(offset: 1, validator: .entityTag("\"3-2000000\""), length: 2_000_000)
      point.heritage = writer.id
      let heir = TransferOrder.download(server.url("/x"), id: 2, resume: point)

      workshop.engine.start(heir)
      try await workshop.log.first { $0.id == heir.id }

      #expect(workshop.log.facts(of: writer.id, attempt: 1).last == .stopped)
      #expect(try await workshop.end(of: heir).response?.status == 200)
      #expect(server.requests("/x").last?.headers["range"] == "bytes=1-")
      #expect(Disk.read(workshop.part(2)) == content.bytes)
    }
  }

  @Test func `of attempts that wait only the newest begins`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .silence)
      let orders = (1...4).map { TransferOrder.download(server.url($0 == 4 ? "/file/3/10" : "/x"), attempt: $0) }

      for order in orders { workshop.engine.start(order) }

      for order in orders.dropLast() {
        let facts = try await workshop.end(of: order)
        #expect(facts.last == .stopped)
      }
      let facts = try await workshop.end(of: orders[3])
      #expect(facts.response?.status == 200)
    }
  }

  @Test func `the same attempt is not begun twice`() async throws {
    try await withWorkshop { workshop, server in
      let order = TransferOrder.download(server.url("/file/3/2000000"))
      workshop.log.hook { [engine = workshop.engine] in
        if case .progressed = $0.fact { engine.start(order) }
      }

      let facts = try await workshop.run(order)

      #expect(facts.contains { if case .progressed = $0 { true } else { false } }, "it was never begun twice")
      #expect(facts.response?.status == 200)
      #expect(server.requests("/file/3/2000000").count == 1)
    }
  }

  @Test func `a discarded transfer leaves nothing, running or not`() async throws {
    try await withWorkshop { workshop, server in
      server.play("/x", .silence)
      let order = TransferOrder.download(server.url("/x"))
      try await workshop.run(.download(server.url("/file/3/1000"), id: 2))
      workshop.engine.start(order)

      for id in [1, 2, 2, 3] as [Int64] { workshop.engine.discard(TransferID(id)) }
      try await workshop.end(of: order)
      // What is started after a discard begins behind it.
      try await workshop.run(.download(server.url("/file/3/10"), id: 1, attempt: 2))
      try await workshop.run(.download(server.url("/file/3/10"), id: 2, attempt: 2))

      #expect(Disk.read(workshop.part(1))?.count == 10)
      #expect(Disk.read(workshop.part(2))?.count == 10)
    }
  }

  @Test func `an attempt that was stopped before it began touches no file`() async throws {
    let folder = try Workshop.makeFolder()
    defer { Disk.removeFolder(folder) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let tools = Tools(
      settings: EngineSettings(), area: try StagingArea(folder, sparing: 0, helpingMax: 16 << 20), group: group,
      logger: Logger(label: "test"))
    let facts = Mutex<[TransferFact]>([])
    let attempt = try Attempt(.download("http://127.0.0.1:9/x"), tools: tools) { fact in
      facts.withLock { $0.append(fact) }
    } onEnd: { _ in
    }

    attempt.stop(keeps: false)
    attempt.start()
    try await attempt.loop.submit {}.get()
    await tools.close()

    #expect(facts.withLock { $0.last } == .stopped)
    #expect(Disk.names(in: folder) == [])
    try await group.shutdownGracefully()
  }

  @Test func `the staging folder tells whose files it holds`() async throws {
    try await withWorkshop { workshop, server in
      for name in ["12.part", "7.reply", "7.part", "x.part", "9.txt"] {
        Disk.write("", to: "\(workshop.folder)/staging/\(name)")
      }

      let transfers = try workshop.engine.stagedTransfers()
      #expect(transfers == [TransferID(7), TransferID(12)])
    }
  }

  @Test func `a staging folder that is a symbolic link is refused`() throws {
    let folder = try Workshop.makeFolder()
    defer { Disk.removeFolder(folder) }
    symlink("/tmp", "\(folder)/staging")

    #expect(throws: TransferFailure.self) { _ = try Workshop(folder: folder) }
  }

  @Test func `a shutdown stops what runs and keeps what came`() async throws {
    try await withWorkshop { workshop, server in
      let stalled = Serving(content).with { ($0.mishap, $0.mishapAfter) = (.stall, 600_000) }
      server.play("/x", .serve(stalled))
      let order = TransferOrder.download(server.url("/x"))
      workshop.engine.start(order)
      try await workshop.log.first { if case .progressed = $0.fact { true } else { false } }

      await workshop.engine.shutdown()

      #expect(workshop.log.facts(of: order.id, attempt: 1).last == .stopped)
      #expect((workshop.log.facts(of: order.id, attempt: 1).checkpoints.last?.offset ?? 0) > 0)
    }
  }

  @Test func `too little free space fails before a byte is fetched, and others go on`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/3/999999999999999")))
      let other = try await workshop.run(.download(server.url("/file/3/1000"), id: 2))

      #expect(facts.failure?.code == .diskFull)
      #expect(other.response?.status == 200)
    }
  }

  @Test func `what a download inherits is its own though there is no room to go on`() async throws {
    try await withWorkshop(settings: { $0.freeSpaceMin = 1 << 60 }) { workshop, server in
      let begun = Array(Content(seed: 3, size: 1000).bytes)
      Disk.write(begun, to: workshop.part(1))
      var point = ResumePoint(offset: 1000, validator: .entityTag("\"3-2000000\""), length: 2_000_000)
      point.heritage = TransferID(1)

      let facts = try await workshop.run(.download(server.url("/file/3/2000000"), id: 2, resume: point))

      point.heritage = nil
      #expect(facts.failure?.code == .diskFull)
      #expect(facts.checkpoints == [point])
      #expect(Disk.read(workshop.part(2)) == begun)
    }
  }

  @Test func `free space is left alone`() async throws {
    try await withWorkshop(settings: { $0.freeSpaceMin = 1 << 60 }) { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/3/1000")))
      #expect(facts.failure?.code == .diskFull)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a disk that fills up keeps what is safe`() async throws {
    let disk = try Workshop.makeFolder()
    try #require(mount("none", disk, "tmpfs", 0, "size=1m") == 0)
    let server = try await HTTPTestServer.start()
    server.play("/x", .serve(Serving(content).with { $0.isChunked = true }))
    let workshop = try Workshop(staging: "\(disk)/staging") { ($0.freeSpaceMin, $0.checkpointBytes) = (0, 100_000) }

    let facts = try await workshop.run(.download(server.url("/x")))

    let offset = facts.checkpoints.last?.offset ?? 0
    #expect(facts.failure?.code == .diskFull)
    #expect(offset > 0)
    #expect(Disk.read("\(disk)/staging/1.part").map { Array($0.prefix(Int(offset))) } == content.bytes(0..<offset))
    try await workshop.close()
    try await server.stop()
    umount2(disk, Int32(MNT_DETACH))  // The engine, which is still there, keeps its folder open.
    Disk.removeFolder(disk)
    Disk.removeFolder(workshop.folder)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>, [HTTPTestServer.Security.plain, .http2])
  func `a harsh server is outlasted`(seed: UInt64, security: HTTPTestServer.Security) async throws {
    try await withWorkshop(security, chaos: seed, settings: { $0.checkpointBytes = 50_000 }) { workshop, server in
      for id in 1...8 as ClosedRange<Int64> {
        let facts = try await workshop.outlast(server.url("/file/\(id)/400000"), id: id)

        #expect(facts.response?.status == 200)
        #expect(Disk.read(workshop.part(id)) == Content(seed: UInt64(id), size: 400_000).bytes)
      }
    }
  }
}
