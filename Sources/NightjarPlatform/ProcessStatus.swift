import Glibc

/// What `/proc/PID/stat` says of a process (proc(5)).
struct ProcessStatus: Hashable, Sendable {
  /// `R`, `S`, `T`, `Z` and so on.
  let state: Character
  /// Clock ticks after boot: with the pid it names a process for as long as the machine runs.
  let startTime: UInt64
  /// As wait(2) gives it; means something for a zombie, and only if it is ours to look at.
  let exitCode: Int32

  /// Looks; nil if there is no such process.
  init?(of pid: Int32) {
    guard let text = Disk.text(of: "/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst().map { $0 }
    guard fields.count > 19, let state = fields[0].first, let startTime = UInt64(fields[19]) else { return nil }
    (self.state, self.startTime) = (state, startTime)
    exitCode = fields.count > 49 ? Int32(fields[49].filter { !$0.isNewline }) ?? 0 : 0
  }

  var isZombie: Bool { state == "Z" || state == "X" }
}
