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
}
