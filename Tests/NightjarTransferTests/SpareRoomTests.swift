import Logging
import NIOCore
import NightjarModel
import NightjarTransfer
import ScriptedServer
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A small file system that transfers would fill, and the spare on it that the database needs.
@Suite(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
struct SpareRoomTests {
  private static let mebibyte: Int64 = 1 << 20
  private static let spare = 8 * mebibyte

  /// The staging area's file system, 48 MiB large, 8 of them to be left alone.
  private struct SmallDisk {
    let path: String
    let workshop: Workshop
    let server: HTTPTestServer

    var free: Int64 {
      var status = statvfs()
      precondition(statvfs(path, &status) == 0, "no file system at \(path)")
      return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    func size(_ id: Int64) -> Int64 { Disk.stamp("\(path)/staging/\(id).part").size }
  }

  private func withSmallDisk(
    _ change: (inout EngineSettings) -> Void = { _ in }, _ body: (SmallDisk) async throws -> Void
  ) async throws {
    let path = try Workshop.makeFolder()
    try #require(mount("none", path, "tmpfs", 0, "size=48m") == 0)
    let server = try await HTTPTestServer.start()
    let workshop = try Workshop(staging: "\(path)/staging") {
      $0.freeSpaceMin = Self.spare
      $0.progressInterval = .zero
      change(&$0)
    }
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(SmallDisk(path: path, workshop: workshop, server: server)))
    } catch { result = .failure(error) }
    try await workshop.close()
    try await server.stop()
    umount2(path, Int32(MNT_DETACH))  // The engine, which is still there, keeps its folder open.
    Disk.removeFolder(path)
    Disk.removeFolder(workshop.folder)
    try result.get()
  }

  /// The least that was free at any fact of the engine.
  private func watch(_ disk: SmallDisk) -> Least {
    let least = Least()
    disk.workshop.log.hook { _ in least.see(disk.free) }
    return least
  }

  @Test(arguments: [nil, "\"a\""])
  func `a body without an end leaves the spare alone, and then gives back what cannot be gone on with`(tag: String?)
    async throws
  {
    try await withSmallDisk {
      $0.checkpointBytes = 4 << 20
    } _: { disk in
      let least = watch(disk)
      let endless = Serving(Content(seed: 3, size: 1 << 40)).with { ($0.isChunked, $0.tag) = (true, tag) }
      disk.server.play("/x", .serve(endless))

      let facts = try await disk.workshop.run(.download(disk.server.url("/x")))

      let point = facts.checkpoints.last
      #expect(facts.failure?.code == .diskFull, "\(facts)")
      #expect(facts.failure?.detail.contains("8 MiB to spare") == true, "\(facts)")
      #expect(least.value >= Self.spare, "only \(least.value) bytes were free")
      #expect(disk.size(1) == point?.offset)
      // All that came is safe, or of no use.
      #expect(tag == nil ? disk.size(1) == 0 : disk.size(1) > 38 * Self.mebibyte, "\(disk.size(1))")
    }
  }

  @Test func `a body that unfolds to more than there is room for leaves the spare alone`() async throws {
    try await withSmallDisk { disk in
      let least = watch(disk)
      disk.server.play("/x", .bytes(Zip.bomb(60 << 20), headers: ["Content-Encoding": "gzip"]))

      let facts = try await disk.workshop.run(.download(disk.server.url("/x")))

      #expect(facts.failure?.code == .diskFull, "\(facts)")
      #expect(least.value >= Self.spare, "only \(least.value) bytes were free")
      #expect(disk.size(1) == 0)
    }
  }

  @Test func `of four that do not fit together two come whole, and the others when there is room`() async throws {
    try await withSmallDisk { disk in
      let least = watch(disk)
      let orders = (1...4 as ClosedRange<Int64>).map { id in
        let held = Serving(Content(seed: 1, size: 15_000_000)).with { ($0.mishap, $0.mishapAfter) = (.hold, 1_000_000) }
        disk.server.play("/\(id)", .serve(held))
        return TransferOrder.download(disk.server.url("/\(id)"), id: id)
      }

      for order in orders { disk.workshop.engine.start(order) }
      for order in orders {  // Each has looked for its room before any has used its own up.
        try await disk.workshop.log.first { [id = order.id] entry in
          if case .progressed = entry.fact { entry.id == id } else { entry.id == id && entry.fact.isTerminal }
        }
      }
      for order in orders { disk.server.release("/\(order.id)") }
      var (whole, waiting): ([TransferOrder], [TransferOrder]) = ([], [])
      for order in orders {
        let facts = try await disk.workshop.end(of: order)
        if facts.response?.status == 200 { whole.append(order) }
        if facts.failure?.code == .diskFull { waiting.append(order) }
      }
      let sizes = waiting.map { disk.size($0.id.rawValue) }
      try #require(whole.count == 2 && waiting.count == 2)
      for var order in whole {  // What is started behind a removal begins once that has made room.
        disk.workshop.engine.discard(order.id)
        (order.attempt, order.request.url) = (2, disk.server.url("/file/1/10"))
        try await disk.workshop.run(order)
      }
      for var order in waiting {
        order.attempt = 2
        let facts = try await disk.workshop.run(order)
        #expect(facts.response?.status == 200, "\(facts)")
        #expect(disk.size(order.id.rawValue) == 15_000_000)
      }

      #expect(sizes == [0, 0])
      #expect(least.value >= Self.spare, "only \(least.value) bytes were free")
    }
  }

  @Test func `a file that has come whole stays whole however little room there is`() async throws {
    try await withSmallDisk {
      $0.checkpointBytes = 1 << 20
    } _: { disk in
      let size: Int64 = 15_000_000
      var order = TransferOrder.download(disk.server.url("/file/1/\(size)"))
      let first = try await disk.workshop.run(order)
      let validator = try #require(first.checkpoints.last?.validator)
      order.resume = ResumePoint(offset: size, validator: validator, length: size)
      let filler = Disk.write(Content(seed: 2, size: disk.free - Self.spare / 2).bytes, to: "\(disk.path)/filler")

      order.attempt = 2
      let full = try await disk.workshop.run(order)
      let kept = disk.size(1)
      unlink(filler)
      order.attempt = 3
      let last = try await disk.workshop.run(order)

      #expect(full.failure?.code == .diskFull && kept == size, "\(full)")
      #expect(last.response?.status == 200 || last.response?.status == 206, "\(last)")
      #expect(disk.server.requests("/file/1/\(size)").last?.headers["range"] == "bytes=\(size - 1)-")
    }
  }

  @Test func `what comes while an earlier version goes finds the room that this makes`() async throws {
    try await withSmallDisk {
      $0.checkpointBytes = 1 << 20
    } _: { disk in
      disk.server.play("/x", .serve(Serving(Content(seed: 1, size: 30_000_000)).with { $0.tag = "\"old\"" }))
      var order = TransferOrder.download(disk.server.url("/x"))
      let first = try await disk.workshop.run(order)
      order.resume = first.checkpoints.last
      try #require(order.resume != nil)
      let rest = disk.free - Self.spare - 16_384
      Disk.write(Content(seed: 2, size: rest).bytes, to: "\(disk.path)/filler")
      disk.server.play("/x", .serve(Serving(Content(seed: 3, size: 300_000)).with { $0.tag = "\"new\"" }))

      order.attempt = 2
      let second = try await disk.workshop.run(order)

      #expect(second.response?.status == 200, "\(second)")
      #expect(disk.size(1) == 300_000)
    }
  }

  @Test func `the answer to an upload leaves the spare alone`() async throws {
    try await withSmallDisk {
      $0.replyMax = 1 << 30
    } _: { disk in
      let least = watch(disk)
      disk.server.play("/x", .serve(Serving(Content(seed: 1, size: 60 << 20)).with { $0.isChunked = true }))
      let source = Disk.write("a", to: "\(disk.workshop.folder)/source")

      let facts = try await disk.workshop.run(.upload(source, to: disk.server.url("/x")))

      #expect(facts.response?.status == 200)
      #expect(facts.loss?.contains("8 MiB to spare") == true, "\(facts)")
      #expect(least.value >= Self.spare, "only \(least.value) bytes were free")
    }
  }

  @Test func `what is of no use to the next attempt goes, and what it goes on with stays`() async throws {
    try await withSmallDisk { disk in
      let staging = "\(disk.path)/staging"
      for name in ["1.part", "2.part", "3.part", "4.reply"] {
        Disk.write(Content(seed: 1, size: 3_000_000).bytes, to: "\(staging)/\(name)")
      }
      link("\(staging)/3.part", "\(disk.path)/given")

      for (id, bytes) in [(1, 0), (2, 1_000_000), (2, 2_000_000), (3, 1_000_000), (4, 0), (5, 7), (6, 0)]
        as [(Int64, Int64)]
      {
        try disk.workshop.engine.trim(TransferID(id), to: bytes)
      }

      #expect(Disk.names(in: staging) == ["2.part", "3.part"])
      #expect((disk.size(2), disk.size(3)) == (1_000_000, 3_000_000))
    }
  }
}

/// The least of what was seen.
private final class Least: Sendable {
  private let least = Mutex(Int64.max)
  var value: Int64 { least.withLock { $0 } }
  func see(_ number: Int64) { least.withLock { $0 = min($0, number) } }
}
