import Glibc
public import NightjarModel

/// How much processor time processes have taken.
enum Meter {
  /// The time of all processes that a cgroup has ever had, those that are gone included (`usage_usec` of `cpu.stat`, in
  /// the kernel's cgroup-v2.rst). Every cgroup has the file, whether the cpu controller is on or not.
  static func usage(ofCgroup path: String) -> Duration? {
    let lines = (Disk.text(of: path + "/cpu.stat") ?? "").split(separator: "\n")
    let field = lines.first { $0.hasPrefix("usage_usec ") }?.split(separator: " ").last
    return field.flatMap { Int64($0) }.map { .microseconds($0) }
  }

  /// The time of living processes, with those of their children that they have waited for (fields 14 to 17 of `stat`,
  /// proc(5)).
  static func usage(of processes: [Int32]) -> Duration? {
    let ticks = processes.compactMap(ticks).reduce(nil) { ($0 ?? 0) + $1 } as Int64?
    return ticks.map { .seconds($0) / sysconf(Int32(_SC_CLK_TCK)) }
  }

  private static func ticks(of pid: Int32) -> Int64? {
    guard let fields = ProcessStatus.fields(of: pid), fields.count > 14 else { return nil }
    return fields[11...14].reduce(0) { $0 + (Int64($1) ?? 0) }
  }
}

/// What a life's processes have taken so far. Two readings are to be compared: where an app has a cgroup, the processor
/// time of its earlier lives counts too.
public struct MeterReading: Hashable, Sendable {
  /// Their processor time; nil for a life that is over, and where reading it is not permitted.
  public var cpu: Duration?
  /// Bytes that they have moved over the TCP connections that they have open.
  public var received: Int64 = 0
  public var sent: Int64 = 0
}

extension Launcher {
  /// Reads what a life's processes have taken so far.
  ///
  /// From any thread that may wait: the kernel goes through all connections of the machine for it.
  public func reading(of app: AppID, life: Int) -> MeterReading {
    guard let running = running(app, life: life) else { return MeterReading() }
    let processes = running.processes
    let cpu = running.leaf.map { Meter.usage(ofCgroup: $0.path) } ?? Meter.usage(of: processes)
    let moved = SocketMeter.count(of: processes)
    return MeterReading(cpu: cpu, received: moved.received, sent: moved.sent)
  }
}
