import Glibc
import NightjarModel
import NightjarWire
import Testing

@testable import NightjarDaemon

/// Files as whoever made them has dated them.
@Suite struct FileDateTests {
  @Test(arguments: [(9_300_000_000, .max), (-1, -1_000_000_000)] as [(Int, Int64)])
  func `a file of any date can be uploaded`(seconds: Int, modified: Int64) throws {
    let path = try Self.file(datedAt: seconds)
    defer { unlink(path) }

    let request = try ControlInterface.Upload.Parameters(
      key: String(repeating: "a", count: 32), url: "http://films.example/1", method: "PUT", headers: [], file: path
    ).request()

    guard case .upload(_, let stamp) = request.direction else {
      Issue.record("\(request.direction)")
      return
    }
    #expect(stamp.modified == modified)
  }

  /// In memory if there is such a place: not every file system keeps every date.
  private static func file(datedAt seconds: Int) throws -> String {
    let path = (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + "/nightjar-dated-\(getpid())-\(seconds)"
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    let date = timespec(tv_sec: seconds, tv_nsec: 0)
    try #require(futimens(file, [date, date]) == 0)
    return path
  }
}
