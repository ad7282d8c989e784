import Foundation
import Synchronization

/// The seal on an app's resume data, by which it knows what it has made itself.
///
/// Resume data says which URL is loaded and, for an upload, which file is sent there. An app may keep it where others
/// can write, or be handed it by others: whoever could make it up could have any file of the app sent to any server. So
/// a code (HMAC, RFC 2104) stands behind it, whose key never leaves the app's container. Data without the code is
/// refused. The key is made when it is first needed, and lasts for as long as the container.
final class ResumeSeal: Sendable {
  private let path: String
  private let key = Mutex<[UInt8]?>(nil)

  /// - Parameter path: The file of the key.
  init(keptAt path: String) { self.path = path }

  /// Puts the seal on data.
  func sealed(_ data: Data) -> Data { data + code(of: data) }

  /// The data under its seal; nil if the app has not made it, or if it was changed.
  func opened(_ sealed: Data) -> Data? {
    guard sealed.count > Self.codeBytes else { return nil }
    let data = Data(sealed.dropLast(Self.codeBytes))
    return Self.isSame(code(of: data), sealed.suffix(Self.codeBytes)) ? data : nil
  }

  /// The size of the code, and of the key, in bytes.
  static let codeBytes = 32

  private func code(of data: Data) -> [UInt8] { Hashes.hmacSHA256(Array(data), key: ownKey) }

  /// Compares in a time that does not tell how much is the same.
  private static func isSame(_ one: [UInt8], _ other: Data) -> Bool {
    zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: The key

  private var ownKey: [UInt8] {
    key.withLock { key in
      if let key { return key }
      let found = foundKey
      key = found
      return found
    }
  }

  /// A key that cannot be kept serves for this life.
  private var foundKey: [UInt8] {
    do throws(FileTrouble) { return try keptKey() } catch {
      Console.warn("resume data that is made now is of no use to a later life of the app: \(error)")
      return Self.newKey()
    }
  }

  /// Reads the key, or makes one. Of two processes that do so at once, both have the key of the first.
  private func keptKey() throws(FileTrouble) -> [UInt8] {
    if let key = try storedKey() { return key }
    try store(Self.newKey())
    guard let key = try storedKey() else { throw FileTrouble("read", path) }
    return key
  }

  /// The key in the file; nil without one. A file that is none is removed.
  private func storedKey() throws(FileTrouble) -> [UInt8]? {
    guard access(path, F_OK) == 0 else { return nil }
    let key = try OwnedDescriptor(opening: path, O_RDONLY | O_NOFOLLOW).contents()
    if key.count == Self.codeBytes { return key }
    unlink(path)
    return nil
  }

  /// Keeps a key, unless there is one by now. It is whole and synced before it has its name.
  private func store(_ key: [UInt8]) throws(FileTrouble) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let draft = "\(path).\(UUID().uuidString)"
    let file = try OwnedDescriptor(opening: draft, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    defer { unlink(draft) }
    try file.write(key, at: 0)
    try file.sync()
    guard link(draft, path) == 0 || errno == EEXIST else { throw FileTrouble("make", path) }
    let names = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    guard fsync(names.raw) == 0 else { throw FileTrouble("sync", folder) }
  }

  private static func newKey() -> [UInt8] { (0..<codeBytes).map { _ in .random(in: .min ... .max) } }
}

extension URLSession {
  /// The seal on the resume data of its tasks: one for all sessions of the app.
  var seal: ResumeSeal {
    switch home {
    case .process: Link.shared.seal
    case .daemon(let link): link.seal
    }
  }
}
