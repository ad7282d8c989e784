import Foundation

/// A call that the pretended notification service has had.
public struct DesktopCall: Hashable, Sendable, Decodable {
  /// The method's name.
  public var method: String
  /// For `Notify`: who notifies.
  public var app = ""
  /// For `Notify`: the number that is replaced, or 0. For `CloseNotification`: the number.
  public var number = 0
  /// For `Notify`: the rest.
  public var icon = "", summary = "", body = ""
  /// For `Notify`: the actions and their titles, in turn.
  public var actions: [String] = []
  /// For `Notify`: what is hinted at, each as Python writes it.
  public var hints: [String: String] = [:]
}

/// The desktop as a test sees it.
extension MockBus {
  /// All calls that show or close something which the service has had since it began.
  public func desktopCalls() throws -> [DesktopCall] {
    try allDesktopCalls().filter { ["Notify", "CloseNotification"].contains($0.method) }
  }

  /// All calls that the service has had since it began.
  public func allDesktopCalls() throws -> [DesktopCall] {
    let answer = folder + "/answer"
    try run(
      """
      import json
      calls = []
      for _, name, args in mock(N, NP).GetCalls():
        if name == 'Notify':
          app, number, icon, summary, body, actions, hints, _ = args
          calls.append(dict(method=name, app=app, number=int(number), icon=icon, summary=summary, body=body,
            actions=[str(a) for a in actions], hints={str(k): str(int(v) if isinstance(v, int) else v) for k, v in hints.items()}))
        else:
          number = int(args[0]) if name == 'CloseNotification' else 0
          calls.append(dict(method=name, app='', number=number, icon='', summary='', body='', actions=[], hints={}))
      open('\(answer)', 'w').write(json.dumps(calls))
      """)
    return try JSONDecoder().decode([DesktopCall].self, from: Data(contentsOf: URL(fileURLWithPath: answer)))
  }

  /// A person does something with a notification: `default`, or a button's action.
  public func act(_ action: String, on number: Int) throws {
    try run("mock(N, NP).EmitSignal(N, 'ActionInvoked', 'us', [dbus.UInt32(\(number)), '\(action)'])")
  }

  /// The desktop has closed a notification: 1 for its time, 2 for a person.
  public func close(_ number: Int, reason: Int) throws {
    try run("mock(N, NP).EmitSignal(N, 'NotificationClosed', 'uu', [dbus.UInt32(\(number)), dbus.UInt32(\(reason))])")
  }

  /// Has the service send a signal whose values are of the wrong types.
  public func sendNonsense() throws {
    try run(
      """
      desktop = mock(N, NP)
      desktop.EmitSignal(N, 'ActionInvoked', 's', ['default'])
      desktop.EmitSignal(N, 'ActionInvoked', 'uu', [dbus.UInt32(1), dbus.UInt32(1)])
      desktop.EmitSignal(N, 'NotificationClosed', '', [])
      desktop.EmitSignal(N, 'NotificationClosed', 'us', [dbus.UInt32(1), 'person'])
      desktop.EmitSignal(N, 'ActionInvoked', 'us', [dbus.UInt32(4711), 'default'])
      desktop.EmitSignal(N, 'ActivationToken', 'us', [dbus.UInt32(1), 'token'])
      """)
  }

  /// Has a method of the service answer with what a line of Python makes `ret`, of that type.
  public func answer(_ method: String, _ types: (from: String, to: String), with line: String) throws {
    try run("mock(N, NP).AddMethod(N, '\(method)', '\(types.from)', '\(types.to)', '''\(line)''')")
  }

  /// Has the bus know how to start a notification service, from now on: the pretended one, or a program that fails.
  public func makeStartable(failing: Bool = false) throws {
    let services = folder + "/data/dbus-1/services"
    try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
    let command = failing ? "/bin/false" : "\(Self.python) -m dbusmock --session --template notification_daemon"
    let text = "[D-BUS Service]\nName=\(Service.notifications.rawValue)\nExec=\(command)\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: services + "/desktop.service"))
    try run(
      "dbus.Interface(bus.get_object('org.freedesktop.DBus', '/org/freedesktop/DBus'), 'org.freedesktop.DBus')"
        + ".ReloadConfig()")
  }

  /// The types of `Notify`.
  public static let notify = "susssasa{sv}i"
}
