import Logging
import NightjarPlatform
import Testing

@testable import NightjarDaemon

@Suite struct DaemonTests {
  @Test func `nothing of its environment is shown when a daemon is logged`() throws {
    let environment = ["NIGHTJAR_HOME": "/tmp/nightjar-none", "https_proxy": "http://user:secret@localhost:1"]
    let settings = DaemonSettings(home: try Home(environment: environment), environment: environment)

    let daemon = Daemon(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    #expect("\(daemon)" == "nightjard")
  }
}
