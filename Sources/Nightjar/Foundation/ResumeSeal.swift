import Foundation
import Synchronization

/// The seal on an app's resume data, by which it knows what it has made itself.
///
/// Resume data says which URL is loaded and, for an upload, which file is sent there. An app may keep it where others
/// can write, or be handed it by others: whoever could make it up could have any file of the app sent to any server. So
/// a code (HMAC, RFC 2104) stands behind it, whose key never leaves the app's container, or the state folder, where all
/// programs of a user have one. Data without the code is refused. The key is made when it is first needed, and lasts as
/// long as its folder.
final class ResumeSeal: Sendable {
  /// Gives a file a second name that nothing has yet, as link(2) does: 0, or -1 and an errno.
  typealias Linking = @Sendable (_ file: String, _ name: String) -> CInt

  private let path: String
  private let secondName: Linking
  private let keys = Mutex(Keys())

  /// - Parameters:
  ///   - path: The file of the key.
  ///   - secondName: How the key gets its name, if the file system has hard links.
  init(keptAt path: String, secondName: @escaping Linking = { link($0, $1) }) {
    (self.path, self.secondName) = (path, secondName)
  }

  /// Puts the seal on data.
  func sealed(_ data: Data) -> Data { data + Self.code(of: data, ownKeys[0]) }

  /// The data under its seal; nil if the app has not made it, or if it was changed.
  func opened(_ sealed: Data) -> Data? {
    guard sealed.count > Self.codeBytes else { return nil }
    let (data, code) = (Data(sealed.dropLast(Self.codeBytes)), sealed.suffix(Self.codeBytes))
    return ownKeys.contains { Self.isSame(Self.code(of: data, $0), code) } ? data : nil
  }

  /// The size of the code, and of the key, in bytes.
  static let codeBytes = 32

  private static func code(of data: Data, _ key: [UInt8]) -> [UInt8] { Hashes.hmacSHA256(Array(data), key: key) }

  /// Compares in a time that does not tell how much is the same.
  private static func isSame(_ one: [UInt8], _ other: Data) -> Bool {
    zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: The key

  private struct Keys {
    /// The key in the file, once it is known.
    var kept: [UInt8]?
    /// A key for this life, made when that in the file could not be had.
    var passing: [UInt8]?
  }

  /// The keys that open what the app has made, at least one; the first seals. What keeps the file's key from being had
  /// may pass, such as too many open files, so it is looked for again until it is known.
  private var ownKeys: [[UInt8]] {
    keys.withLock { keys in
      if keys.kept == nil {
        do throws(FileTrouble) { keys.kept = try keptKey() } catch {
          keys.passing = keys.passing ?? passingKey(because: error)
        }
      }
      return [keys.kept, keys.passing].compactMap { $0 }
    }
  }

  private func passingKey(because trouble: FileTrouble) -> [UInt8] {
    Console.warn("resume data that is made now is of no use to a later life of the app: \(trouble)")
    return Self.newKey()
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
    try put(draft, in: folder)
  }

  /// Gives a draft the key's name, unless another has it by now. A file system without hard links (FAT, the shared
  /// folder of a virtual machine) can only rename after a look: the folder's lock keeps others out meanwhile.
  private func put(_ draft: String, in folder: String) throws(FileTrouble) {
    let names = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    if secondName(draft, path) != 0, errno != EEXIST {
      _ = unlessInterrupted { flock(names.raw, LOCK_EX) }
      guard access(path, F_OK) == 0 || rename(draft, path) == 0 else { throw FileTrouble("make", path) }
    }
    _ = fsync(names.raw)  // Not every file system can sync a folder; the key in the file is the one to use.
  }

  private static func newKey() -> [UInt8] { (0..<codeBytes).map { _ in .random(in: .min ... .max) } }
}

extension ResumeSeal {
  /// The seal of a process that has made no link: to make one ends the registration of a program.
  fileprivate static let own = ResumeSeal(
    keptAt: Place.resumeKey(environment: ProcessInfo.processInfo.environment))
}

extension URLSession {
  /// The seal on the resume data of its tasks: one for all sessions of the app.
  var seal: ResumeSeal {
    switch home {
    case .process: Link.made?.seal ?? .own
    case .daemon(let link): link.seal
    }
  }
}
