import Dispatch
import Glibc
import Synchronization

/// Ctrl-C, and the signals by which others ask a command to end, as something that can be waited for.
enum Interrupts {
  /// What is left to others, such as SIGHUP under nohup(1), stays with them.
  private static let heeded: [(signal: Int32, status: ExitStatus)] = {
    let all: [(signal: Int32, status: ExitStatus)] = [
      (SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp),
    ]
    return all.filter { $0.signal == SIGINT || !Self.isIgnored($0.signal) }
  }()

  private static let latest = Mutex(ExitStatus.interrupted)

  /// What a process exits with that was asked to end.
  static var status: ExitStatus { latest.withLock { $0 } }

  /// Returns at the next SIGINT, SIGTERM or SIGHUP, or when the task is cancelled. From the first call on these no longer end
  /// the process by themselves, so that it can tidy up.
  static func next() async {
    let (signals, come) = AsyncStream<ExitStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let sources = heeded.map { number, status in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { come.yield(status) }
      source.activate()
      return source
    }
    for await status in signals {
      latest.withLock { $0 = status }
      break
    }
    for source in sources { source.cancel() }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.isIgnored
  }
}
