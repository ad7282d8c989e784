import CNightjarZlib

/// Compresses bodies for tests, as servers do.
public enum Zip {
  /// A gzip member (RFC 1952).
  public static func gzip(_ bytes: [UInt8]) -> [UInt8] { code(bytes, windowBits: 15 + 16) }
  /// What `deflate` means in HTTP (RFC 1950).
  public static func zlib(_ bytes: [UInt8]) -> [UInt8] { code(bytes, windowBits: 15) }
  /// What some servers send under that name (RFC 1951).
  public static func bare(_ bytes: [UInt8]) -> [UInt8] { code(bytes, windowBits: -15) }

  /// A gzip member of this many zeros, made without holding them in memory.
  public static func bomb(_ count: Int) -> [UInt8] { code([], thenZeros: count, windowBits: 15 + 16) }

  private static func code(_ bytes: [UInt8], thenZeros zeros: Int = 0, windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    precondition(nightjar_deflate_begin(&stream, windowBits) == Z_OK, "zlib refuses to begin")
    defer { deflateEnd(&stream) }
    var coded = push(bytes, &stream, isLast: zeros == 0)
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    var left = zeros
    while left > 0 {
      let count = min(left, piece.count)
      left -= count
      coded += push(Array(piece[..<count]), &stream, isLast: left == 0)
    }
    return coded
  }

  private static func push(_ bytes: [UInt8], _ stream: inout z_stream, isLast: Bool) -> [UInt8] {
    var (coded, bytes) = ([UInt8](), bytes)
    let count = bytes.count
    var room = [UInt8](repeating: 0, count: 256 << 10)
    bytes.withUnsafeMutableBufferPointer { input in
      (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(count))
      repeat {
        let size = room.count
        let left = room.withUnsafeMutableBufferPointer { output in
          (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(size))
          deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
          return Int(stream.avail_out)
        }
        coded += room[..<(size - left)]
      } while stream.avail_out == 0
    }
    return coded
  }
}
