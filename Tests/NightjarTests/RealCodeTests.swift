import Patience
import Foundation
import MainActorApp
import Nightjar
import ScriptedServer
import SwiftFiveApp
import SwiftSixApp
import Testing

import class FoundationNetworking.HTTPURLResponse

/// Networking code in the manner of iOS apps, as it compiled, against a server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RealCodeTests {
  private func withServer(_ body: (HTTPTestServer, URL) async throws -> Void) async throws {
    let server = try await HTTPTestServer.start()
    server.play("/titles", .answer(status: 200, body: "[\"one\", \"two\"]"))
    server.play("/lines", .answer(status: 200, body: "a\nb\n"))
    let outcome = await Result { try await body(server, URL(string: server.url(""))!) }
    try await server.stop()
    try outcome.get()
  }

  @Test func `a client with completion handlers gets its answers and its errors`() async throws {
    try await withServer { _, base in
      let client = APIClient(base: base)

      let titles = await withCheckedContinuation { done in client.load("titles") { done.resume(returning: $0) } }
      let missing = await withCheckedContinuation { done in client.load("status/404") { done.resume(returning: $0) } }

      let loaded = try titles.get()
      #expect(loaded == Data("[\"one\", \"two\"]".utf8))
      let isMissing = if case .failure(.status(404)) = missing { true } else { false }
      #expect(isMissing, "it was \(missing)")
    }
  }

  @Test func `a download manager on the main queue moves its file and watches its progress`() async throws {
    try await withServer { _, base in
      let manager = await MainActor.run { TransferManager() }
      await MainActor.run { _ = manager.download(base.appending(path: "file/7/300000")) }

      try await eventually("the download ends") { await MainActor.run { manager.finished[1] != nil } }

      let file = try #require(await MainActor.run { manager.finished[1] })
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try Data(contentsOf: file) == Data(Content(seed: 7, size: 300_000).bytes))
      try await eventually("the progress was seen") { await MainActor.run { manager.fractions.last == 1 } }
      try await eventually("the end was seen") { await MainActor.run { manager.ends == [1] } }
      #expect(await MainActor.run { manager.shares[1] } == 1)
    }
  }

  @Test func `an actor loads, streams lines and downloads side by side`() async throws {
    try await withServer { _, base in
      let service = FilmService(base: base, session: URLSession(configuration: .ephemeral))

      let (titles, lines) = (try await service.titles(), try await service.lines())
      let bytes = try await service.both(["file/1/1000", "file/2/2000"])
      let twice = try await service.size(of: "file/1/1000")

      #expect(titles == ["one", "two"] && lines == ["a", "b"] && bytes == 3000 && twice == 2000)
    }
  }

  @Test func `a delegate's asynchronous answers count`() async throws {
    try await withServer { _, base in
      let session = URLSession(configuration: .ephemeral, delegate: CarefulDelegate(), delegateQueue: nil)

      let (_, response) = try await session.data(from: base.appending(path: "redirect/titles"))

      #expect((response as? HTTPURLResponse)?.statusCode == 302)
    }
  }

  @Test @MainActor func `a delegate whose module is the main actor's by default launches as it is`() {
    let delegate: any UIApplicationDelegate = FilmsDelegate()

    let isLaunched = delegate.application(.shared, didFinishLaunchingWithOptions: nil)

    #expect(isLaunched && delegate.window?.rootViewController is HTMLViewController)
  }
}
