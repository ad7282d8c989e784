import Glibc
import NightjarModel

/// Finds the locks that an app holds on files which it shares with others.
///
/// Another process would wait for such a lock for as long as the app stands still. So on iOS an app that is suspended
/// with one is ended (0xdead10cc). Shared are the folders of app groups, other apps' containers and the staging area;
/// locks on files of its own are nobody else's concern.
struct SharedLocks {
  private let shared: [String]
  private let own: String

  init(of app: AppID, in home: Home) {
    shared = [home.groups, home.containers, home.staging].map(Self.prefix)
    own = Self.prefix(home.container(app).path)
  }

  /// A shared file on which one of these processes holds a POSIX, OFD or flock(2) lock; nil if there is none.
  ///
  /// `/proc/locks` says whether a closer look is worth it. It names no holder of an OFD lock, and for flock(2) the
  /// process that took the lock, which may be gone; so the holder and the file come from `/proc/PID/fdinfo` (proc(5)).
  /// That takes some 15 µs for a descriptor, so at most `descriptorsMax` are looked at.
  func held(by processes: [Int32], descriptorsMax: Int = 1 << 16) -> String? {
    let text = Disk.bytes(of: "/proc/locks", max: 1 << 24).map { String(decoding: $0, as: UTF8.self) }
    if let text, !Self.mayHold(processes, in: text, reader: getpid()) { return nil }  // Else too long, or not there.
    var rest = descriptorsMax
    for pid in processes where rest > 0 {
      let files = Disk.names(in: "/proc/\(pid)/fd").prefix(rest)
      if let path = held(by: pid, in: files) { return path }
      rest -= files.count
    }
    return nil
  }

  private func held(by pid: Int32, in files: ArraySlice<String>) -> String? {
    for file in files {
      guard let path = Self.target("/proc/\(pid)/fd/\(file)"), isShared(path),
        Self.isLocked(Disk.text(of: "/proc/\(pid)/fdinfo/\(file)") ?? "")
      else { continue }
      return path
    }
    return nil
  }

  private func isShared(_ path: String) -> Bool {
    !path.hasPrefix(own) && shared.contains(where: path.hasPrefix) && !path.hasSuffix(" (deleted)")
  }

  /// Whether one of these processes may hold a lock, as far as the text of `/proc/locks` tells.
  ///
  /// What the reader itself has locked with flock(2) is no app's: a daemon holds its home's lock for all its life.
  static func mayHold(_ processes: [Int32], in text: String, reader: Int32) -> Bool {
    let (pids, own) = (Set(processes.map { "\($0)"[...] }), "\(reader)"[...])
    return text.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count > 4, fields[1] != "->" else { return false }  // A waiter holds nothing.
      switch fields[1] {
      case "OFDLCK": return true
      case "FLOCK": return fields[4] != own || pids.contains(own)
      default: return fields[1] == "POSIX" && pids.contains(fields[4])
      }
    }
  }

  /// Whether a descriptor's `fdinfo` has a lock: `lock: 1: FLOCK  ADVISORY  WRITE 42 08:01:1234 0 EOF`.
  static func isLocked(_ info: String) -> Bool {
    info.split(separator: "\n").contains { line in
      line.hasPrefix("lock:") && ["POSIX", "OFDLCK", "FLOCK"].contains { line.contains($0) }
    }
  }

  private static func target(_ link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes {
      readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }

  /// The beginning of the paths that the kernel has for what lies in a folder.
  private static func prefix(_ folder: String) -> String { (Disk.resolved(folder) ?? folder) + "/" }
}
