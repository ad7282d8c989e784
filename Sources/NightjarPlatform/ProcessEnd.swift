import CNightjarSpawn
import Glibc
import Synchronization

/// Tells once when a process has ended, even one that is no child of ours (pidfd_open(2)).
public final class ProcessEnd: Sendable {
  private let lookout: Lookout
  private let watch = Mutex<Lookout.Watch?>(nil)

  /// Watches a process. `ended` is called on the lookout's thread, also if the process has ended already.
  ///
  /// Nil then, and if the kernel grants no watch.
  public init?(of pid: Int32, lookout: Lookout, ended: @escaping @Sendable () -> Void) {
    self.lookout = lookout
    let number = nightjar_pidfd_open(pid)
    if number == -ESRCH { lookout.perform(ended) }
    guard let process = try? Lookout.descriptor(number, "pidfd_open") else { return nil }
    let watch = try? lookout.watch(process, for: .readable) { [weak self] in
      if self?.letGo() == true { ended() }
    }
    guard let watch else { return nil }
    self.watch.withLock { $0 = watch }
  }

  deinit { letGo() }

  /// A process that has ended stays so, and would be told of again and again.
  @discardableResult
  private func letGo() -> Bool {
    let watch = watch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    if let watch { lookout.cancel(watch) }
    return watch != nil
  }
}
