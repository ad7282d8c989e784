import Glibc
public import NightjarModel
import Synchronization

/// Knows in which time zone the device is: that of `TZ` where the daemon was given one, or that of `/etc/localtime`,
/// whose change it notices (inotify(7)).
public final class ZoneSensor: Sendable {
  /// Why a change of the file is not noticed, so that ``lookAgain()`` has to be called now and then; nil where it is.
  public var shortcoming: String? { obstacle.withLock { $0 } }

  private let lookout: Lookout
  private let report: @Sendable (ZoneRules) -> Void
  private let file: String
  private let notices: FolderNotices?
  private let obstacle: Mutex<String?>
  private let patience: Duration
  private let last = Mutex(Last())

  /// What was seen of the file last.
  private struct Last {
    var watch: Lookout.Watch?
    var rules: ZoneRules?
    /// Rings when a file that says nothing counts as UTC; nil while it says something.
    var doubt: Alarm?
  }

  /// Calls `report` on the lookout's thread: with the zone at the start, then at each change.
  ///
  /// - Parameters:
  ///   - localtime: The file that says where the device is.
  ///   - patience: How long a file that was valid may be missing or damaged, as while it is replaced by `rm` and `ln`,
  ///     until that counts as UTC.
  public init(
    lookout: Lookout, environment: [String: String], localtime: String = "/etc/localtime",
    patience: Duration = .seconds(2), report: @escaping @Sendable (ZoneRules) -> Void
  ) {
    (self.lookout, self.report, file, self.patience) = (lookout, report, localtime, patience)
    if let name = environment["TZ"] {
      notices = nil
      obstacle = Mutex(nil)
      lookout.perform { report(Self.rules(named: name)) }
      return
    }
    do throws(PlatformError) {
      notices = try Self.notices(of: localtime)
      obstacle = Mutex(nil)
    } catch {
      notices = nil
      obstacle = Mutex(error.detail)
    }
    listen()
    lookout.perform { [weak self] in self?.look() }
  }

  deinit { last.withLock { $0.watch.map(lookout.cancel) } }

  /// Looks whether the zone is another one, if a change of the file is not noticed.
  public func lookAgain() {
    guard shortcoming != nil else { return }
    lookout.perform { [weak self] in self?.look() }
  }

  /// The file is usually replaced, so its folder is watched.
  private static func notices(of file: String) throws(PlatformError) -> FolderNotices {
    let events = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_CLOSE_WRITE)
    return try FolderNotices(of: Disk.parent(of: file) ?? "/", events)
  }

  private func listen() {
    guard let notices else { return }
    do throws(PlatformError) {
      let watch = try lookout.watch(notices.descriptor, for: .readable) { [weak self] in
        notices.drain()
        self?.look()
      }
      last.withLock { $0.watch = watch }
    } catch {
      obstacle.withLock { $0 = error.detail }
    }
  }

  private func look() {
    if let rules = Self.rules(inFile: file, name: Self.name(of: file)) { return believe(rules) }
    let isInDoubt = last.withLock { last in
      if last.rules != nil, last.doubt == nil { last.doubt = doubt() }
      return last.doubt != nil
    }
    if !isInDoubt { believe(.utc) }
  }

  /// An alarm for one more look at a file that says nothing; nil if no alarm can be made.
  private func doubt() -> Alarm? {
    let alarm = try? Alarm(lookout: lookout) { [weak self] in
      guard let self else { return }
      self.believe(Self.rules(inFile: self.file, name: Self.name(of: self.file)) ?? .utc)
    }
    alarm?.set(after: patience)
    return alarm
  }

  private func believe(_ rules: ZoneRules) {
    let isNew = last.withLock { last in
      defer { (last.rules, last.doubt) = (rules, nil) }
      return last.rules != rules
    }
    if isNew { report(rules) }
  }

  private static let folder = "/usr/share/zoneinfo/"

  /// The rules that a value of `TZ` stands for: a name, a path, or a rule. UTC for one that says nothing.
  static func rules(named text: String) -> ZoneRules {
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    let path = name.hasPrefix("/") ? name : folder + name
    if !name.isEmpty, !name.contains(".."), let rules = rules(inFile: path, name: name) { return rules }
    guard let rule = ZoneRule(name) else { return .utc }
    var rules = ZoneRules(name: name, offset: rule.standard)
    rule.extend(&rules, through: TimeZoneFile.yearMax)
    return rules
  }

  private static func rules(inFile path: String, name: String) -> ZoneRules? {
    Disk.bytes(of: path, max: 1 << 20).flatMap { TimeZoneFile.rules($0, name: name) }
  }

  /// What `/etc/localtime` links to, below the folder of all zones.
  private static func name(of file: String) -> String {
    guard let path = Disk.resolved(file) else { return "UTC" }
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
