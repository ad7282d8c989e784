import Glibc
public import NightjarModel

/// What can be seen of an app's processes from outside.
extension Launcher {
  /// A file shared with others on which the app holds a lock; nil if there is none. To be asked once the app stands
  /// still: it can take no further lock then.
  public func sharedLock(of app: AppID, life: Int) -> String? {
    guard let running = running(app, life: life), !running.isProgram else { return nil }
    return SharedLocks(of: app, in: home).held(by: running.processes)
  }

  /// Looks which process traces an app's leader (`TracerPid` in proc(5)). `done` is told on the lookout's thread; nil
  /// if none does, or only one of the app's own, which is no debugger.
  public func inspect(_ app: AppID, life: Int, done: @escaping @Sendable (Int32?) -> Void) {
    lookout.perform { done(self.running(app, life: life)?.tracer) }
  }
}

extension Running {
  /// The process from outside that traces its leader.
  fileprivate var tracer: Int32? {
    ProcessStatus.tracer(of: pid).flatMap { processes.contains($0) ? nil : $0 }
  }

  /// All its processes: those of its cgroup or, where it has none, of its process group.
  var processes: [Int32] {
    if let leaf { return leaf.processes }
    return Disk.names(in: "/proc").compactMap { Int32($0) }.filter { ProcessStatus(of: $0)?.group == pid }
  }
}
