import Foundation
import Synchronization
import Testing

@testable import NightjarHome

/// The server itself, over real sockets, with its file in a folder of its own.
@Suite(.timeLimit(.minutes(2))) struct ServingTests {
  @Test func `a file that cannot be written ends it at once, and is named`() async throws {
    let stage = try Stage()
    let screen = stage.screen(folder: stage.folder + "/missing")

    let failure = await #expect(throws: HomeError.self) { try await screen.run(port: 0) { _ in } }

    #expect(failure?.code == .unwritable)
    #expect(failure?.detail.contains(stage.folder + "/missing/home-") == true)
  }

  @Test func `a code that the file cannot be given is told with the reason, and the next one is written again`()
    async throws
  {
    let stage = try Stage()
    let run = stage.run(stage.screen())
    let opened = try #require(await stage.entrance())
    let draft = opened.file + ".new"

    try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
    stage.letTimePass()
    let second = try #require(await stage.entrance())
    try FileManager.default.removeItem(atPath: draft)
    stage.letTimePass()
    let third = try #require(await stage.entrance())
    let text = try String(contentsOfFile: opened.file, encoding: .utf8)
    run.cancel()
    try await run.value

    #expect(opened.trouble == nil && third.trouble == nil)
    #expect(second.occasion == .renewed && second.trouble?.code == .unwritable)
    #expect(second.code != third.code && text.contains(third.code))
    #expect(!FileManager.default.fileExists(atPath: opened.file))
  }
}

/// A folder, and time that is moved by hand.
private final class Stage: Sendable {
  let folder: String
  private let time = Mutex(Duration.zero)
  private let (turns, turn) = AsyncStream<Void>.makeStream()
  private let (entrances, tell) = AsyncStream<HomeScreen.Entrance>.makeStream()

  init() throws {
    folder = "/tmp/nightjar-home-\(UInt64.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func screen(folder: String? = nil) -> HomeScreen {
    HomeScreen(
      socket: (folder ?? self.folder) + "/nightjar.sock", icon: { _ in nil }, now: { self.time.withLock { $0 } },
      pause: { try await self.pause($0) }, entropy: { UInt64.random(in: .min ... .max) })
  }

  /// Serves on any port until it is cancelled.
  func run(_ screen: HomeScreen) -> Task<Void, any Error> {
    Task { [tell] in try await screen.run(port: 0) { tell.yield($0) } }
  }

  /// How to come in, as it is told next.
  func entrance() async -> HomeScreen.Entrance? { await entrances.first { _ in true } }

  /// Whatever is waited for has come.
  func letTimePass() { turn.yield() }

  private func pause(_ duration: Duration) async throws {
    for await _ in turns {
      time.withLock { $0 += duration }
      return
    }
    throw CancellationError()
  }
}
