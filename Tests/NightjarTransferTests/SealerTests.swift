import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import NightjarModel
import Patience
import Synchronization
import Testing

@testable import NightjarTransfer

/// How files are made safe that have come whole.
@Suite(.timeLimit(.minutes(1))) struct SealerTests {
  @Test func `a large file that keeps its disk busy holds up no small one`() async throws {
    try await withSealer { area, sealer, gate, sealed in
      sealer.add(try sealing("large", of: 100_000, in: area))
      sealer.add(try sealing("larger", of: 200_000, in: area))
      sealer.add(try sealing("small", of: 1, in: area))
      try await sealed.wait(for: ["small"])

      for _ in 0..<2 { gate.signal() }
      try await sealed.wait(for: ["small", "large", "larger"])

      #expect(sealed.rounds.filter { $0.contains("large") || $0.contains("larger") } == [["large"], ["larger"]])
    }
  }

  @Test func `a large file of which all but a little is safe already goes with the small ones`() async throws {
    try await withSealer { area, sealer, _, sealed in
      var part = try StagedPart.create("\(area.path)/safe", in: area)!
      try part.append(ByteBuffer(repeating: 1, count: 300_000), isHeld: false)
      part.learn(part.sync)

      sealer.add(Sealing(sync: part.sync, source: nil, loop: EmbeddedEventLoop()) { _ in })

      try await sealed.wait(for: ["safe"])
    }
  }

  private func sealing(_ name: String, of size: Int, in area: StagingArea) throws -> Sealing {
    var part = try StagedPart.create("\(area.path)/\(name)", in: area)!
    try part.append(ByteBuffer(repeating: 1, count: size), isHeld: false)
    try part.flush()
    return Sealing(sync: part.sync, source: nil, loop: EmbeddedEventLoop()) { _ in }
  }

  /// A sealer whose work on large files waits to be let go.
  private func withSealer(
    _ body: (StagingArea, Sealer, DispatchSemaphore, Sealed) async throws -> Void
  ) async throws {
    let (folder, gate, sealed) = (try Workshop.makeFolder(), DispatchSemaphore(value: 0), Sealed())
    defer { Disk.removeFolder(folder) }
    let files = NIOThreadPool(numberOfThreads: 3)
    files.start()
    var settings = EngineSettings()
    settings.sealedApartMin = 100_000
    let sealer = Sealer(on: files, settings) { round, _ in
      if round.contains(where: { $0.sync.unsynced >= 100_000 }) { gate.wait() }
      sealed.note(round.map { String($0.sync.file.path.dropFirst(folder.utf8.count + 1)) })
    }
    try await body(try StagingArea(folder, sparing: 0, helpingMax: 16 << 20), sealer, gate, sealed)
    try await files.shutdownGracefully()
  }
}

/// The names of what was made safe, round by round.
private final class Sealed: Sendable {
  private struct State {
    var rounds: [[String]] = []
    var waiting: (names: Set<String>, told: AsyncStream<Void>.Continuation)?

    mutating func takeWaiting() -> AsyncStream<Void>.Continuation? {
      guard let waiting, waiting.names.isSubset(of: rounds.joined()) else { return nil }
      self.waiting = nil
      return waiting.told
    }
  }

  private let state = Mutex(State())

  var rounds: [[String]] { state.withLock { $0.rounds } }

  func note(_ names: [String]) {
    state.withLock { state in
      state.rounds.append(names)
      return state.takeWaiting()
    }?.yield()
  }

  /// Waits until all of these are safe.
  func wait(for names: Set<String>) async throws {
    try await answered { told in
      state.withLock { state in
        state.waiting = (names, told)
        return state.takeWaiting()
      }?.yield()
    }
  }
}
