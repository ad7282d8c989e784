import NightjarModel
import Synchronization
import Testing

@testable import NightjarTransfer

struct FreeSpaceTests {
  @Test(
    arguments: [
      (0, 4096, 0), (10, 4096, 40_960), (1_099_511_627_775, 16_777_216, .max), (.max, 1, .max), (.max, .max, .max),
    ] as [(UInt64, UInt64, Int64)])
  func `free space that no number holds is as much as one can hold`(blocks: UInt64, size: UInt64, bytes: Int64) {
    #expect(OpenFile.bytes(blocks, of: size) == bytes)
  }

  @Test(
    arguments: [
      (100, 60, 40, true), (100, 61, 40, false), (0, 0, 0, true), (.max, .max, 0, true), (.max, .max, 1, false),
      (100, .max, .max, false), (.max, 1_000_000, 1_000_000, true),
    ] as [(Int64, Int64, Int64, Bool)])
  func `there is room for what fits beside what is to be spared`(
    free: Int64, bytes: Int64, spare: Int64, hasRoom: Bool
  ) {
    #expect(OpenFile.hasRoom(in: free, for: bytes, beyond: spare) == hasRoom)
  }

  @Test(
    arguments: [
      (0, 0, "0 KiB are free for /x, which needs 64 MiB to spare"),
      (66_999_000, 1, "63.8 MiB are free for /x, which needs 0.1 KiB and 64 MiB to spare"),
      (1 << 30, 1 << 30, "1 GiB are free for /x, which needs 1 GiB and 64 MiB to spare"),
      (1 << 41, 3 << 40 + 1, "2 TiB are free for /x, which needs 3.1 TiB and 64 MiB to spare"),
      (1 << 30, .max, "1 GiB are free for /x, which needs more than any disk holds, and 64 MiB to spare"),
    ] as [(Int64, Int64, String)])
  func `what is free is told rounded down, and what is needed up`(free: Int64, bytes: Int64, words: String) {
    #expect(TransferFailure.noRoom(for: bytes, of: "/x", in: free, beyond: 64 << 20).detail == words)
  }
}

/// How free space is shared out: beyond the spare of 64, told as it would be after what was written.
struct FreeSpaceShareTests {
  private static let mebibyte: Int64 = 1 << 20
  private let disk = Disk(free: 400 * mebibyte)
  private let space: FreeSpace

  private final class Disk: Sendable {
    let free: Mutex<Int64?>
    init(free: Int64) { self.free = Mutex(free) }

    /// Bytes are written by the owner of a share, or by somebody else.
    func take(_ bytes: Int64) { free.withLock { $0 = $0.map { $0 - bytes } } }
  }

  init() { space = Self.space(on: disk) }

  private static func space(on disk: Disk, countsLate: Bool = false) -> FreeSpace {
    FreeSpace(sparing: 64 * mebibyte, helpingMax: 16 * mebibyte, countsLate: countsLate) { disk.free.withLock { $0 } }
  }

  /// Writes as an attempt does, until there is no room or it is done; how far it came.
  private func write(_ share: FreeSpace.Share, from start: Int64 = 0, upTo end: Int64) -> Int64 {
    var offset = start
    while offset < end, (try? share.admit(upTo: min(offset + 300_000, end))) != nil {
      let next = min(offset + 300_000, end)
      disk.take(next - offset)
      share.wrote(upTo: next)
      offset = next
    }
    return offset
  }

  private func refusal(_ body: () throws(TransferFailure) -> Void) -> TransferFailure? {
    do {
      try body()
      return nil
    } catch { return error }
  }

  @Test func `who does not know the length fills what there is, and not a byte of the spare`() {
    let share = space.share(of: "/x", from: 0)

    let written = write(share, upTo: .max)

    #expect((336 * Self.mebibyte - 300_000..<336 * Self.mebibyte + 1).contains(written))
    #expect(refusal { () throws(TransferFailure) in try share.admit(upTo: written + 300_000) }?.code == .diskFull)
  }

