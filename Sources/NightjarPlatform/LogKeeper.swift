import Glibc
import Synchronization

/// Keeps the apps' logs within bounds while the apps run: a log that has grown too long becomes `<name>.1`, in place of an
/// older one, and begins anew.
///
/// An app holds its log open and goes on writing to the same file; so the text is copied, and then the file is emptied.
/// What is written in the instant between the last copied byte and that is lost. Nothing is looked at while nobody writes,
/// and at most once in a while otherwise (inotify(7)).
public final class LogKeeper: Sendable {
  private let folder: String
  private let bytesMax: Int64
  private let pause: Duration
  private let lookout: Lookout
  private let notices: Descriptor
  private let listening = Mutex<Lookout.Watch?>(nil)
  private let alarm = Mutex<Alarm?>(nil)

  /// Begins to look after the logs of a home.
  ///
  /// - Parameters:
  ///   - bytesMax: The length at which a log begins anew.
  ///   - pause: The least time between two looks.
  public init(
    home: Home, bytesMax: Int64, lookout: Lookout, pause: Duration = .seconds(5)
  ) throws(PlatformError) {
    (folder, self.bytesMax, self.pause, self.lookout) = (home.logs, bytesMax, pause, lookout)
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard number >= 0 else { throw .system("cannot watch \(home.logs)") }
    notices = Descriptor(owning: number)
    guard inotify_add_watch(number, folder, UInt32(IN_MODIFY)) >= 0 else { throw .system("cannot watch \(folder)") }
    let alarm = try Alarm(lookout: lookout) { [weak self] in self?.listen() }
    self.alarm.withLock { $0 = alarm }
    lookout.perform { [weak self] in self?.listen() }
  }

  /// Looks once, and then waits for somebody to write.
  private func listen() {
    drain()
    look()
    guard let watch = try? lookout.watch(notices, for: .readable, { [weak self] in self?.hear() }) else { return }
    listening.withLock { $0 = watch }
  }

  /// Somebody writes: after a look it is not listened to for a while.
  private func hear() {
    listening.withLock { watch in
      if let watch { lookout.cancel(watch) }
      watch = nil
    }
    look()
    alarm.withLock { $0?.set(after: pause) }
  }

  private func drain() {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while read(notices.number, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  private func look() {
    for name in Disk.names(in: folder) where name.hasSuffix(".log") {
      let path = folder + "/" + name
      guard let status = Disk.status(of: path), Disk.isFile(status), Int64(status.st_size) > bytesMax else { continue }
      Self.beginAnew(path)
    }
  }

  /// A log that cannot be copied goes on growing: its text is worth more than the bound.
  private static func beginAnew(_ path: String) {
    let draft = path + ".1.new"
    guard let log = Descriptor.opened(path, O_RDWR | O_NOFOLLOW),
      let old = Descriptor.opened(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    else { return }
    guard copy(log, to: old), rename(draft, path + ".1") == 0, copy(log, to: old) else {
      unlink(draft)
      return
    }
    ftruncate(log.number, 0)
  }

  /// Copies from where the last copy ended to the end.
  private static func copy(_ log: Descriptor, to old: Descriptor) -> Bool {
    while true {
      let count = sendfile(old.number, log.number, nil, 1 << 30)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count == 0 }
    }
  }
}
