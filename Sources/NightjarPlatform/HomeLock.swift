import Glibc

/// Makes one daemon the only one of its home, for as long as this object lives.
///
/// The lock is the kernel's (flock(2)) and ends with the process, however that ends; the file stays and says whose it
/// was last.
public final class HomeLock: Sendable {
  private let file: Descriptor

  /// Takes the lock, or says who has it. Waits for nobody.
  ///
  /// - Throws: `locked` with the holder's process id; `system` if the lock file cannot be opened.
  public init(home: Home) throws(PlatformError) {
    guard let file = Descriptor.opened(home.lock, O_RDWR | O_CREAT | O_NOFOLLOW) else {
      throw .system("cannot open the lock file \(home.lock)")
    }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? Self.held(home.lock) : .system("cannot lock \(home.lock)")
    }
    self.file = file
    guard ftruncate(file.number, 0) == 0, Disk.write("\(getpid())\n".utf8, to: file) else {
      throw .system("cannot write \(home.lock)")
    }
  }

  private static func held(_ path: String) -> PlatformError {
    let holder = Disk.text(of: path).flatMap { Int32($0.prefix { $0.isNumber }) }
    let who = holder.map { "the daemon with process id \($0)" } ?? "another daemon"
    return PlatformError(
      .locked(by: holder), "\(who) already serves this home (\(path)); stop it, or set NIGHTJAR_HOME to another folder")
  }
}
