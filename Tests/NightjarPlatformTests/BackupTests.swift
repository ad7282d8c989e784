import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct BackupTests {
  private let place: TestHome
  private var home: Home { place.home }

  init() throws { place = try TestHome() }

  /// The stamp of a file, from a time in nanoseconds.
  private func stamp(_ path: String, at modified: Int64) throws -> FileStamp {
    let time = timespec(tv_sec: Int(modified / 1_000_000_000), tv_nsec: Int(modified % 1_000_000_000))
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    let status = try #require(TestHome.status(path))
    return FileStamp(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino))
  }

  @Test func `a home is known to be restored by where its files lie`() throws {
    let new = home.wasRestored
    home.noteLayout()
    let same = home.wasRestored
    rename(home.running, home.state + "/aside")
    try #require(mkdir(home.running, 0o700) == 0)

    let restored = home.wasRestored
    home.noteLayout()

    #expect(new && !same && restored)
    #expect(!home.wasRestored)
  }

  @Test(arguments: [1_700_000_000_000_000_000, 1_700_000_000_123_456_789])
  func `a file of the home that was restored is known by its size and its time, to the second or better`(
    modified: Int64
  ) throws {
    let path = try place.file("home/data/containers/spool", "bytes")
    let now = try stamp(path, at: modified)
    let (old, other) = (1_700_000_000_123_456_789 as Int64, 1_700_000_000_223_456_789 as Int64)

    let same = home.restored(path, FileStamp(size: 5, modified: old, inode: now.inode + 1))
    let longer = home.restored(path, FileStamp(size: 6, modified: old, inode: now.inode + 1))
    let later = home.restored(path, FileStamp(size: 5, modified: other + 1_000_000_000, inode: now.inode + 1))

    #expect(same == now && longer == nil && later == nil)
  }

  @Test func `a restored file dated after 2262 is known, too`() throws {
    let path = try place.file("home/data/containers/spool", "bytes")
    let date = timespec(tv_sec: 10_413_792_000, tv_nsec: 0)
    utimensat(AT_FDCWD, path, [date, date], 0)
    let status = try #require(TestHome.status(path))
    let (seconds, rest) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
    let modified = Timestamp(seconds: seconds, nanoseconds: rest).nanoseconds

    let found = home.restored(path, FileStamp(size: 5, modified: modified, inode: 1))

    #expect(found == FileStamp(size: 5, modified: modified, inode: UInt64(status.st_ino)))
  }

  @Test func `a file that is none of the home's is not looked at`() throws {
    let path = try place.file("film", "bytes")

    #expect(home.restored(path, try stamp(path, at: 1_700_000_000_000_000_000)) == nil)
  }
}
