import Glibc

/// Keeps the daemons of other homes off a data folder, for as long as this object lives: they have other state folders,
/// so the lock of a home (``HomeLock``) does not stop them.
///
/// The lock is the kernel's (flock(2)), on the folder itself, so that nothing is made there. Where the folder's file
/// system has no such locks, there is none.
public final class DataLock: Sendable {
  private let folder: Descriptor?

  /// Takes the lock. Children of a daemon that has just ended let go in a moment: waits for that, for 1 s at most.
  ///
  /// - Throws: `locked`, without a process id, while another daemon uses the folder.
  init(home: Home) throws(PlatformError) {
    folder = Descriptor.opened(home.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    guard let folder else { return }
    for _ in 0..<Self.triesMax {
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      poll(nil, 0, Self.pauseMilliseconds)
    }
    throw PlatformError(
      .locked(by: nil),
      "another daemon, whose state folder is not \(home.state), uses the data folder \(home.data); stop it, or set "
        + "XDG_DATA_HOME or NIGHTJAR_HOME to another folder")
  }

  /// Also releases the lock for the copies of the descriptor that children have until they execute their programs.
  deinit { if let folder { flock(folder.number, LOCK_UN) } }

  private static let pauseMilliseconds: Int32 = 10
  private static let triesMax = 100
}
