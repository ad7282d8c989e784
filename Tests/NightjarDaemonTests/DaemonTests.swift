import Logging
import NightjarPlatform
import NightjarTransfer
import Testing

@testable import NightjarDaemon

@Suite struct DaemonTests {
  @Test func `nothing of its environment is shown when a daemon is logged`() throws {
    let environment = ["NIGHTJAR_HOME": "/tmp/nightjar-none", "https_proxy": "http://user:secret@localhost:1"]
    let settings = DaemonSettings(home: try Home(environment: environment), environment: environment)

    let daemon = Daemon(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    #expect("\(daemon)" == "nightjard")
  }

  @Test(arguments: [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664), (0o777, 0o000)] as [(UInt32, UInt32)])
  func `what it delivers gets the permissions that its umask leaves`(umask: UInt32, mode: UInt32) throws {
    let home = try Home(environment: ["NIGHTJAR_HOME": "/tmp/nightjar-none"])
    var settings = DaemonSettings(home: home, environment: [:])

    settings.umask = umask

    #expect(settings.engine.deliveredMode == mode)
  }
}
