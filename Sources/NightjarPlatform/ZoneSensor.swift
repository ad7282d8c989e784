import Glibc
public import NightjarModel
import Synchronization

/// Knows in which time zone the device is: that of `TZ` where the daemon was given one, or that of `/etc/localtime`, whose
/// change it notices (inotify(7)).
public final class ZoneSensor: Sendable {
  private let lookout: Lookout
  private let report: @Sendable (ZoneRules) -> Void
  private let file: String
  private let last = Mutex<(watch: Lookout.Watch?, rules: ZoneRules?)>((nil, nil))

  /// Calls `report` on the lookout's thread: with the zone at the start, then at each change.
  ///
  /// - Parameter localtime: The file that says where the device is.
  public init(
    lookout: Lookout, environment: [String: String], localtime: String = "/etc/localtime",
    report: @escaping @Sendable (ZoneRules) -> Void
  ) throws(PlatformError) {
    (self.lookout, self.report, file) = (lookout, report, localtime)
    if let name = environment["TZ"] {
      lookout.perform { report(Self.rules(named: name)) }
    } else {
      try watch()
      lookout.perform { [weak self] in self?.look() }
    }
  }

  deinit { last.withLock { $0.watch.map(lookout.cancel) } }

  /// The file is mostly replaced, so its folder is watched.
  private func watch() throws(PlatformError) {
    let folder = try Lookout.descriptor(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)), "inotify_init1")
    let events = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_CLOSE_WRITE)
    guard inotify_add_watch(folder.number, Disk.parent(of: file) ?? "/", events) >= 0 else { return }
    let watch = try lookout.watch(folder, for: .readable) { [weak self] in
      Self.drain(folder)
      self?.look()
    }
    last.withLock { $0.watch = watch }
  }

  private func look() {
    let rules = Self.rules(inFile: file, name: Self.name(of: file)) ?? .utc
    let isNew = last.withLock { last in
      defer { last.rules = rules }
      return last.rules != rules
    }
    if isNew { report(rules) }
  }

  private static func drain(_ descriptor: Descriptor) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while read(descriptor.number, &buffer, buffer.count) > 0 {}
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
    guard let resolved = realpath(file, nil) else { return "UTC" }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }
}
