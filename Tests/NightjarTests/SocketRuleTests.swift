import Foundation
import NightjarPlatform
import NightjarWire
import Testing
import Varlink

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

    #expect(SocketRule.socket(environment: environment).path == home.socket)
    #expect(SocketRule.state(environment: environment) == home.state)
  }

  @Test func `the library follows a daemon that has no runtime folder, while it lives`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let environment = ["HOME": root, "XDG_RUNTIME_DIR": root]
    let bound = try Home(environment: ["HOME": root])
    for home in [bound, try Home(environment: environment)] { try home.prepare() }

    let listener = try UnixSocket.listen(at: bound.socket)
    #expect(SocketRule.socket(environment: environment).path == bound.socket)
    close(listener)  // Killed, it leaves its file.

    let home = try Home(environment: environment)
    #expect(SocketRule.socket(environment: environment).path == home.socket)

    let another = try UnixSocket.listen(at: home.socket)
    defer { close(another) }
    try home.linkSocket()  // To where somebody listens, and no socket of its own.
    #expect(SocketRule.socket(environment: environment).path == home.socket)
  }

  @Test func `the library follows the link of a daemon with another runtime folder, if none has its own`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let environments = ["first", "second"].map { ["HOME": root, "XDG_RUNTIME_DIR": "\(root)/\($0)"] }
    for folder in environments.compactMap({ $0["XDG_RUNTIME_DIR"] }) {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    let (bound, own) = (try Home(environment: environments[0]), try Home(environment: environments[1]))
    for home in [bound, own] { try home.prepare() }

    let listener = try UnixSocket.listen(at: bound.socket)
    try bound.linkSocket()
    #expect(SocketRule.socket(environment: environments[1]).path == bound.socket)

    let another = try UnixSocket.listen(at: own.socket)
    #expect(SocketRule.socket(environment: environments[1]).path == own.socket)
    close(another)

    close(listener)  // The link leads to nobody.
    #expect(SocketRule.socket(environment: environments[1]).path == own.socket)
  }
}
