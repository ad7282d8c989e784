import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A disk that is one.
private enum RealDisk {
  static let path = "/var/tmp"
  static let takesDirectWrites: Bool = {
    let probe = "\(path)/nightjar-direct-\(getpid())"
    defer { unlink(probe) }
    return (try? OpenFile.new(probe, failing: .cannotWrite)).flatMap(DirectFile.init) != nil
  }()

  /// How much of a file the page cache holds (mincore(2)).
  static func cachedPages(of path: String) throws -> Int {
    let file = try OpenFile(path, O_RDWR, failing: .cannotReadSource)
    let size = Int(try file.stamp().size)
    let mapped = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, file.descriptor, 0))
    defer { munmap(mapped, size) }
    var pages = [UInt8](repeating: 0, count: (size + 4095) / 4096)
    try #require(mincore(mapped, size, &pages) == 0)
    return pages.count { $0 & 1 == 1 }
  }
}

/// Downloads that go past the page cache, on a real disk: a file system in memory knows nothing of the kind.
@Suite(.timeLimit(.minutes(2)), .enabled(if: RealDisk.takesDirectWrites, "the disk of /var/tmp takes no direct writes"))
struct DirectTests {
  /// Has everything go past the page cache, in pieces of one block.
  private static func goDirect(_ settings: inout EngineSettings) {
    (settings.directBytesMin, settings.directPieceSize, settings.directWaitingMax) = (0, 4096, 50_000)
  }

  private let content = Content(seed: 3, size: 2_000_000)

