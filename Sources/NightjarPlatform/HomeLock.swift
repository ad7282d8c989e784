import Glibc

/// Makes one daemon the only one of its home, for as long as this object lives.
///
/// The lock is the kernel's (flock(2)) and ends with the process, however that ends; the file stays and says whose it
/// was last.
public final class HomeLock: Sendable {
  private let file: Descriptor

  /// Takes the lock, or says who has it.
  ///
  /// Waits for no living daemon. A daemon that was killed while it started an app has left the lock to the child that
  /// was to become the app, which ends or lets go in a moment: waits for that, for 5 s at most.
  ///
  /// - Throws: `locked` with the holder's process id; `system` if the lock file cannot be opened.
  public convenience init(home: Home) throws(PlatformError) {
    try self.init(home: home) { poll(nil, 0, Self.pauseMilliseconds) }
  }

  init(home: Home, pause: () -> Void) throws(PlatformError) {
    guard let file = Descriptor.opened(home.lock, O_RDWR | O_CREAT | O_NOFOLLOW) else {
      throw .system("cannot open the lock file \(home.lock)")
    }
    var pauses = 0
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else { throw .system("cannot lock \(home.lock)") }
      guard pauses < Self.pausesMax, Self.isLeftBehind(home.lock) else { throw Self.held(home.lock) }
      pauses += 1
      pause()
    }
    self.file = file
    guard sign() else { throw .system("cannot write \(home.lock)") }
  }

  /// Writes the process id over what stood there, since room that was given back may be taken. On a full disk the file
  /// may stay empty: only the lock counts.
  private func sign() -> Bool {
    let text = Array("\(getpid())\n".utf8)
    let count = pwrite(file.number, text, text.count, 0)
    guard count >= 0 || [ENOSPC, EDQUOT].contains(errno) else { return false }
    return ftruncate(file.number, count == text.count ? off_t(count) : 0) == 0
  }

  /// Also releases the lock for the copies of the descriptor that children have until they execute their programs.
  deinit { flock(file.number, LOCK_UN) }

  /// The process that serves a home, or is about to; nil if the process that took the lock last has ended.
  public static func holder(of home: Home) -> Int32? {
    holder(home.lock).flatMap { ProcessStatus(of: $0)?.isZombie == false ? $0 : nil }
  }

  /// The same process if it has the lock's file open, so that its number cannot have gone to another process since; nil
  /// otherwise.
  public static func certainHolder(of home: Home) -> Int32? {
    guard let holder = holder(of: home), let lock = Disk.resolved(home.lock) else { return nil }
    let files = "/proc/\(holder)/fd"
    return Disk.names(in: files).contains { Disk.target(of: "\(files)/\($0)") == lock } ? holder : nil
  }

  /// Whether a holder runs nothing until it is told to go on (SIGCONT).
  public static func isStopped(_ holder: Int32) -> Bool { ProcessStatus.isStopped(holder) }

  /// Whether the daemon that took the lock has ended: then a child of it holds the lock by its copy of the descriptor.
  private static func isLeftBehind(_ path: String) -> Bool {
    guard let holder = holder(path) else { return false }
    return ProcessStatus(of: holder)?.isZombie ?? true
  }

  private static func holder(_ path: String) -> Int32? {
    Disk.text(of: path).flatMap { Int32($0.prefix { $0.isNumber }) }
  }

  private static func held(_ path: String) -> PlatformError {
    let holder = holder(path)
    let who = holder.map { "the daemon with process id \($0)" } ?? "another daemon"
    return PlatformError(
      .locked(by: holder), "\(who) already serves this home (\(path)); stop it, or set NIGHTJAR_HOME to another folder")
  }

  private static let pauseMilliseconds: Int32 = 10
  private static let pausesMax = 500
}
