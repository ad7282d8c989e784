import Foundation
import NightjarModel
import Synchronization

/// The file in the temporary folder that a download in this process writes to.
///
/// What is to become of it is noted in the order in which it happens, which the carrier's lock keeps. The file catches
/// up with that outside of the lock, for a disk may take its time.
final class FileSink: Sendable {
  let path: String
  private let state: Mutex<State>
  /// Held while the file catches up, so that it does in order.
  private let catchingUp = Mutex(())

  private struct State {
    var file: OwnedDescriptor?
    var count = 0
    var deeds = Fifo<Deed>()
    var trouble: FileTrouble?
  }

  private enum Deed {
    case append(Data)
    case empty
  }

  /// Creates the file. An error is kept in `trouble`.
  init(in folder: String = NSTemporaryDirectory()) {
    path = Self.freshPath(in: folder)
    do throws(FileTrouble) {
      let file = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
      _ = file.lock()  // Nobody sweeps it away meanwhile.
      state = Mutex(State(file: file))
    } catch { state = Mutex(State(trouble: error)) }
  }

  /// A file that already has `count` bytes.
  init(path: String, _ file: OwnedDescriptor, count: Int) {
    _ = file.lock()
    self.path = path
    state = Mutex(State(file: file, count: count))
  }

  static func freshPath(in folder: String) -> String {
    (folder as NSString).appendingPathComponent("\(prefix)\(UUID().uuidString).tmp")
  }

  private static let prefix = "CFNetworkDownload_"

  /// Removes what processes that were killed have left half downloaded: files that nobody writes to and that have not
  /// changed for a day.
  static func sweep(_ folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix(prefix) && name.hasSuffix(".tmp") {
      let path = (folder as NSString).appendingPathComponent(name)
      guard let file = try? OwnedDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), isLeft(file) else {
        continue
      }
      unlink(path)
    }
  }

  private static func isLeft(_ file: OwnedDescriptor) -> Bool {
    guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
      return false
    }
    let changed = status.st_mtim.tv_sec
    return Timestamp(seconds: Int64(changed)).isDated && time(nil) - changed > 86_400 && file.lock()
  }

  var url: URL { URL(fileURLWithPath: path, isDirectory: false) }

  /// The size in bytes, as far as it has caught up.
  var count: Int { state.withLock { $0.count } }

  /// The error because of which the file is incomplete; nil if there was none.
  var trouble: FileTrouble? { state.withLock { $0.trouble } }

  /// Appends bytes, once it catches up.
  func append(_ data: Data) { state.withLock { $0.deeds.append(.append(data)) } }

  /// Empties the file, once it catches up.
  func beginAnew() { state.withLock { $0.deeds.append(.empty) } }

  /// Does what was noted; false if bytes cannot be written, or could not be before.
  @discardableResult
  func catchUp() -> Bool {
    catchingUp.withLock { _ in
      while let deed = state.withLock({ $0.deeds.popFirst() }) { carryOut(deed) }
      return trouble == nil
    }
  }

  private func carryOut(_ deed: Deed) {
    let (file, count) = state.withLock { ($0.trouble == nil ? $0.file : nil, $0.count) }
    guard let file else { return }
    do throws(FileTrouble) {
      switch deed {
      case .append(let data):
        try file.write(data, at: count)
        state.withLock { $0.count = count + data.count }
      case .empty:
        try file.truncate(to: 0)
        state.withLock { $0.count = 0 }
      }
    } catch { state.withLock { $0.trouble = error } }
  }

  /// Syncs the file, so that it survives a power cut; false if that fails.
  func sync() -> Bool {
    guard let file = state.withLock({ $0.trouble == nil ? $0.file : nil }) else { return false }
    return (try? file.sync()) != nil
  }

  func remove() { unlink(path) }
}
