import Crypto

/// SHA-256 (FIPS 180-4) in lowercase hexadecimal, to be compared with sha256sum(1).
public struct SHA256: Sendable {
  private var hash = Crypto.SHA256()

  /// The digest of nothing, so far.
  public init() {}

  /// The digest of some bytes.
  public static func hex(_ bytes: some Collection<UInt8>) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.hex()
  }

  /// Adds bytes.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
      hash.update(data: Array(bytes))
    }
  }

  /// The digest of all that was added.
  public func hex() -> String {
    hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
