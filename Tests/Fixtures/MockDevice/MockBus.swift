import Foundation
public import Glibc
import Synchronization

/// A bus of its own, as the system's or a session's, with services on it that pretend a device (python3-dbusmock).
///
/// Everything ends with it. Its calls hold the thread until what they ask for is so.
public final class MockBus: Sendable {
  /// A service that can be pretended.
  public enum Service: String, Sendable, CaseIterable {
    /// UPower, with a display device that is not there at first.
    case upower = "org.freedesktop.UPower"
    /// logind, without a session at first.
    case logind = "org.freedesktop.login1"
    /// NetworkManager, connected over an unmetered network.
    case networkManager = "org.freedesktop.NetworkManager"
    /// The power profiles' daemon under the name that it has now.
    case profiles = "org.freedesktop.UPower.PowerProfiles"
    /// The power profiles' daemon under the name that it had at first.
    case oldProfiles = "net.hadess.PowerProfiles"
    /// The desktop's notification service.
    case notifications = "org.freedesktop.Notifications"
  }

  private struct Programs {
    var bus: Helper?
    var services: [Service: Helper] = [:]
  }

  static let python = "/usr/bin/python3"  // Debian's own, whose modules they are.

  let folder = Helper.folder()
  private let programs = Mutex(Programs())

  /// A bus that runs, with these services on it.
  public init(_ services: Service...) throws {
    try begin()
    for service in services { try start(service) }
  }

  deinit {
    end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The bus's address, for `DBUS_SYSTEM_BUS_ADDRESS` or `DBUS_SESSION_BUS_ADDRESS`.
  public var address: String { "unix:path=\(folder)/bus" }

  /// Starts the bus.
  public func begin() throws {
    let helper = try Helper(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)"], environment: environment,
      output: folder + "/bus.log")
    programs.withLock { $0.bus = helper }
    try run("bus")  // Which waits for it.
  }

  /// Ends the bus and all services, as a crash would.
  public func end() {
    let all = programs.withLock { programs in
      defer { programs = Programs() }
      return [programs.bus].compactMap { $0 } + programs.services.values
    }
    for helper in all { helper.kill() }
    unlink(folder + "/bus")
  }

  /// Puts a service on the bus.
  public func start(_ service: Service) throws {
    let arguments: [String] =
      switch service {
      case .notifications: ["--template", "notification_daemon", "--logfile", folder + "/desktop.log"]
      case .upower: ["--template", "upower"]
      case .logind: ["--template", "logind"]
      case .networkManager: ["--template", "networkmanager"]
      case .oldProfiles: ["--template", "power_profiles_daemon"]
      case .profiles: [service.rawValue, "/org/freedesktop/UPower/PowerProfiles", service.rawValue]
      }
    let helper = try Helper(
      [Self.python, "-m", "dbusmock", service == .notifications ? "--session" : "--system"] + arguments,
      environment: environment, output: folder + "/mock.log")
    programs.withLock { $0.services[service] = helper }
    switch service {
    case .networkManager:
      try run(
        "manager = mock(NM, '/org/freedesktop/NetworkManager'); manager.AddProperty(NM, 'Metered', u(4)); "
          + "manager.AddProperty(NM, 'PrimaryConnectionType', '')")
    case .profiles:
      let path = "/org/freedesktop/UPower/PowerProfiles"
      try run("mock('\(service.rawValue)', '\(path)').AddProperty('\(service.rawValue)', 'ActiveProfile', 'balanced')")
    case .upower, .logind, .oldProfiles, .notifications: try run("mock('\(service.rawValue)', '/')")
    }
  }

  /// Ends a service, as a crash would.
  public func stop(_ service: Service) { programs.withLock { $0.services.removeValue(forKey: service) }?.kill() }

  /// Has a service hang, or go on.
  public func setHanging(_ isHanging: Bool, _ service: Service) {
    programs.withLock { programs in
      if let helper = programs.services[service] { kill(helper.pid, isHanging ? SIGSTOP : SIGCONT) }
    }
  }

