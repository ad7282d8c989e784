import Glibc
import NightjarModel

extension String {
  /// Whether the path leads through `/proc` and so means something else to each process: `/proc/self/cwd`, `/dev/fd/3`,
  /// `/dev/stdin`, and links to them. To the daemon it would name one of the daemon's own files.
  package var leadsThroughProcesses: Bool {
    PathWalk(along: self).contains { $0 == "/proc" || $0.hasPrefix("/proc/") }
  }
}

/// The places that an absolute path passes, link by link: realpath(3) tells only where it ends.
private struct PathWalk: Sequence, IteratorProtocol {
  /// The place reached so far, free of links; empty at the root.
  private var place = ""
  /// The parts that are still to be walked, the next one last.
  private var rest: [Substring]
  private var linksLeft = 40  // As many as the kernel follows (path_resolution(7)).

  /// A path longer than any file system accepts is not walked at all.
  init(along path: String) { rest = path.utf8.count < PATH_MAX ? path.split(ascii: "/").reversed() : [] }

  mutating func next() -> String? {
    guard place.utf8.count < PATH_MAX, let part = rest.popLast() else { return nil }
    switch part {
    case ".": break
    case "..": place = place.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(place[..<$0]) } ?? ""
    default: step(to: "\(place)/\(part)")
    }
    return place
  }

  private mutating func step(to next: String) {
    guard linksLeft > 0, let target = Self.target(of: next) else {
      place = next
      return
    }
    linksLeft -= 1
    if target.utf8.first == UInt8(ascii: "/") { place = "" }
    rest += target.split(ascii: "/").reversed()
  }

  private static func target(of link: String) -> String? {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = text.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return count < 0 ? nil : String(decoding: text.prefix(count), as: UTF8.self)
  }
}
