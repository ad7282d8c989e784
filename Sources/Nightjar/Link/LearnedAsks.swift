import Foundation
import NightjarWire

/// What a session's delegate has been found to leave out, kept beside its outbox, so that no later life of the app is
/// woken to be asked it again.
///
/// It is believed only while the delegate is of the same class and the program's file is the same: another build may have
/// written the method. A file that is lost or cannot be read means that everything is asked once more.
struct LearnedAsks: Codable, Hashable {
  /// The delegate's class, and which build of the program it belongs to.
  var witness: String
  /// Whether certificates that the system trusts are to be shown.
  var everyCertificate: Bool
  /// Whether tasks that were put off ask when their time has come.
  var delays: Bool

  /// What was found out about a delegate.
  init(_ asks: AppInterface.Asks, of delegate: any URLSessionDelegate) {
    witness = Self.witness(of: delegate)
    (everyCertificate, delays) = (asks.everyCertificate ?? true, asks.delays ?? true)
  }

  /// What is known of a delegate; nil if nothing, or only of another.
  init?(from path: String, of delegate: any URLSessionDelegate) {
    guard let data = FileManager.default.contents(atPath: path),
      let known = try? JSONDecoder().decode(Self.self, from: data), known.witness == Self.witness(of: delegate)
    else { return nil }
    self = known
  }

  /// Writes it down; a power cut may lose it.
  func write(to path: String) throws(FileTrouble) {
    guard let data = try? JSONEncoder().encode(self) else { preconditionFailure("no JSON for \(self)") }
    let file = try OwnedDescriptor(opening: path + ".new", O_RDWR | O_CREAT | O_TRUNC)
    try file.write(data, at: 0)
    guard rename(path + ".new", path) == 0 else { throw FileTrouble("replace", path) }
  }

  /// What the daemon is to ask.
  var asks: AppInterface.Asks {
    AppInterface.Asks(credentials: true, everyCertificate: everyCertificate, delays: delays)
  }

  private static func witness(of delegate: any URLSessionDelegate) -> String {
    "\(String(reflecting: type(of: delegate))) \(program)"
  }

  /// The running program's file as it looks: another build is another file.
  private static let program = look(of: "/proc/self/exe")

  /// What tells a file from others, whatever date it bears: one before 1970 is negative.
  static func look(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "unknown" }
    let (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), UInt64(status.st_mtim.tv_nsec))
    return [UInt64(status.st_ino), UInt64(status.st_size), UInt64(bitPattern: seconds), nanoseconds]
      .map { String($0, radix: 16) }.joined(separator: "-")
  }
}