  private var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address, "HOME": folder,
      "XDG_DATA_HOME": folder + "/data",
    ]
  }

  /// Runs a line of Python with the names below.
  func run(_ line: String) throws {
    let prelude = """
      import time, dbus
      until = time.monotonic() + 30
      while True:
        try:
          bus = dbus.SystemBus()
          break
        except dbus.DBusException:
          if time.monotonic() > until: raise
          time.sleep(0.02)
      NM, LOGIN = 'org.freedesktop.NetworkManager', 'org.freedesktop.login1'
      N, NP = 'org.freedesktop.Notifications', '/org/freedesktop/Notifications'
      u = lambda number: dbus.UInt32(number, variant_level=1)
      def mock(name, path):
        while not bus.name_has_owner(name):
          if time.monotonic() > until: raise Exception(name + ' does not come')
          time.sleep(0.02)
        return dbus.Interface(bus.get_object(name, path), 'org.freedesktop.DBus.Mock')
      def change(name, path, interface, values): mock(name, path).UpdateProperties(interface, values)

      """
    let log = folder + "/mock.log"
    let status = try Helper([Self.python, "-c", prelude + line], environment: environment, output: log).end()
    guard status == 0 else { throw Missing("python3-dbusmock did not do '\(line)':\n\(Helper.text(log))") }
  }
}

// MARK: - What is pretended

extension MockBus {
  /// Has UPower tell of a battery, and of where the power comes from.
  public func setBattery(percent: Double, isCharging: Bool, isInUse: Bool) throws {
    let device = "/org/freedesktop/UPower/devices/DisplayDevice"
    let values =
      "{'Type': u(2), 'State': u(\(isCharging ? 1 : 2)), 'Percentage': \(percent), 'IsPresent': True}"
    try run(
      "change('org.freedesktop.UPower', '\(device)', 'org.freedesktop.UPower.Device', \(values)); "
        + "change('org.freedesktop.UPower', '/org/freedesktop/UPower', 'org.freedesktop.UPower', "
        + "{'OnBattery': \(isInUse ? "True" : "False")})")
  }

  /// Has NetworkManager tell of its primary connection: `NMMetered`, `NMState`, and the connection's type.
  public func setNetwork(metered: Int, state: Int = 70, type: String = "802-11-wireless") throws {
    try run(
      "change(NM, '/org/freedesktop/NetworkManager', NM, "
        + "{'Metered': u(\(metered)), 'State': u(\(state)), 'PrimaryConnectionType': '\(type)'})")
  }

  /// Has the power profiles' daemon choose a profile.
  public func setProfile(_ profile: String, of service: Service) throws {
    let path = service == .profiles ? "/org/freedesktop/UPower/PowerProfiles" : "/net/hadess/PowerProfiles"
    try run("change('\(service.rawValue)', '\(path)', '\(service.rawValue)', {'ActiveProfile': '\(profile)'})")
  }

  /// Has logind open a session of a user at a seat, or without one.
  public func openSession(_ name: String, user: uid_t = getuid(), seat: String = "seat0", isActive: Bool = true) throws
  {
    try run(
      "manager = mock(LOGIN, '/org/freedesktop/login1'); "
        + "path = manager.AddSession('\(name)', '\(seat)', dbus.UInt32(\(user)), 'user', \(isActive ? "True" : "False")); "
        + "manager.EmitSignal(LOGIN + '.Manager', 'SessionNew', 'so', ['\(name)', dbus.ObjectPath(path)])")
  }

  /// Has logind list a session at a seat of this user's whose properties nobody can read.
  public func listUnreadableSession() throws {
    let path = "dbus.ObjectPath('/org/freedesktop/login1/session/ghost')"
    let rows = "[('ghost', dbus.UInt32(\(getuid())), 'user', 'seat0', \(path))]"
    try run(
      "mock(LOGIN, '/org/freedesktop/login1').AddMethod(LOGIN + '.Manager', 'ListSessions', '', 'a(susso)', "
        + "\"ret = \(rows)\")")
  }

  /// Has a session's screen be locked or unlocked.
  public func setLocked(_ isLocked: Bool, session: String) throws {
    try run(
      "change(LOGIN, '/org/freedesktop/login1/session/\(session)', LOGIN + '.Session', "
        + "{'LockedHint': \(isLocked ? "True" : "False")})")
  }

  /// Has logind say that the device is about to sleep, or has woken up.
  public func setAsleep(_ isAsleep: Bool) throws {
    try run(
      "mock(LOGIN, '/org/freedesktop/login1').EmitSignal(LOGIN + '.Manager', 'PrepareForSleep', 'b', "
        + "[\(isAsleep ? "True" : "False")])")
  }
}
