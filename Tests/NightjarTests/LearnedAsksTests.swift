import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// What is noted of a delegate that leaves a method out.
@Suite struct LearnedAsksTests {
  @Test func `what one delegate leaves out is asked of another, and once more when the note of it is lost`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let fewer = AppInterface.Asks(credentials: true, everyCertificate: true, delays: false)
    defer { unlink(path) }

    try LearnedAsks(fewer, of: Recorder()).write(to: path)
    let same = LearnedAsks(from: path, of: Recorder())
    let other = LearnedAsks(from: path, of: OtherDelegate())
    try Data("{\"witness\":".utf8).write(to: URL(fileURLWithPath: path))
    let torn = LearnedAsks(from: path, of: Recorder())

    #expect(same?.asks == fewer)
    #expect(other == nil && torn == nil)
  }

  @Test func `a program dated before 1970 is told from a later build`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { unlink(path) }
    try Data("program".utf8).write(to: URL(fileURLWithPath: path))

    let looks = [-1, 1].map { seconds in
      let date = timespec(tv_sec: seconds, tv_nsec: 0)
      utimensat(AT_FDCWD, path, [date, date], 0)
      return LearnedAsks.look(of: path)
    }

    #expect(Set(looks).count == 2)
  }
}

private final class OtherDelegate: NSObject, Nightjar.URLSessionDelegate {

  @Test func `what two answers leave out is left out together`() {
    let all = AppInterface.Asks(credentials: true, everyCertificate: true, delays: true)
    let (one, other) = (
      AppInterface.Asks(credentials: true, everyCertificate: false, delays: true),
      AppInterface.Asks(credentials: true, everyCertificate: true, delays: false)
    )

    #expect(all.both(one).both(other) == .init(credentials: true, everyCertificate: false, delays: false))
  }
}
