import Foundation
import Glibc
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

  @Test func `a named pipe in the place of an app's log holds nobody up, and is told nothing`() throws {
    let folder = "/tmp/nightjar-journal-\(UInt64.random(in: 0 ..< .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let home = try Home(environment: ["NIGHTJAR_HOME": folder])
    try FileManager.default.createDirectory(atPath: home.logs, withIntermediateDirectories: true)
    try #require(mkfifo(home.log(AppID("dev.a")), 0o600) == 0 && mkfifo(home.log(AppID("dev.b")), 0o600) == 0)
    let reader = open(home.log(AppID("dev.b")), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let ear = Ear()

    let journal = Journal(home: home, logger: Logger(label: "test") { _ in ear })
    for app in ["dev.a", "dev.b"] { journal.note(AppID(app), "is launched") }

    var byte: UInt8 = 0
    let count = read(reader, &byte, 1)
    #expect(count == 0)
    #expect(ear.heard.lines.withLock { $0.count } == 2)
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
