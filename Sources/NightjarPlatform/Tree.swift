import Glibc
import NightjarModel

/// Whole folders: copied durably, and removed.
struct Tree {
  private static let entriesMax = 100_000
  private static let depthMax = 64

  /// So much is copied in one call, so that progress is seen on a slow disk.
  private static let pieceMax = 8 << 20

  private let root: String
  private let moved: () -> Void
  /// What is left out, however a path leads there.
  private let leftOut: Set<Entry>
  private var entries = 0

  /// What tells one file or folder from every other.
  private struct Entry: Hashable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
  }

  /// Copies a folder to where nothing is yet, and syncs every file and folder of the copy.
  ///
  /// Folders become 0700, files 0600 or 0700. Symbolic links stay as they are if they lead to something within the
  /// folder by a relative path that never leaves it; anything else that is neither file nor folder is refused.
  /// - Parameters:
  ///   - leftOut: Paths that are not copied where they lie in the folder.
  ///   - moved: Called whenever a piece of it is copied.
  /// - Throws: `badBundle` for what is refused, `system` otherwise. What was copied until then stays.
  static func copy(
    _ from: String, to: String, except leftOut: [String] = [], moved: @escaping () -> Void = {}
  ) throws(PlatformError) {
    var tree = Tree(root: from, except: leftOut, moved: moved)
    try tree.copyFolder(from, to: to, depth: 0)
  }

  /// Copies one file to where nothing is yet, and syncs it. It becomes 0700 if it may be run, else 0600.
  static func copyFile(_ from: String, to: String) throws(PlatformError) {
    guard let status = Disk.status(of: from), Disk.isFile(status) else {
      throw PlatformError(.badBundle(key: nil), "\(from) is not a regular file")
    }
    try Tree(root: from).copyFile(from, to: to, mode: status.st_mode & 0o100 == 0 ? 0o600 : 0o700)
  }

  /// Removes a folder with everything in it, or a file. Nothing there is no error. What is mounted in it is left alone.
  /// - Throws: `system`, with `EBUSY` if something is mounted in it. What was removed until then is gone.
  static func remove(_ path: String) throws(PlatformError) { try TreeRemoval.carryOut(path) }

  private init(root: String, except leftOut: [String] = [], moved: @escaping () -> Void = {}) {
    (self.root, self.moved) = (root, moved)
    self.leftOut = Set(leftOut.compactMap(Disk.status).map(Entry.init))
  }

  private mutating func copyFolder(_ from: String, to: String, depth: Int) throws(PlatformError) {
    guard depth <= Self.depthMax else { throw refused(from, "lies more than \(Self.depthMax) folders deep") }
    guard mkdir(to, 0o700) == 0 else { throw .system("cannot make the folder \(to)") }
    for name in try Disk.entries(of: from) { try copyEntry(from + "/" + name, to: to + "/" + name, depth: depth) }
    try Disk.sync(folder: to)
  }

  private mutating func copyEntry(_ from: String, to: String, depth: Int) throws(PlatformError) {
    entries += 1
    moved()
    guard entries <= Self.entriesMax else { throw refused(root, "holds more than \(Self.entriesMax) files") }
    guard let status = Disk.status(of: from) else { throw .system("cannot look at \(from)") }
    if leftOut.contains(Entry(status)) { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try copyFolder(from, to: to, depth: depth + 1)
    case S_IFREG: try copyFile(from, to: to, mode: status.st_mode & 0o100 == 0 ? 0o600 : 0o700)
    case S_IFLNK: try copyLink(from, to: to)
    default: throw refused(from, "is neither a file nor a folder")
    }
  }

  private func copyFile(_ from: String, to: String, mode: mode_t) throws(PlatformError) {
    guard let source = Descriptor.opened(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
      throw .system("cannot read \(from)")
    }
    guard let target = Descriptor.opened(to, O_WRONLY | O_CREAT | O_EXCL, mode: mode) else {
      throw .system("cannot make \(to)")
    }
    while true {
      let count = sendfile(target.number, source.number, nil, Self.pieceMax)
      moved()
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .system("cannot copy \(from) to \(to)") }
      if count == 0 { break }
    }
    guard fsync(target.number) == 0 else { throw .system("cannot sync \(to)") }
  }

  private func copyLink(_ from: String, to: String) throws(PlatformError) {
    guard let target = Disk.target(of: from) else { throw .system("cannot read the link \(from)") }
    guard staysInside(from, leadingTo: target) else {
      let isLoop = Disk.resolved(from).map { $0 == Disk.resolved(root) } == true
      let place = isLoop ? "to the bundle itself, in a loop" : "out of the bundle, or nowhere"
      throw refused(from, "is a symbolic link that leads \(place)")
    }
    guard symlink(target, to) == 0 else { throw .system("cannot make the link \(to)") }
  }

  /// Whether a link stays within the folder at each of its steps: the copy lies elsewhere and under another name, so a
  /// link that goes out and comes in again by the original's name leads nowhere from there.
  private func staysInside(_ link: String, leadingTo target: String) -> Bool {
    guard target.utf8.first != UInt8(ascii: "/"), let top = Disk.resolved(root),
      var place = Disk.parent(of: link).flatMap(Disk.resolved)
    else { return false }
    for part in target.split(ascii: "/") {
      guard let next = Disk.resolved("\(place)/\(part)"), next == top || next.utf8.starts(with: "\(top)/".utf8) else {
        return false
      }
      place = next
    }
    return place != top && Disk.resolved(link) == place
  }

  private func refused(_ path: String, _ fault: String) -> PlatformError {
    PlatformError(.badBundle(key: nil), "\(path) \(fault); take it out of the bundle")
  }
}
