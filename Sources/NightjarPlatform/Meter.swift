import Glibc
public import NightjarModel

/// How much processor time processes have taken.
enum Meter {
  /// Of all processes that a cgroup has ever had, those that are gone included (`usage_usec` of `cpu.stat`, in the kernel's
  /// cgroup-v2.rst). Every cgroup has the file, whether the cpu controller is on or not.
  static func usage(ofCgroup path: String) -> Duration? {
    let lines = (Disk.text(of: path + "/cpu.stat") ?? "").split(separator: "\n")
    let field = lines.first { $0.hasPrefix("usage_usec ") }?.split(separator: " ").last
    return field.flatMap { Int64($0) }.map { .microseconds($0) }
  }

  /// Of processes that live, with those of their children that they have waited for (fields 14 to 17 of `stat`, proc(5)).
  static func usage(of processes: [Int32]) -> Duration? {
    let ticks = processes.compactMap(ticks).reduce(nil) { ($0 ?? 0) + $1 } as Int64?
    return ticks.map { .seconds($0) / sysconf(Int32(_SC_CLK_TCK)) }
  }

  private static func ticks(of pid: Int32) -> Int64? {
    guard let text = Disk.text(of: "/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst().map { Int64($0) ?? 0 }
    return fields.count > 14 ? fields[11...14].reduce(0, +) : nil
  }
}

extension Launcher {
  /// How much processor time a life's processes have taken so far, nil for a life that is over, and where one may not look;
  /// and how many bytes they have moved over the TCP connections that they have open.
  /// `done` is told on the lookout's thread. Two readings are to be compared: where an app has a cgroup, that of its earlier
  /// lives counts too.
  public func meter(
    _ app: AppID, life: Int, done: @escaping @Sendable (_ cpu: Duration?, _ received: Int64, _ sent: Int64) -> Void
  ) {
    lookout.perform {
      guard let running = self.running(app, life: life) else { return done(nil, 0, 0) }
      let processes = running.processes
      let cpu = running.leaf.map { Meter.usage(ofCgroup: $0.path) } ?? Meter.usage(of: processes)
      let moved = SocketMeter.count(of: processes)
      done(cpu, moved.received, moved.sent)
    }
  }
}
