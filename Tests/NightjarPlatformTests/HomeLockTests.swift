import Glibc
import NightjarModel
import Testing

@testable import NightjarPlatform

@Suite struct HomeLockTests {
  @Test func `a second daemon learns who holds the home`() throws {
    let place = try TestHome()
    let lock = try HomeLock(home: place.home)

    let refusal = error { () throws(PlatformError) in try HomeLock(home: place.home) }

    #expect(refusal?.code == .locked(by: getpid()))
    withExtendedLifetime(lock) {}
  }

  @Test func `the lock ends with its holder`() throws {
    let place = try TestHome()
    do { _ = try HomeLock(home: place.home) }

    #expect(error { () throws(PlatformError) in try HomeLock(home: place.home) } == nil)
  }

  @Test func `a process is certain to hold the home only while it has the lock's file open`() throws {
    let place = try TestHome()
    do {
      let lock = try HomeLock(home: place.home)
      #expect(HomeLock.certainHolder(of: place.home) == getpid())
      withExtendedLifetime(lock) {}
    }

    #expect(HomeLock.holder(of: place.home) == getpid() && HomeLock.certainHolder(of: place.home) == nil)
  }

  @Test func `a home that is served is not removed, and the folder of its lock goes last`() throws {
    let place = try TestHome()
    do {
      let lock = try HomeLock(home: place.home)
      #expect(error { () throws(PlatformError) in try place.home.remove() }?.code == .locked(by: getpid()))
      withExtendedLifetime(lock) {}
    }

    #expect(try place.home.remove().gone == [place.home.data, place.home.runtime, place.home.state])
  }

  @Test func `a lock that a killed daemon has left to a child of it is waited for`() throws {
    let place = try TestHome()
    var child = try left(place)
    var pauses = 0

    let lock = try HomeLock(home: place.home) {
      pauses += 1
      guard pauses == 3, let left = child else { return }
      flock(left.number, LOCK_UN)  // Another test's child may have a copy of it for a moment.
      child = nil
    }

    #expect(pauses == 3 && child == nil)
    #expect(Disk.text(of: place.home.lock) == "\(getpid())\n")
    withExtendedLifetime(lock) {}
  }

  @Test func `a child that keeps the lock is not waited for without end`() throws {
    let place = try TestHome()
    let child = try left(place)
    var pauses = 0

    let refusal = error { () throws(PlatformError) in try HomeLock(home: place.home) { pauses += 1 } }

    #expect(refusal?.code == .locked(by: .max) && pauses > 0)
    withExtendedLifetime(child) {}
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a daemon serves its home on a disk that is full`() throws {
    let place = try TestHome()
    try #require(mount("none", place.home.state, "tmpfs", 0, "size=8k") == 0)
    defer { umount2(place.home.state, Int32(MNT_DETACH)) }
    do { _ = try HomeLock(home: place.home) }
    fill(place.home.state + "/first")
    do {
      let lock = try HomeLock(home: place.home)
      #expect(Disk.text(of: place.home.lock) == "\(getpid())\n")
      withExtendedLifetime(lock) {}
    }
    truncate(place.home.lock, 0)
    fill(place.home.state + "/second")

    let lock = try HomeLock(home: place.home)

    let refusal = error { () throws(PlatformError) in try HomeLock(home: place.home) }
    #expect(refusal?.code == .locked(by: nil))
    withExtendedLifetime(lock) {}
  }

  /// Writes until there is no room any more.
  private func fill(_ path: String) {
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT) else { return }
    while Disk.write([UInt8](repeating: 1, count: 4096), to: file) { continue }
  }

  /// The lock as it is held by a copy of a daemon that has ended; no process has that number.
  private func left(_ place: TestHome) throws -> Descriptor? {
    let file = try #require(Descriptor.opened(place.home.lock, O_RDWR | O_CREAT))
    #expect(flock(file.number, LOCK_EX | LOCK_NB) == 0 && Disk.write("\(Int32.max)\n".utf8, to: file))
    return file
  }
}
