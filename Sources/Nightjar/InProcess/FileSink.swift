import Foundation
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
      state = Mutex(State(file: try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)))
    } catch { state = Mutex(State(trouble: error)) }
  }

  /// A file that already has `count` bytes.
  init(path: String, _ file: OwnedDescriptor, count: Int) {
    self.path = path
    state = Mutex(State(file: file, count: count))
  }

  static func freshPath(in folder: String) -> String {
    (folder as NSString).appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
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