  @Test(arguments: [0, 1, 4095, 4096, 12_289] as [Int64], [1, 4096, 5000, 70_000])
  func `whatever the offset and the pieces, what is written is what came`(offset: Int64, pieceSize: Int) throws {
    let folder = try Workshop.makeFolder(in: RealDisk.path)
    defer { Disk.removeFolder(folder) }
    let before = [UInt8](repeating: 7, count: Int(offset))
    let file = try #require(try OpenFile.new("\(folder)/file", failing: .cannotWrite))
    try file.write(ByteBuffer(bytes: before), at: 0)
    let place = try #require(DirectPlaces(1).take())
    var writing = DirectWriting(try #require(DirectFile(file)), place, pieceSize: pieceSize)
    var (position, came) = (offset, offset)

    for size in [1, 100_000, 3, 4096, 0, 8191] as [Int64] {
      try writing.append(ByteBuffer(bytes: content.bytes(came - offset..<came - offset + size)), at: came)
      came += size
      guard let batch = writing.nextBatch(at: position) else { continue }
      #expect(writing.nextBatch(at: position) == nil, "two batches at a time")
      try batch.write()
      writing.landed(batch)
      position += batch.count
    }
    #expect(position + writing.count == came)
    for piece in writing.drain() {
      try file.write(piece, at: position)
      position += Int64(piece.readableBytes)
    }

    #expect(position == came && writing.count == 0)
    #expect(Disk.read("\(folder)/file") == before + content.bytes(0..<came - offset))
  }

  @Test func `there are so many places past the page cache, and who goes gives his back`() {
    let places = DirectPlaces(2)
    var taken = [places.take(), places.take()]
    #expect(taken.allSatisfy { $0 != nil } && places.take() == nil)

    taken.removeLast()

    #expect(places.take() != nil)
  }

  @Test(arguments: [(0, false), (1, true)])
  func `only so many downloads at a time go past the page cache`(places: Int, isDirect: Bool) async throws {
    try await withWorkshop(in: RealDisk.path) {
      Self.goDirect(&$0)
      $0.directMax = places
    } _: { workshop, server in
      try await workshop.run(.download(server.url("/file/3/2000000")))

      let cached = try RealDisk.cachedPages(of: workshop.part())
      #expect((cached < 100) == isDirect, "the page cache holds \(cached) of 489 pages")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls])
  func `a download past the page cache comes whole, and its checkpoints never run ahead of the file`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security, in: RealDisk.path) {
      Self.goDirect(&$0)
      $0.checkpointBytes = 200_000
    } _: { workshop, server in
      let facts = try await workshop.run(.download(server.url("/file/3/2000000")))

      let offsets = facts.checkpoints.map(\.offset)
      #expect(facts.response?.status == 200, "\(facts)")
      #expect(!offsets.isEmpty && offsets == offsets.sorted() && offsets.allSatisfy { $0 <= 2_000_000 })
      let cached = try RealDisk.cachedPages(of: workshop.part())
      #expect(cached < 100, "the page cache holds \(cached) of 489 pages")
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `a download past the page cache comes whole from a server that sends it in parts`() async throws {
    try await withWorkshop(in: RealDisk.path, settings: Self.goDirect) { workshop, server in
      server.play("/x", .serve(Serving(content).with { $0.rangeMax = 300_001 }))
      Disk.write(content.bytes(0..<100_001), to: workshop.part())
      let resume = ResumePoint(offset: 100_001, validator: .entityTag("\"3-2000000\""), length: 2_000_000)

      let facts = try await workshop.run(.download(server.url("/x"), resume: resume))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(server.requests("/x").count == 7)
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test(
    arguments: [(nil, true), ("/dev/shm/file", false), ("/var/tmp/file", true)] as [(String?, Bool)], [false, true])
  func `only what the engine does not read again goes past the page cache`(
    to place: (path: String?, isNear: Bool), isChecked: Bool
  ) async throws {
    try await withWorkshop(in: RealDisk.path, settings: Self.goDirect) { workshop, server in
      let checksum = isChecked ? Checksum(.sha256, digits: content.sha256) : nil
      var order = TransferOrder.download(server.url("/file/3/2000000")) { $0.options.checksum = checksum }
      order.request.destination = place.path.map { Destination(path: $0) }

      let facts = try await workshop.run(order)

      let cached = try RealDisk.cachedPages(of: workshop.part())
      #expect(facts.response?.status == 200, "\(facts)")
      #expect((cached < 100) == (place.isNear && !isChecked), "the page cache holds \(cached) of 489 pages")
    }
  }

  @Test func `a write past the page cache for which there is no room is a full disk, and what came is kept`() async {
    await #expect(processExitsWith: .success) {
      try await withWorkshop(in: RealDisk.path) {
        Self.goDirect(&$0)
        $0.checkpointBytes = 100_000
      } _: { workshop, server in
        FullDiskTests.boundFiles(to: 1_000_000)

        let full = try await workshop.run(.download(server.url("/file/3/2000000")))
        let offset = full.checkpoints.last?.offset ?? 0
        let kept = Disk.read(workshop.part())?.prefix(Int(offset))
        FullDiskTests.boundFiles(to: .max)
        let room = try await workshop.run(
          .download(server.url("/file/3/2000000"), attempt: 2, resume: full.checkpoints.last))

        precondition(full.failure?.code == .diskFull, "\(full)")
        precondition(offset > 0 && kept.map(Array.init) == Content(seed: 3, size: 2_000_000).bytes(0..<offset))
        precondition(room.response?.status == 200, "\(room)")
        precondition(Disk.read(workshop.part()) == Content(seed: 3, size: 2_000_000).bytes, "bytes are wrong")
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `a harsh server is outlasted past the page cache`(seed: UInt64) async throws {
    try await withWorkshop(chaos: seed, in: RealDisk.path) {
      Self.goDirect(&$0)
      $0.checkpointBytes = 50_000
    } _: { workshop, server in
      for id in 1...4 as ClosedRange<Int64> {
        let facts = try await workshop.outlast(server.url("/file/\(id)/400000"), id: id)

        #expect(facts.response?.status == 200)
        #expect(Disk.read(workshop.part(id)) == Content(seed: UInt64(id), size: 400_000).bytes)
      }
    }
  }
}
