import Dispatch
import Glibc
import Synchronization

/// Whether somebody wants the demo to end: Ctrl-C, a closed terminal, a polite signal.
@MainActor
final class Interrupts {
  private let came = Atomic(false)
  private var sources: [any DispatchSourceSignal] = []

  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in self?.came.store(true, ordering: .relaxed) }
      source.resume()
      sources.append(source)
    }
  }

  var hasCome: Bool { came.load(ordering: .relaxed) }

  /// Waits until somebody wants the end, by a signal or by the key q.
  func wait(for keys: Keys) async throws {
    while !hasCome && !keys.quitWasPressed { try await Task.sleep(for: .milliseconds(50)) }
  }
}
