/// The running kernel's version, for what cannot be tried out.
struct KernelVersion: Comparable, CustomStringConvertible {
  let description: String
  private let major: Int
  private let minor: Int

  /// Reads a release such as `6.1.0-18-amd64`; anything else counts as 0.0.
  init(_ release: String) {
    description = release
    let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    (major, minor) = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
  }

  /// The kernel this runs on.
  static var running: KernelVersion {
    KernelVersion(Disk.text(of: "/proc/sys/kernel/osrelease")?.split(separator: "\n").first.map(String.init) ?? "")
  }

  static func == (a: KernelVersion, b: KernelVersion) -> Bool { (a.major, a.minor) == (b.major, b.minor) }
  static func < (a: KernelVersion, b: KernelVersion) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