  @Test func `of four that do not fit together two are promised all, and the others wait for one to be gone`() throws {
    let length = 150 * Self.mebibyte
    let first = space.share(of: "/1", from: 0)
    try first.reserve(upTo: length)
    var second: FreeSpace.Share? = space.share(of: "/2", from: 0)
    try second?.reserve(upTo: length)
    let others = [space.share(of: "/3", from: 0), space.share(of: "/4", from: 0)]

    let refusals = others.map { other in refusal { () throws(TransferFailure) in try other.reserve(upTo: length) } }
    let written = write(first, upTo: length)
    second = nil
    try others[0].reserve(upTo: length)

    #expect(refusals.map(\.?.code) == [.diskFull, .diskFull])
    #expect(refusals[0]?.detail.contains("300 MiB are promised to others") == true)
    #expect(written == length)
    #expect(write(others[0], upTo: length) == length)
  }

  @Test func `what was promised is not given to who does not know the length`() throws {
    let (known, unknown) = (space.share(of: "/1", from: 0), space.share(of: "/2", from: 0))
    try known.reserve(upTo: 300 * Self.mebibyte)

    let written = write(unknown, upTo: .max)

    #expect(written <= 36 * Self.mebibyte && written > 30 * Self.mebibyte)
    #expect(write(known, upTo: 300 * Self.mebibyte) == 300 * Self.mebibyte)
  }

  @Test func `a promise does not help against other programs, and then the spare is left alone as well`() throws {
    let share = space.share(of: "/x", from: 0)
    try share.reserve(upTo: 300 * Self.mebibyte)
    let begun = write(share, upTo: 50 * Self.mebibyte)

    disk.take(200 * Self.mebibyte)
    let written = write(share, from: begun, upTo: 300 * Self.mebibyte)

    // What it had been given when the other program came may be in the spare, and no more.
    let free = try #require(disk.free.withLock { $0 })
    #expect(written < 300 * Self.mebibyte)
    #expect(free >= 64 * Self.mebibyte - 16 * Self.mebibyte)
    #expect(refusal { () throws(TransferFailure) in try share.admit(upTo: written + 300_000) }?.code == .diskFull)
  }

  @Test func `where bytes seem free until they are synced nothing is given twice`() throws {
    let space = Self.space(on: disk, countsLate: true)
    let (first, second) = (space.share(of: "/1", from: 0), space.share(of: "/2", from: 0))
    try first.admit(upTo: 200 * Self.mebibyte)
    first.wrote(upTo: 200 * Self.mebibyte)  // What is free stays 400.

    let refused = refusal { () throws(TransferFailure) in try second.admit(upTo: 140 * Self.mebibyte) }
    disk.take(200 * Self.mebibyte)
    first.synced(upTo: 200 * Self.mebibyte)
    let both = refusal { () throws(TransferFailure) in try first.admit(upTo: 340 * Self.mebibyte) }
    try second.admit(upTo: 100 * Self.mebibyte)

    #expect(refused?.code == .diskFull && both?.code == .diskFull)
  }

  @Test func `what was written before counts once, and what is begun again not at all`() throws {
    let share = space.share(of: "/x", from: 100 * Self.mebibyte)
    try share.reserve(upTo: 436 * Self.mebibyte)
    disk.take(10 * Self.mebibyte)
    share.wrote(upTo: 110 * Self.mebibyte)
    let other = space.share(of: "/y", from: 0)
    let hasRoom = (try? other.admit(upTo: 1)) != nil

    share.restart()
    try other.admit(upTo: 1)

    #expect(!hasRoom)
  }

  @Test func `where there is no bound there is always room`() throws {
    disk.free.withLock { $0 = nil }
    let shares = [space.share(of: "/x", from: 0), space.share(of: "/y", from: 0)]

    for share in shares { try share.reserve(upTo: .max) }
    for share in shares { try share.admit(upTo: 1 << 50) }
    disk.free.withLock { $0 = 0 }

    #expect(refusal { () throws(TransferFailure) in try shares[0].admit(upTo: 1 << 51) }?.code == .diskFull)
  }

  @Test func `however many come and go at a time, all room is there again in the end`() async throws {
    await withTaskGroup(of: Void.self) { [space] group in
      for number in 0..<64 as Range<Int64> {
        group.addTask {
          let share = space.share(of: "/\(number)", from: 0)
          try? share.reserve(upTo: number * 3 << 20)
          for step in 1...50 as ClosedRange<Int64> {
            guard (try? share.admit(upTo: step << 20)) != nil else { break }
            share.wrote(upTo: step << 20)
          }
        }
      }
    }

    try space.share(of: "/last", from: 0).reserve(upTo: 336 * Self.mebibyte)
  }
}
