import Foundation
import NightjarModel
import NightjarWire

/// The folder of a session in the app's container: its outbox, the next free task number, and the files on their way to
/// the delegate.
///
/// One process at a time has it, by a lock that is released with the process. Used under the link's lock only.
// Unchecked: the link's lock guards the variables.
final class SessionFolder: @unchecked Sendable {
  /// Why a session's folder cannot be opened.
  enum Trouble: Error {
    case inUse
    case unusable(FileTrouble)
  }

  /// The folder of delivered files until the delegate has taken them.
  let deliveries: String
  /// The calls that the daemon has not accepted.
  var outbox: Outbox
  /// The lowest unused task identifier, as far as this container knows.
  private(set) var nextTask: Int
  /// The bodies of uploads from data and streams.
  let spool: Spool
  /// The path of the file with the `LearnedAsks`.
  let learned: String
  /// The path of the file with `nextTask`, which is locked while this object lives.
  let lock: String
  private let numbers: OwnedDescriptor
  private let folder: String

  /// Opens the folder of a session, and creates it if necessary. Removes files that an earlier life left undelivered.
  init(of session: String, in place: Place) throws(Trouble) {
    let name = Self.name(of: session)
    folder = place.sessions + "/" + name
    deliveries = place.temporary + "/" + name
    (learned, lock, spool) = (folder + "/asks", folder + "/numbers", Spool(folder: folder + "/spool"))
    do throws(FileTrouble) {
      try Self.make(deliveries)
      try Self.make(folder)
      numbers = try OwnedDescriptor(opening: lock, O_RDWR | O_CREAT)
    } catch { throw .unusable(error) }
    guard numbers.lock(), numbers.isInPlace else { throw .inUse }  // Another process may have just removed it.
    do throws(FileTrouble) {
      outbox = try Outbox(at: folder + "/outbox")
      nextTask = try Self.number(in: numbers)
    } catch { throw .unusable(error) }
    let asked = outbox.entries.compactMap { $0.call.enqueued.map { Int($0.task) } }.max() ?? 0
    nextTask = max(nextTask, Self.after(asked))
    Self.clear(deliveries)
  }

  /// Removes the folder of a session that has ended, unless it holds calls that the daemon has not accepted, or spooled
  /// uploads that may be resumed.
  func remove() {
    guard outbox.entries.isEmpty, rmdir(spool.folder) == 0 || errno == ENOENT else { return }
    for file in [folder + "/outbox", learned, lock] { unlink(file) }
    for folder in [folder, deliveries] { rmdir(folder) }
  }

  /// Takes a task identifier. It is written to the file before it is used, so that it is not used again after a crash;
  /// with `trouble`, only this life knows that it is taken.
  func takeNumber() -> (number: Int, trouble: FileTrouble?) {
    let number = nextTask
    do throws(FileTrouble) {
      try raise(to: Self.after(number))
      return (number, nil)
    } catch {
      nextTask = Self.after(number)
      return (number, error)
    }
  }

  /// Notes that all identifiers below `next` are taken.
  func raise(to next: Int) throws(FileTrouble) {
    guard next > nextTask || nextTask == 1 else { return }
    let text = String(max(next, nextTask))
    try numbers.write((text + String(repeating: " ", count: 20 - text.utf8.count) + "\n").utf8, at: 0)
    nextTask = max(next, nextTask)
  }

  /// The identifier after another. The last is followed by itself, which the daemon refuses.
  static func after(_ number: Int) -> Int { number == .max ? number : number + 1 }

  /// An unused path in a folder of deliveries. The folder is created again if the app has removed it with its temporary
  /// files.
  static func freshDelivery(in folder: String) -> String {
    if mkdir(folder, 0o700) != 0, errno == ENOENT { try? make(folder) }
    return folder + "/CFNetworkDownload_\(RequestKey.random()).tmp"
  }

  /// Letters, digits, `-` and `_` stand for themselves; a long identifier is cut and told apart by its hash (FNV-1a).
  static func name(of session: String) -> String {
    let name = session.utf8.map { Self.escaped($0) }.joined()
    guard name.utf8.count > 150 else { return "session-" + name }
    let hash = session.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "session-\(name.prefix(120))~\(String(hash, radix: 16))"
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      String(UnicodeScalar(byte))
    default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }

  /// Reads the number in the file. One beyond what the daemon accepts counts as the first such number, which is also
  /// refused, and leaves room for different ones after it.
  private static func number(in file: OwnedDescriptor) throws(FileTrouble) -> Int {
    let text = String(decoding: try file.contents().prefix(20), as: UTF8.self)
    return Int(text.prefix { $0.isNumber }).map { min(max($0, 1), after(TransferRequest.taskMax)) } ?? 1
  }

  private static func make(_ folder: String) throws(FileTrouble) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard FileManager.default.fileExists(atPath: folder) else {
      errno = access(folder, F_OK) == 0 ? ENOTDIR : errno
      throw FileTrouble("make the folder", folder)
    }
  }

  private static func clear(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      unlink(folder + "/" + name)
    }
  }
}
