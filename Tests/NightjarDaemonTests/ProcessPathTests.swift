import Foundation
import Glibc
import NightjarModel
import NightjarWire
import Testing
import Varlink

@testable import NightjarDaemon

/// Paths that would name one of the daemon's own files, where whoever names them means one of theirs.
@Suite struct ProcessPathTests {
  private struct Refusal: Error {
    let field, reason: String
  }

  @Test(arguments: [
    "/dev/fd/0", "/dev/stdin", "/dev/shm/../fd/7/file", "/proc/self/cwd/file", "/proc/thread-self/root/file",
    "/proc/\(getpid())/fd/3", "//proc/./self/exe", "/etc/../proc",
  ])
  func `what is another file to each process is known by its path`(path: String) {
    #expect(path.leadsThroughProcesses)
  }

  @Test(arguments: ["/dev/shm/file", "/dev/null", "/process/self", "/tmp/proc/self/file", "/", "/proc/../tmp/file"])
  func `what is the same file to all is not taken for one of them`(path: String) {
    #expect(path.leadsThroughProcesses == path.hasPrefix("/proc/"))
  }

  @Test func `links are followed, and a circle of them ends`() throws {
    let folder = "/tmp/nightjar-paths-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let links = [
      ("far", "/dev/fd"), ("near", "far/3"), ("up", "../../proc/self/cwd"), ("circle", "circle"), ("plain", "/dev/shm"),
    ]
    for (name, target) in links { try #require(symlink(target, "\(folder)/\(name)") == 0) }

    let found = links.map(\.0).filter { "\(folder)/\($0)/file".leadsThroughProcesses }

    #expect(found == ["far", "near", "up"])
  }

  @Test func `a name whose last letter joins what follows it hides no step`() throws {
    let folder = "/tmp/nightjar-paths-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: "\(folder)/a\u{600}", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    #expect("\(folder)/a\u{600}/../../../proc/self/exe".leadsThroughProcesses)
    #expect(!"\(folder)/a\u{600}/../../proc/self/exe".leadsThroughProcesses)
  }

  @Test func `no upload sends a file of the daemon's, and no download is put beside one`() throws {
    let order = ControlInterface.Download.Parameters(
      key: String(repeating: "0", count: 32), url: "http://localhost/", headers: [],
      destination: "/proc/self/cwd/file", overwrite: true)

    let upload = #expect(throws: Refusal.self) {
      try TransferRequest.Direction.upload("/proc/self/exe", else: Refusal.init)
    }
    let download = #expect(throws: VarlinkError.self) { try order.request() }

    #expect(upload?.field == "file" && upload?.reason.contains("/proc") == true)
    #expect(download?.name == ControlInterface.InvalidRequest(field: "", reason: "").varlink.name)
  }
}
