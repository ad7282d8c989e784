import Crypto
import NIOCore
import NIOPosix

/// A movie that is being received: written and hashed as it comes.
struct MovieIntake: Sendable {
  let name: String
  let file: DiskFile
  private(set) var size = 0
  private var hash = SHA256()
  private var waiting = ByteBuffer()

  init(name: String, file: DiskFile) {
    self.name = name
    self.file = file
  }

  /// A movie that has come whole, over however many requests.
  init(name: String, file: DiskFile, size: Int, hash: SHA256) {
    (self.name, self.file, self.size, self.hash) = (name, file, size, hash)
  }

  /// The digest of what has been written; everything taken, after `flush`.
  var digest: SHA256.Digest { hash.finalize() }

  /// Takes the next bytes. Small pieces are gathered, so that the disk sees large ones.
  mutating func take(_ bytes: ByteBuffer) async throws {
    var bytes = bytes
    size += bytes.readableBytes
    waiting.writeBuffer(&bytes)
    if waiting.readableBytes >= FarmLimits.chunkSize { try await flush() }
  }

  /// Writes what has been gathered.
  mutating func flush() async throws {
    let (file, bytes, hash, offset) = (file, waiting, hash, size - waiting.readableBytes)
    self.hash = try await NIOThreadPool.singleton.runIfActive {
      var hash = hash
      bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
      try file.write(bytes, at: offset)
      return hash
    }
    waiting = ByteBuffer()
  }
}
