import Foundation
import NightjarWire

/// The delegate methods that a session's delegate has turned out not to implement. Kept beside the session's outbox, so
/// that no later life of the app is woken to be asked again.
///
/// It is valid only for the same class of delegate and the same program file, since another build may implement the
/// methods. If the file is lost or cannot be read, everything is asked once more.
struct LearnedAsks: Codable, Hashable {
  /// The delegate's class, and the build of the program it belongs to.
  var witness: String
  /// Whether to ask about certificates that the system trusts.
  var everyCertificate: Bool
  /// Whether to ask about delayed tasks when their time has come.
  var delays: Bool

  /// What was learned about a delegate.
  init(_ asks: AppInterface.Asks, of delegate: any URLSessionDelegate) {
    witness = Self.witness(of: delegate)
    (everyCertificate, delays) = (asks.everyCertificate ?? true, asks.delays ?? true)
  }

  /// Reads what is known of a delegate; nil if nothing is known of this class in this build.
  init?(from path: String, of delegate: any URLSessionDelegate) {
    guard let data = FileManager.default.contents(atPath: path),
      let known = try? JSONDecoder().decode(Self.self, from: data), known.witness == Self.witness(of: delegate)
    else { return nil }
    self = known
  }

  /// Writes the file, without syncing: a power cut may lose it.
  func write(to path: String) throws(FileTrouble) {
    guard let data = try? JSONEncoder().encode(self) else { preconditionFailure("no JSON for \(self)") }
    let file = try OwnedDescriptor(opening: path + ".new", O_RDWR | O_CREAT | O_TRUNC)
    try file.write(data, at: 0)
    guard rename(path + ".new", path) == 0 else { throw FileTrouble("replace", path) }
  }

  /// The questions that the daemon should ask.
  var asks: AppInterface.Asks {
    AppInterface.Asks(credentials: true, everyCertificate: everyCertificate, delays: delays)
  }

  private static func witness(of delegate: any URLSessionDelegate) -> String {
    "\(String(reflecting: type(of: delegate))) \(program)"
  }

  /// Identifies the running program's file: another build is another file.
  private static let program = look(of: "/proc/self/exe")

  /// Identifies a file by its inode, size and mtime. An mtime before 1970 is negative.
  static func look(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "unknown" }
    let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), UInt64(status.st_mtim.tv_nsec))
    return [UInt64(status.st_ino), UInt64(status.st_size), UInt64(bitPattern: seconds), nanoseconds]
      .map { String($0, radix: 16) }.joined(separator: "-")
  }
}

extension AppInterface.Asks {
  /// What is asked by both.
  func both(_ other: Self) -> Self {
    func both(_ part: KeyPath<Self, Bool?>) -> Bool { self[keyPath: part] == true && other[keyPath: part] == true }
    return Self(credentials: both(\.credentials), everyCertificate: both(\.everyCertificate), delays: both(\.delays))
  }
}
