import Foundation
import Patience

/// A file system that never answers: one of FUSE (fuse(4)) whose program does not listen. Once it is unmounted, whoever
/// waits for it hears that it is gone.
final class DeadDisk {
  static let isPossible = Rights.mayMakeMachines && access("/dev/fuse", R_OK | W_OK) == 0

  private let folder: String
  private var device: Int32?

  /// Covers a folder.
  init(over folder: String) throws {
    self.folder = folder
    let opened = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    device = opened
    guard mount("dead", folder, "fuse", 0, "fd=\(opened),rootmode=40000,user_id=0,group_id=0") == 0 else {
      throw NeverHappened(description: "cannot mount a dead disk: \(String(cString: strerror(errno)))")
    }
  }

  func unmount() {
    guard let device else { return }
    umount2(folder, Int32(MNT_DETACH))
    close(device)
    self.device = nil
  }

  deinit { unmount() }
}
