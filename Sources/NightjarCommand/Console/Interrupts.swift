import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and the signals that ask a command to end, to be waited for.
enum Interrupts {
  /// Signals that were ignored at the start, such as SIGHUP under nohup(1), stay ignored.
  private static let heeded: [(signal: Int32, status: ExitStatus)] = {
    let all: [(signal: Int32, status: ExitStatus)] = [
      (SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp),
    ]
    return all.filter { $0.signal == SIGINT || !Self.isIgnored($0.signal) }
  }()

  private static let latest = Mutex(ExitStatus.interrupted)

  /// The exit status of a process that was asked to end.
  static var status: ExitStatus { latest.withLock { $0 } }

  /// How long a command may take to end once asked to: as long as an app.
  static let grace = Duration.seconds(5)

  /// Returns at the next SIGINT, SIGTERM or SIGHUP, or when the task is cancelled. That signal does not end the process
  /// at once, so that it can tidy up, but does so after a grace: a process stuck in a write that is never read cannot
  /// tidy up. A second signal ends it at once.
  ///
  /// Works only once per process, as Dispatch takes each signal over only once.
  static func next(grace: Duration = Interrupts.grace) async {
    let (signals, come) = AsyncStream<ExitStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue(label: "nightjar.interrupts")  // Has a thread even while others are stuck.
    let sources = heeded.map { number, status in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        come.yield(status)
        queue.asyncAfter(deadline: .now() + grace / .seconds(1)) { end(by: number) }
      }
      source.setCancelHandler { signal(number, SIG_DFL) }
      source.activate()
      return source
    }
    for await status in signals {
      latest.withLock { $0 = status }
      break
    }
    for source in sources { source.cancel() }
  }

  /// Ends the process by the signal's default action. Dispatch blocks signals in its threads.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    raise(number)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.isIgnored
  }
}
