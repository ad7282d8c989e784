import Glibc

/// The only wait on a clock in the daemon: between two attempts to write to a full disk.
enum Waiting {
  /// Waits, in steps of a tenth of a second, until the time is over (true) or the condition holds (false).
  static func forSeconds(_ seconds: Int, unless condition: () -> Bool) -> Bool {
    for _ in 0..<(seconds * 10) {
      guard !condition() else { return false }
      usleep(100_000)
    }
    return true
  }
}
