import Glibc

/// What `/proc/PID/stat` says of a process (proc(5)).
struct ProcessStatus: Hashable, Sendable {
  /// `R`, `S`, `T`, `Z` and so on.
  let state: Character
  /// Its process group.
  let group: Int32
  /// Clock ticks after boot: with the pid it names a process for as long as the machine runs.
  let startTime: UInt64
  /// As wait(2) gives it; means something for a zombie, and only if it is ours to look at.
  let exitCode: Int32

  /// Looks; nil if there is no such process.
  init?(of pid: Int32) {
    guard let fields = Self.fields(of: pid), fields.count > 19, let state = fields[0].first,
      let group = Int32(fields[2]), let startTime = UInt64(fields[19])
    else { return nil }
    (self.state, self.group, self.startTime) = (state, group, startTime)
    exitCode = fields.count > 49 ? Int32(fields[49].filter { !$0.isNewline }) ?? 0 : 0
  }

  /// What `stat` has after the process's name, from the state on; nil if there is no such process.
  ///
  /// A process gives itself any name, which need not be text: its end is found among bytes, and nothing of it is read.
  static func fields(of pid: Int32) -> [Substring]? {
    guard let bytes = Disk.bytes(of: "/proc/\(pid)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else {
      return nil
    }
    return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
  }

  /// Whether a process runs no instruction of its own until SIGCONT.
  ///
  /// A process that waits in the kernel, as for the stopped child of its vfork(2), does not become `T`: its SIGSTOP
  /// stays pending.
  static func isStopped(_ pid: Int32) -> Bool {
    guard let state = ProcessStatus(of: pid)?.state else { return false }
    return state == "T" || state == "D" && hasStopPending(pid)
  }

  /// The process that traces another; nil if none does.
  static func tracer(of pid: Int32) -> Int32? {
    let lines = (Disk.text(of: "/proc/\(pid)/status") ?? "").split(separator: "\n")
    let tracer = lines.first { $0.hasPrefix("TracerPid:") }?.split(whereSeparator: \.isWhitespace).last
    return tracer.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private static func hasStopPending(_ pid: Int32) -> Bool {
    let lines = (Disk.text(of: "/proc/\(pid)/status") ?? "").split(separator: "\n")
    let pending = lines.first { $0.hasPrefix("ShdPnd:") }?.split(whereSeparator: \.isWhitespace).last
    return pending.flatMap { UInt64($0, radix: 16) }.map { $0 & (1 << UInt64(SIGSTOP - 1)) != 0 } ?? false
  }

  var isZombie: Bool { state == "Z" || state == "X" }
}
