import Foundation
import Logging
import NightjarModel
import NightjarPlatform
import Synchronization
import Testing

@testable import NightjarDaemon

/// What the daemon writes down.
@Suite struct JournalTests {
  @Test func `a name that an app has made up adds no line to a log, and nothing that a terminal acts on`() throws {
    let folder = "/tmp/nightjar-journal-\(UInt64.random(in: 0 ..< .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let home = try Home(environment: ["NIGHTJAR_HOME": folder])
    try FileManager.default.createDirectory(atPath: home.logs, withIntermediateDirectories: true)
    let log = URL(filePath: home.log(AppID("dev.a")))
    try Data("it said\n".utf8).write(to: log)
    let ear = Ear()

    let journal = Journal(home: home, logger: Logger(label: "test") { _ in ear })
    journal.note(AppID("dev.a"), "has begun 'a\u{1b}[2J\n[nightjar] b'")

    #expect(
      try String(contentsOf: log, encoding: .utf8) == "it said\n[nightjar] has begun 'a\\u{1b}[2J\\u{a}[nightjar] b'\n")
    #expect(ear.heard.lines.withLock { $0 } == ["has begun 'a\\u{1b}[2J\\u{a}[nightjar] b'"])
  }
}

/// Keeps what was logged.
private struct Ear: LogHandler {
  final class Heard: Sendable { let lines = Mutex<[String]>([]) }

  let heard = Heard()
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { heard.lines.withLock { $0.append("\(event.message)") } }
}
