import Foundation
import Synchronization

/// A file in the temporary folder that a download in this process fills.
final class FileSink: Sendable {
  let path: String
  private let state: Mutex<State>

  private struct State {
    var file: OwnedDescriptor?
    var count = 0
    var trouble: FileTrouble?
  }

  /// Makes the file; trouble is kept until somebody asks.
  init(in folder: String = NSTemporaryDirectory()) {
    path = Self.freshPath(in: folder)
    do throws(FileTrouble) {
      state = Mutex(State(file: try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)))
    } catch { state = Mutex(State(trouble: error)) }
  }

  /// A file that has so many bytes already.
  init(path: String, _ file: OwnedDescriptor, count: Int) {
    self.path = path
    state = Mutex(State(file: file, count: count))
  }

  static func freshPath(in folder: String) -> String {
    (folder as NSString).appendingPathComponent("CFNetworkDownload_\(UUID().uuidString).tmp")
  }

  var url: URL { URL(fileURLWithPath: path, isDirectory: false) }

  /// How many bytes are in it.
  var count: Int { state.withLock { $0.count } }

  /// Why it does not hold everything; nil if it does.
  var trouble: FileTrouble? { state.withLock { $0.trouble } }

  /// Appends; false if the disk does not take it.
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

  /// Empties it.
  func beginAnew() {
    state.withLock { state in
      do throws(FileTrouble) {
        try state.file?.truncate(to: 0)
        state.count = 0
      } catch { state.trouble = error }
    }
  }

  /// Sees to it that what was written survives a power cut; false if the disk does not promise it.
  func sync() -> Bool {
    guard let file = state.withLock({ $0.trouble == nil ? $0.file : nil }) else { return false }
    return (try? file.sync()) != nil
  }

  func remove() { unlink(path) }
}
