import Crypto
import NIOCore
import NightjarModel

/// The hash of a file, computed step by step from its first byte.
///
/// `@unchecked Sendable`: one file job at a time steps it, and its attempt looks only in between.
final class FileHash: @unchecked Sendable {
  private let file: OpenFile
  private let length: Int64
  private var hash: any HashFunction
  /// What one step reads: short enough that an attempt can be stopped in between.
  private let stepSize: Int64
  private var offset: Int64 = 0

  private static let pieceSize = 1 << 20

  init(of file: OpenFile, length: Int64, by algorithm: Checksum.Algorithm, stepSize: Int64) {
    (self.file, self.length, self.stepSize) = (file, length, stepSize)
    hash =
      switch algorithm {
      case .sha256: SHA256()
      case .sha512: SHA512()
      case .sha1: Insecure.SHA1()
      case .md5: Insecure.MD5()
      }
  }

  /// Reads on for a while; the hash in lowercase hexadecimal once it has come to the end. Blocks.
  func step() throws(TransferFailure) -> String? {
    let end = min(offset + stepSize, length)
    while offset < end {
      let piece = try read(Int(min(Int64(Self.pieceSize), end - offset)))
      guard piece.readableBytes > 0 else {
        throw TransferFailure(.cannotWrite, "\(file.path) became shorter while it was verified")
      }
      piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
      offset += Int64(piece.readableBytes)
    }
    return offset == length ? digits() : nil
  }

  /// A file that cannot be read here is our own, and no client's.
  private func read(_ count: Int) throws(TransferFailure) -> ByteBuffer {
    do throws(TransferFailure) { return try file.read(count, at: offset) } catch {
      throw error.code == .cannotReadSource ? TransferFailure(.cannotWrite, error.detail) : error
    }
  }

  private func digits() -> String {
    let bytes = Array(hash.finalize())
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
