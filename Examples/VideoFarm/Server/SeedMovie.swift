import NIOCore

/// The bytes of a seeded movie: the same for the same number in every farm, and of any size.
///
/// One block of noise, repeated with each page of 4 KiB stamped with its place, so that no two pages are alike.
struct SeedMovie {
  private static let page = 4096

  private var block: ByteBuffer
  private var offset = 0
  private let size: Int

  init(number: Int, size: Int) {
    self.size = size
    block = ByteBuffer()
    block.reserveCapacity(FarmLimits.chunkSize)
    var noise = Noise(state: UInt64(number))
    while block.readableBytes < FarmLimits.chunkSize { block.writeInteger(noise.next(), endianness: .little) }
  }

  /// The next chunk; nil after the last.
  mutating func next() -> ByteBuffer? {
    guard offset < size else { return nil }
    for place in stride(from: 0, to: FarmLimits.chunkSize, by: Self.page) {
      block.setInteger(UInt64(offset + place), at: place, endianness: .little)
    }
    let chunk = block.getSlice(at: 0, length: min(size - offset, FarmLimits.chunkSize))
    offset += FarmLimits.chunkSize
    return chunk
  }
}

/// SplitMix64: noise that is the same everywhere.
private struct Noise {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
