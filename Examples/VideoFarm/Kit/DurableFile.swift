import Foundation
import Glibc

/// A file that is replaced in one step: written beside itself, synced, renamed, and its folder synced.
struct DurableFile {
  let path: String

  /// Returns once `data` is the file's content and would outlive a power cut. After a throw the file is as it was.
  func replace(with data: Data) throws(ShelfError) {
    let beside = path + ".new"
    try write(data, to: beside)
    guard rename(beside, path) == 0 else { throw failure("rename", beside) }
    try sync((path as NSString).deletingLastPathComponent, flags: O_RDONLY | O_DIRECTORY)
  }

  private func write(_ data: Data, to beside: String) throws(ShelfError) {
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("create", beside) }
    defer { close(descriptor) }
    var rest = data[...]
    while !rest.isEmpty {
      let wrote = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard wrote >= 0 || errno == EINTR else { throw failure("write", beside) }
      rest = rest.dropFirst(max(wrote, 0))
    }
    guard fsync(descriptor) == 0 else { throw failure("sync", beside) }
  }

  private func sync(_ place: String, flags: Int32) throws(ShelfError) {
    let descriptor = open(place, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", place) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("sync", place) }
  }

  private func failure(_ deed: String, _ place: String) -> ShelfError {
    ShelfError(code: .unwritable, detail: "cannot \(deed) \(place): \(String(cString: strerror(errno)))")
  }
}
