import Glibc

/// What logind says of the screen and of sleep.
struct LoginReading: Hashable, Sendable {
  /// Nil while the sessions are unknown.
  var isLocked: Bool?
  var isAsleep: Bool
}

/// One of the user's sessions at a seat, as `org.freedesktop.login1.Session` describes it.
struct LoginSession: Hashable, Sendable {
  var isActive: Bool
  var isLocked: Bool

  /// Whether the screen is locked: that of the session in front, or that of any session if another user is in front.
  /// Without a session at a seat there is no screen.
  static func isLocked(_ sessions: [LoginSession]) -> Bool {
    let front = sessions.filter(\.isActive)
    return (front.isEmpty ? sessions : front).contains(where: \.isLocked)
  }
}

/// Follows logind (org.freedesktop.login1(5)): the sessions of the daemon's user at a seat, and the device's sleep.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class LoginSensor: @unchecked Sendable {
  private static let service = "org.freedesktop.login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let root = "/org/freedesktop/login1"
  private static let sessionsMax = 64

  private unowned let bus: BusConnection
  private let changed: (LoginReading?) -> Void
  private var isAsleep = false
  private var sessions: [String: BusObject] = [:]
  private var known: [String: LoginSession] = [:]
  private var silent: Set<String> = []
  private var isListed = false

  /// Tells what logind says: once its sessions have been read, then at each change; nil while it is not there.
  init(on bus: BusConnection, changed: @escaping (LoginReading?) -> Void) {
    (self.bus, self.changed) = (bus, changed)
    bus.followOwner(of: Self.service) { [weak self] in self?.begin() }
    hear("PrepareForSleep") { [weak self] message in self?.prepare(message.next()?.truth ?? false) }
    hear("SessionNew") { [weak self] _ in self?.list() }
    hear("SessionRemoved") { [weak self] _ in self?.list() }
    let rule =
      "type='signal',sender='\(Self.service)',path_namespace='\(Self.root)/session',"
      + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(Self.service).Session'"
    bus.follow(rule) { [weak self] message in message.path.flatMap { self?.sessions[$0] }?.ask() }
    begin()
  }

  private func hear(_ signal: String, _ handle: @escaping BusConnection.Handler) {
    bus.follow(
      "type='signal',sender='\(Self.service)',path='\(Self.root)',interface='\(Self.manager)',member='\(signal)'",
      handle)
  }

  /// Reads everything anew: at the start, and when logind has come or gone.
  private func begin() {
    (sessions, known, silent, isListed) = ([:], [:], [], false)
    let properties = "org.freedesktop.DBus.Properties"
    bus.call("GetAll", of: properties, at: Self.root, in: Self.service, .text(Self.manager)) { [weak self] answer in
      guard let self else { return }
      guard !answer.hasFailed, let found = answer.properties() else { return self.changed(nil) }
      self.isAsleep = found["PreparingForSleep"]?.truth ?? false
      self.list()
    }
  }

  private func prepare(_ isAsleep: Bool) {
    self.isAsleep = isAsleep
    tell()
  }

  private func list() {
    bus.call("ListSessions", of: Self.manager, at: Self.root, in: Self.service) { [weak self] answer in
      self?.take(answer.hasFailed ? nil : answer.rows(of: "susso"))
    }
  }

  /// A row is the session's name, the user's number and name, the seat and the object; no rows if logind did not say.
  private func take(_ rows: [[BusValue]]?) {
    isListed = rows != nil
    let own = (rows ?? []).filter { $0.count == 5 && $0[1].number == Int64(getuid()) && $0[3].text?.isEmpty == false }
    let paths = Set(own.compactMap { $0[4].text }.prefix(Self.sessionsMax))
    sessions = sessions.filter { paths.contains($0.key) }
    known = known.filter { paths.contains($0.key) }
    silent.formIntersection(paths)
    for path in paths.sorted() where sessions[path] == nil { watch(path) }
    tell()
  }

  private func watch(_ path: String) {
    silent.insert(path)
    let session = BusObject(Self.service, path, Self.service + ".Session", on: bus) { [weak self] properties in
      self?.learn(properties, of: path)
    }
    sessions[path] = session
    session.ask()
  }

  private func learn(_ properties: [String: BusValue]?, of path: String) {
    guard sessions[path] != nil else { return }
    silent.remove(path)
    known[path] = properties.map {
      LoginSession(isActive: $0["Active"]?.truth ?? false, isLocked: $0["LockedHint"]?.truth ?? false)
    }
    tell()
  }

  /// Reports the reading. Whether the device is locked is unknown as long as one session, or the list of them, cannot
  /// be read.
  private func tell() {
    guard silent.isEmpty else { return }
    let isKnown = isListed && known.count == sessions.count
    let isLocked = isKnown ? LoginSession.isLocked(Array(known.values)) : nil
    changed(LoginReading(isLocked: isLocked, isAsleep: isAsleep))
  }
}
