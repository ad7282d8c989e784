import Dispatch
import Glibc

/// Ctrl-C, as something that can be waited for.
enum Interrupts {
  /// Returns at the next SIGINT, or when the task is cancelled. From the first call on SIGINT no longer ends the process.
  static func next() async {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    let (pressed, press) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    source.setEventHandler { press.yield() }
    source.activate()
    for await _ in pressed { break }
    source.cancel()
  }
}
