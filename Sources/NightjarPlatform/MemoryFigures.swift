import Glibc

/// What the kernel says of the machine's memory.
struct MemoryFigures: Hashable, Sendable {
  /// Bytes in all, and bytes that are available without swapping (`MemAvailable` in proc(5)).
  var total: Int64
  var available: Int64

  /// Nil where `/proc/meminfo` cannot be read.
  init?(_ text: String? = Disk.text(of: "/proc/meminfo")) {
    guard let text, let total = Self.bytes("MemTotal:", text), let available = Self.bytes("MemAvailable:", text) else {
      return nil
    }
    (self.total, self.available) = (total, available)
  }

  /// Whether less than so many percent is available.
  func isBelow(percent: Int) -> Bool { available < total / 100 * Int64(percent) }

  /// For how long all tasks at once have waited for memory since the machine was started; nil without PSI.
  static func stalled(_ text: String? = Disk.text(of: pressureFile)) -> Duration? {
    let line = text?.split(separator: "\n").first { $0.hasPrefix("full ") }
    let field = line?.split(separator: " ").first { $0.hasPrefix("total=") }
    return field.flatMap { Int64($0.dropFirst(6)) }.map { .microseconds($0) }
  }

  static let pressureFile = "/proc/pressure/memory"

  /// A figure of a line such as `MemTotal:  24576 kB`, in bytes; the first in the text.
  static func bytes(_ name: String, _ text: String) -> Int64? {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    let fields = line?.split(separator: " ") ?? []
    return fields.count > 1 ? Int64(fields[1]).map { $0 * 1024 } : nil
  }
}
