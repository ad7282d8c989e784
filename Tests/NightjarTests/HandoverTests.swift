import Foundation
import NightjarModel
import NightjarWire
import TestThreads
import Testing

@testable import Nightjar

@Suite(.blocking) struct HandoverTests {
  let world = World()

  @Test func `the file taken over has the staged file's bytes and outlives it`() throws {
    let staged = try world.stage(String(repeating: "film", count: 1 << 20))

    let path = try Handover.take(staged, to: world.folder + "/own")
    try FileManager.default.removeItem(atPath: staged.path)

    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 4 << 20)
  }

  @Test func `a file in another file system is copied`() throws {
    let staged = try world.stage("film")
    let elsewhere = "/dev/shm/nightjar-\(UUID().uuidString)"
    defer { unlink(elsewhere) }

    let path = try Handover.take(staged, to: elsewhere)

    #expect(try String(contentsOfFile: path, encoding: .utf8) == "film")
  }

  @Test func `a file dated after 2262 is still what it was`() throws {
    var staged = try world.stage("film")
    let date = timespec(tv_sec: 9_300_000_000, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, staged.path, [date, date], 0) == 0)
    let time = try OwnedDescriptor(opening: staged.path, O_RDONLY).status().st_mtim
    staged.modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds

    let path = try Handover.take(staged, to: world.folder + "/own")

    #expect(try String(contentsOfFile: path, encoding: .utf8) == "film")
  }

  @Test(arguments: ["gone", "grown", "touched", "replaced", "linked"])
  func `a staged file that is not what it was is damaged`(how: String) throws {
    let staged = try world.stage("film")
    let other = try world.stage("film")
    switch how {
    case "gone": unlink(staged.path)
    case "grown": try Data("film!".utf8).write(to: URL(fileURLWithPath: staged.path))
    case "touched":
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: staged.path)
    case "replaced": rename(other.path, staged.path)
    default:
      unlink(staged.path)
      symlink(other.path, staged.path)
    }

    #expect(throws: Handover.Trouble.damaged) { try Handover.take(staged, to: world.folder + "/own") }
    #expect(!FileManager.default.fileExists(atPath: world.folder + "/own"))
  }

  @Test func `a staged file that the system does not let us open is not damaged`() throws {
    var staged = try world.stage("film")
    staged.path = world.folder + "/" + String(repeating: "x", count: 1000)

    let trouble = #expect(throws: Handover.Trouble.self) { try Handover.take(staged, to: world.folder + "/own") }

    let reason: Int32? = if case .system(let why)? = trouble { why.number } else { nil }
    #expect(reason == ENAMETOOLONG)
  }

  @Test func `a file that comes while the app has too much open is handed over a moment later`() async {
    await #expect(processExitsWith: .success) { try Self.handOverWithTooMuchOpen() }
  }

  private static func handOverWithTooMuchOpen() throws {
    let (world, delegate) = (World(), Recorder())
    let link = world.newLife()
    let session = world.session(of: link, delegate)
    session.downloadTask(with: World.film).resume()
    let ended = try world.end(1, task: 1, text: "film")
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var none = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)

    world.daemon.end(ended)
    world.daemon.waitUntil(link) { $0.sessions["films"]?.isTelling == true }
    session.delegateQueue.waitUntilAllOperationsAreFinished()
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

    precondition(delegate.wait(for: 3) == ["1 wrote 4 to 4 of 4", "1 file film", "1 done"])
  }

  @Test func `an app that empties its temporary folder is given its files all the same`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    try FileManager.default.removeItem(atPath: world.folder + "/tmp")

    world.daemon.end(try world.end(1, task: 1, text: "film"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard.suffix(2) == ["1 file film", "1 done"])
  }

  @Test func `a file that cannot be made fails the task and not the event`() throws {
    let delegate = Recorder()
    let session = world.session(of: world.newLife(), delegate)
    session.downloadTask(with: World.film).resume()
    try FileManager.default.removeItem(atPath: world.folder + "/tmp/session-films")
    try Data().write(to: URL(fileURLWithPath: world.folder + "/tmp/session-films"))

    world.daemon.end(try world.end(1, task: 1, text: "film"))
    world.daemon.waitForCalls { $0.isAcknowledgement }

    #expect(delegate.heard == ["1 failed -3003"])
  }
}
