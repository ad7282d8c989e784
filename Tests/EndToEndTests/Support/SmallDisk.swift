import Foundation

/// A disk of its own under a home's data, which can be filled until nothing may be staged any more.
///
/// Only root may mount one; without it the home keeps its ordinary disk, and nothing can be filled.
struct SmallDisk {
  private let folder: String
  private let isMounted: Bool

  init(under home: Home) throws {
    folder = home.path + "/data"
    try Files.folder(folder)
    isMounted = Rights.mayMakeMachines && mount("tmpfs", folder, "tmpfs", 0, "size=160m,mode=700") == 0
    if !isMounted { print("this disk cannot be filled: only root may mount another") }
  }

  private var ballast: String { folder + "/ballast" }

  /// Leaves less than the daemon keeps free for its database, and enough for an app's own notes.
  func fill() throws {
    guard isMounted, !Files.exists(ballast) else { return }
    var disk = statvfs()
    statvfs(folder, &disk)
    let free = Int(disk.f_bavail * disk.f_frsize)
    if free > Self.notes { try Files.allocate(free - Self.notes, at: ballast) }
  }

  private static let notes = 6 << 20

  func empty() { unlink(ballast) }

  func unmount() {
    if isMounted { umount2(folder, Int32(MNT_DETACH)) }
  }
}
