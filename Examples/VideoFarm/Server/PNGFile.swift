/// Writes a PNG file (RFC 2083) of 8-bit true colour, its pixels stored rather than compressed.
struct PNGFile {
  private let width: Int
  private let height: Int
  private var rows: [UInt8] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Adds the next row from the top: three bytes for each pixel.
  mutating func append(row: [UInt8]) {
    precondition(row.count == width * 3, "a row of \(row.count) bytes does not hold \(width) pixels")
    rows += [0] + row  // No filter.
  }

  var bytes: [UInt8] {
    let head = Self.big(UInt32(width)) + Self.big(UInt32(height)) + [8, 2, 0, 0, 0]
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return signature + Self.chunk("IHDR", head) + Self.chunk("IDAT", Self.zlib(rows)) + Self.chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + body
    return big(UInt32(body.count)) + named + big(crc32(named))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
  private static func zlib(_ plain: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = plain[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      stream += [rest.isEmpty ? 1 : 0] + little(length) + little(~length) + block
    } while !rest.isEmpty
    return stream + big(adler32(plain))
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in (value >> 1) ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    let (low, high) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    return high << 16 | low
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func little(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}
