import Foundation
import Glibc
import NightjarModel
import NightjarWire
import Testing
import Varlink

@testable import NightjarDaemon

/// Where a task wants what it downloads: looked at before it is queued.
@Suite struct DestinationTests {
  private func task(_ destination: String, _ direction: WireDirection = .download, overwrite: Bool? = nil)
    -> AppInterface.NewTask
  {
    AppInterface.NewTask(
      key: String(repeating: "0", count: 32), task: 1, direction: direction, method: "GET", url: "http://localhost/",
      headers: [], file: direction == .upload ? #filePath : nil, destination: destination, overwrite: overwrite)
  }

  private func request(_ task: AppInterface.NewTask) throws -> TransferRequest {
    try task.request(app: AppID("org.example.fetch"), session: "s")
  }

  @Test(arguments: ["film", "", "/", "/tmp/", "/tmp/a\0b", "/proc/self/cwd/film", "/nowhere/film", "/etc/passwd/film"])
  func `that is no path of a file in a folder is refused`(path: String) {
    let refused = #expect(throws: AppInterface.InvalidRequest.self) { try request(task(path, overwrite: true)) }

    #expect(refused?.field == "destination")
  }

  @Test func `that is taken is refused unless it may be replaced`() throws {
    let path = "/tmp/nightjar-taken-\(UInt64.random(in: 0 ..< .max))"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }

    let refused = #expect(throws: AppInterface.InvalidRequest.self) { try request(task(path)) }

    #expect(refused?.field == "destination" && refused?.reason.contains("exists") == true)
    #expect(try request(task(path, overwrite: true)).destination?.overwrites == true)
    #expect(try request(task("/tmp/nothing here")).destination == Destination(path: "/tmp/nothing here"))
  }

  /// What an app and what a person is told of a destination; nil if it is taken.
  private func refusals(_ path: String, overwrite: Bool) -> [String?] {
    let order = ControlInterface.Download.Parameters(
      key: String(repeating: "0", count: 32), url: "http://localhost/", headers: [], destination: path,
      overwrite: overwrite)
    var (app, person): (String?, String?)
    do { _ = try request(task(path, overwrite: overwrite)) } catch {
      app = (error as? AppInterface.InvalidRequest)?.reason ?? "\(error)"
    }
    do { _ = try order.request() } catch { person = ControlInterface.InvalidRequest(error)?.reason ?? "\(error)" }
    return [app, person]
  }

  @Test(arguments: [
    ("/nowhere/film", "make it first"), ("/tmp", "is a folder"), ("/tmp/..", "is a folder"),
    ("/dev/null", "no ordinary file"), ("/tmp/" + String(repeating: "n", count: 256), "256 bytes"),
  ])
  func `where no file can ever stand is refused before a byte is loaded, whoever asks`(path: String, words: String) {
    let refusals = refusals(path, overwrite: true)

    #expect(refusals.allSatisfy { $0?.contains(words) == true }, "they say: \(refusals)")
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `in a folder that the daemon may not write into is refused`() {
    let refusals = refusals("/etc/nothing here", overwrite: false)

    #expect(refusals.allSatisfy { $0?.contains("let the daemon's user write there") == true }, "they say: \(refusals)")
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a file system needs root"))
  func `on a file system that is mounted read-only is refused`() throws {
    let folder = "/tmp/nightjar-frozen-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(mount("none", folder, "tmpfs", UInt(MS_RDONLY), nil) == 0)
    defer { umount(folder) }

    let refusals = refusals("\(folder)/film", overwrite: false)

    #expect(refusals.allSatisfy { $0?.contains("Read-only") == true }, "they say: \(refusals)")
  }

  @Test func `with the longest name that its folder takes is taken`() {
    #expect(refusals("/tmp/" + String(repeating: "n", count: 255), overwrite: false) == [nil, nil])
  }

  @Test func `makes no sense for an upload`() {
    let refused = #expect(throws: AppInterface.InvalidRequest.self) {
      try request(task("/tmp/film", .upload))
    }

    #expect(refused?.field == "destination")
  }
}
