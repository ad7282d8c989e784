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
}
