import Foundation
import NightjarPlatform
import Testing

@testable import Nightjar

/// The library looks for the socket where the daemon puts it, though neither knows the other's code.
@Suite struct SocketRuleTests {
  @Test(arguments: [
    ["HOME": "/h"], ["HOME": "/h/"], ["HOME": "/h", "NIGHTJAR_HOME": "/n"], ["HOME": "/h", "NIGHTJAR_HOME": "/n/"],
    ["HOME": "/h", "NIGHTJAR_HOME": ""], ["HOME": "/h", "XDG_STATE_HOME": "/s"],
    ["HOME": "/h", "XDG_STATE_HOME": "relative"], ["HOME": "/h", "XDG_RUNTIME_DIR": "/nowhere"],
    ["HOME": "/h", "XDG_RUNTIME_DIR": FileManager.default.temporaryDirectory.path],
    ["HOME": "/h", "XDG_RUNTIME_DIR": "/proc/self/cwd"], ["HOME": "/h", "XDG_RUNTIME_DIR": "/root/"],
  ])
  func `the daemon and the library agree on the socket and the state folder`(environment: [String: String]) throws {
    let home = try Home(environment: environment)

    #expect(SocketRule.path(environment: environment) == home.socket)
    #expect(SocketRule.state(environment: environment) == home.state)
  }

  @Test func `the command line and the library follow a daemon that has no runtime folder`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let environment = ["HOME": root, "XDG_RUNTIME_DIR": root]
    let bound = try Home(environment: ["HOME": root])
    try bound.prepare()

    #expect(mknod(bound.socket, S_IFSOCK | 0o600, 0) == 0)

    #expect(try Home(environment: environment).socketFound == bound.socket)
    #expect(SocketRule.path(environment: environment) == bound.socket)
  }
}
