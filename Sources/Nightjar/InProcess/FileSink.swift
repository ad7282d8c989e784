import Foundation
import NightjarModel
import Synchronization

/// The file in the temporary folder that a download in this process writes to.
final class FileSink: Sendable {
  let path: String
  private let state: Mutex<State>

  private struct State {
    var file: OwnedDescriptor?
    var count = 0
    var trouble: FileTrouble?
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

  /// The size in bytes.
  var count: Int { state.withLock { $0.count } }

  /// The error because of which the file is incomplete; nil if there was none.
  var trouble: FileTrouble? { state.withLock { $0.trouble } }

  /// Appends bytes; false if they cannot be written.
  @discardableResult
  func write(_ data: Data) -> Bool {
    state.withLock { state in
      guard let file = state.file, state.trouble == nil else { return false }
      do throws(FileTrouble) {
        try file.write(data, at: state.count)
        state.count += data.count
      } catch { state.trouble = error }
      return state.trouble == nil
    }
  }

  /// Empties the file.
  func beginAnew() {
    state.withLock { state in
      do throws(FileTrouble) {
        try state.file?.truncate(to: 0)
        state.count = 0
      } catch { state.trouble = error }
    }
  }

  /// Syncs the file, so that it survives a power cut; false if that fails.
  func sync() -> Bool {
    guard let file = state.withLock({ $0.trouble == nil ? $0.file : nil }) else { return false }
    return (try? file.sync()) != nil
  }

  func remove() { unlink(path) }
}
