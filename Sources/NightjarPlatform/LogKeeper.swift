import Glibc
import Synchronization

/// Keeps the apps' logs within bounds while the apps run: a log that has grown too long becomes `<name>.1`, in place of
/// an older one, and it begins anew. Of a log that is far too long only the newest lines are kept.
///
/// An app holds its log open and goes on writing to the same file; so the text is copied, and then the file is emptied.
/// What is written in the instant between the last copied byte and the emptying is lost, and more from an app that
/// writes without end: it is not waited for. The logs are looked at only after something is written (inotify(7)), and
/// then at most every few seconds; more often only once a log was many times too long, and less often one that could
/// not be copied.
public final class LogKeeper: Sendable {
  /// Why the logs are looked at only once, at the beginning; nil if they are looked at while apps write, too.
  public var shortcoming: String? { obstacle.withLock { $0 } }

  private let folder: String
  private let bytesMax: Int64
  private let pause: Duration
  private let lookout: Lookout
  private let notices: FolderNotices?
  private let obstacle: Mutex<String?>
  private let listening = Mutex<Lookout.Watch?>(nil)
  private let alarm = Mutex<Alarm?>(nil)
  private let pace: Mutex<LogPace>

  /// Begins to look after the logs of a home.
  ///
  /// - Parameters:
  ///   - bytesMax: The length beyond which a log begins anew. At most a quarter more is kept of it then.
  ///   - lookout: On whose thread logs are copied, which may take a while: nothing else should have to wait for it.
  ///   - pause: The least time between two looks while no log is flooded.
  public init(
    home: Home, bytesMax: Int64, lookout: Lookout, pause: Duration = .seconds(5)
  ) throws(PlatformError) {
    (folder, self.bytesMax, self.pause, self.lookout) = (home.logs, bytesMax, pause, lookout)
    pace = Mutex(LogPace(bytesMax: bytesMax))
    do throws(PlatformError) {
      notices = try FolderNotices(of: home.logs, UInt32(IN_MODIFY))
      obstacle = Mutex(nil)
    } catch {
      notices = nil
      obstacle = Mutex(error.detail)
    }
    let alarm = try Alarm(lookout: lookout) { [weak self] in self?.lookAgain() }
    self.alarm.withLock { $0 = alarm }
    lookout.perform { [weak self] in
      self?.dropDrafts()
      self?.lookAgain()
    }
  }

  /// Ends the lookout, after the copy that is under way.
  public func stop() { lookout.stop() }

  /// The path of a log's copy until it is whole.
  static func draft(of log: String) -> String { log + ".1.new" }

  /// Removes what a killed daemon has left of its copies.
  private func dropDrafts() {
    for name in Disk.names(in: folder) where name.hasSuffix(Self.draft(of: ".log")) {
      try? Tree.remove(folder + "/" + name)
    }
  }

  /// Looks at what was written meanwhile, and listens again. While a log is flooded, the next look is timed instead.
  private func lookAgain() {
    notices?.drain()
    look()
    if isFlooded { alarm.withLock { $0?.set(after: LogPace.floodPause) } } else { listen() }
  }

  /// Waits until something is written.
  private func listen() {
    guard let notices else { return }
    listening.withLock { watch in
      do throws(PlatformError) {
        watch = try lookout.watch(notices.descriptor, for: .readable) { [weak self] in self?.hear() }
      } catch {
        obstacle.withLock { $0 = error.detail }
      }
    }
  }

  /// Something was written: looks, and does not listen for a while.
  private func hear() {
    listening.withLock { watch in
      if let watch { lookout.cancel(watch) }
      watch = nil
    }
    look()
    let pause = isFlooded ? LogPace.floodPause : pause
    alarm.withLock { $0?.set(after: pause) }
  }

  private var isFlooded: Bool { pace.withLock { $0.isFlooded } }

  private func look() {
    let (now, pace) = (Clocks.boot(), self.pace.withLock { $0 })
    var trials: [LogPace.Trial] = []
    for name in Disk.names(in: folder) where name.hasSuffix(".log") && pace.isDue(name, at: now) {
      let path = folder + "/" + name
      guard let status = Disk.status(of: path), Disk.isFile(status), Int64(status.st_size) > bytesMax else { continue }
      trials.append(LogPace.Trial(log: name, size: Int64(status.st_size), hasBegunAnew: beginAnew(path)))
    }
    self.pace.withLock { $0.note(trials, at: now) }
  }

  /// Copies a log aside and empties it. A log that cannot be copied goes on growing: its text is worth more than the
  /// bound.
  ///
  /// What has come during the copy is copied once more: a quarter more than `bytesMax` in all at most, however fast it
  /// is written.
  ///
  /// - Returns: Whether it is empty now.
  private func beginAnew(_ path: String) -> Bool {
    let (draft, late) = (Self.draft(of: path), bytesMax / 8)
    for place in [draft, path + ".1"] { try? AppLog.makeRoom(at: place) }
    guard let log = Descriptor.ofFile(path, O_RDWR), let size = Self.size(of: log),
      let old = Descriptor.ofNewFile(draft)
    else { return false }
    // The whole log if it is only a little too long: a follower then finds every byte where it was (GrowingFile).
    let begin =
      size <= bytesMax + late
      ? 0 : Self.lineBegin(in: log, after: size - (bytesMax - late), within: Int(min(late, 16_384)))
    guard Self.copy(log, from: begin, to: size, into: old), rename(draft, path + ".1") == 0,
      Self.copy(log, from: size, to: size + min(late, .max - size), into: old)  // An app may give it any length.
    else {
      unlink(draft)
      return false
    }
    return ftruncate(log.number, 0) == 0
  }

  private static func size(of file: Descriptor) -> Int64? {
    var status = stat()
    return fstat(file.number, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Where the first line begins at a place or soon after it; the place itself if none does.
  private static func lineBegin(in log: Descriptor, after place: Int64, within count: Int) -> Int64 {
    var piece = [UInt8](repeating: 0, count: count)
    let had = pread(log.number, &piece, count, off_t(place - 1))
    return place + Int64(piece.prefix(max(had, 0)).firstIndex(of: UInt8(ascii: "\n")) ?? 0)
  }

  /// Copies a log's bytes between two offsets, fewer if it ends before.
  private static func copy(_ log: Descriptor, from begin: Int64, to end: Int64, into old: Descriptor) -> Bool {
    var place = off_t(begin)
    while place < off_t(end) {
      let rest = Int(end) - Int(place)
      let count = sendfile(old.number, log.number, &place, rest)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count == 0 }
    }
    return true
  }
}
