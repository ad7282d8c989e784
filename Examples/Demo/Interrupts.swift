import Dispatch
import Glibc

/// Whether somebody wants the demo to end: Ctrl-C, a closed terminal, a polite signal.
@MainActor
final class Interrupts {
  private(set) var hasCome = false
  private var sources: [any DispatchSourceSignal] = []

  init() {
    signal(SIGPIPE, SIG_IGN)  // Whoever stops reading what is written does not spare us from tidying up.
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in self?.hasCome = true }
      source.resume()
      sources.append(source)
    }
  }

  /// Waits until somebody wants the end, by a signal or by the key q.
  func wait(for keys: Keys) async throws {
    while !hasCome && !keys.quitWasPressed { try await Task.sleep(for: .milliseconds(50)) }
  }
}
