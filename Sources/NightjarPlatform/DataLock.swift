import Glibc

/// Keeps the daemons of other homes off a data folder, for as long as this object lives: with a state folder of their own, the
/// lock of a home (``HomeLock``) tells them nothing.
///
/// The lock is the kernel's (flock(2)), on the folder itself, so that nothing is made there. Where the folder's file system
/// knows no such locks there is none.
public final class DataLock: Sendable {
  private let folder: Descriptor?

  /// Takes the lock. What a daemon has left that has just ended lets go in a moment: for that it waits, for 1 s at most.
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

  /// Lets go for the copies, too, that children have of the folder until they execute their programs.
  deinit { if let folder { flock(folder.number, LOCK_UN) } }

  private static let pauseMilliseconds: Int32 = 10
  private static let triesMax = 100
}
