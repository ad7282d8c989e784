import MockDevice
import NightjarModel
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

/// Notifications on a desktop that is pretended (python3-dbusmock), over a real bus.
@Suite(.blocking) struct DesktopTests {
  @Test func `a notification is put as the specification wants it`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address, look: DesktopLook(icon: "/tea.png"))

    desktop.notices.show(.tea(1, body: "a <b> & c", action: "Drink"))
    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })

    let call = try #require(try bus.desktopCalls().first)
    #expect(call.method == "Notify" && call.app == "Tea" && call.number == 0 && call.icon == "file:///tea.png")
    #expect(call.summary == "Tea" && call.body == "a &lt;b&gt; &amp; c")
    #expect(call.hints["desktop-entry"] == "dev.test.Tea" && call.hints["urgency"] == "1")
    #expect(desktop.trouble == nil)
  }

  @Test func `a click and a button tap it, a person's closing dismisses it, and its time does neither`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address)
    for id in 1...4 { desktop.notices.show(.tea(Int64(id))) }
    #expect(desktop.has { $0.count == 4 })

    try bus.sendNonsense()
    try bus.close(3, reason: 1)
    try bus.act("default", on: 1)
    try bus.act("settings", on: 2)
    try bus.act("open", on: 2)
    try bus.close(4, reason: 2)

    #expect(desktop.has { $0.last == .dismissed(NoticeID(4)) })
    #expect(
      desktop.facts.dropFirst(4) == [.tapped(NoticeID(1)), .tapped(NoticeID(2)), .dismissed(NoticeID(4))])
  }

  @Test func `what is retracted is closed`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address)
    desktop.notices.show(.tea(1))
    #expect(desktop.has { $0.count == 1 })
    desktop.notices.retract(NoticeID(1))
    desktop.notices.show(.tea(2))
    #expect(desktop.has { $0.contains(.shown(NoticeID(2))) })

    let calls = try bus.desktopCalls()

    #expect(calls.map(\.method).sorted() == ["CloseNotification", "Notify", "Notify"])
    #expect(calls.first { $0.method == "CloseNotification" }?.number == 1)
  }

  @Test func `more orders than the lookout takes pieces of work are followed all the same`() throws {
    let (place, lookout, gate, bell) = (try TestHome(), try Lookout(), Doorbell(), Doorbell())
    defer { lookout.stop() }
    let notices = DesktopNotices(
      lookout: lookout, record: place.root + "/desktop", look: { _ in .init() }, report: { _ in })

    lookout.perform { _ = gate.wait() }
    for id in 1...70_000 as ClosedRange<Int64> { notices.retract(NoticeID(id)) }
    lookout.perform { bell.ring() }
    gate.ring()

    #expect(bell.wait())
    withExtendedLifetime(notices) {}
  }

  @Test func `a service that starts anew is given what was open, and what came meanwhile`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address)
    desktop.notices.show(.tea(1))
    desktop.notices.show(.tea(2))
    #expect(desktop.has { $0.count == 2 })
    try bus.close(2, reason: 1)

    bus.stop(.notifications)
    #expect(desktop.lacks("no notification service is on the session bus"))
    desktop.notices.show(.tea(3))
    try bus.start(.notifications)

    #expect(desktop.has { $0.filter { $0 == .shown(NoticeID(1)) }.count == 2 && $0.contains(.shown(NoticeID(3))) })
    #expect(try bus.desktopCalls().map(\.body) == ["tea 1", "tea 3"])
    #expect(try bus.desktopCalls().map { $0.hints["urgency"] } == ["0", "1"])
    #expect(desktop.trouble == nil)
  }

  @Test func `a bus that comes late, and one that comes in its place, are used`() throws {
    let bus = try MockBus(.notifications)
    bus.end()
    let desktop = try Desktop(bus.address)
    #expect(desktop.lacks("no session bus at"))
    desktop.notices.show(.tea(1))

    try bus.begin()
    try bus.start(.notifications)
    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })
    bus.end()
    #expect(desktop.lacks("the session bus has gone"))
    try bus.begin()
    try bus.start(.notifications)

    #expect(desktop.has { $0 == [.shown(NoticeID(1)), .shown(NoticeID(1))] })
  }

  @Test func `the next daemon knows what is open, closes what was put away, and shows nothing twice`() throws {
    let bus = try MockBus(.notifications)
    let place = try TestHome()
    let last = try Desktop(bus.address, in: place)
    for id in 1...3 { last.notices.show(.tea(Int64(id))) }
    #expect(last.has { $0.count == 3 })
    last.end()

    let next = try Desktop(bus.address, in: place)
    next.notices.restore(seen: [.tea(1)], unseen: [NoticeID(2)])
    next.notices.show(.tea(2))
    #expect(next.has { $0 == [.shown(NoticeID(2))] })
    next.notices.show(.tea(4))
    #expect(next.has { $0.contains(.shown(NoticeID(4))) })
    try bus.act("default", on: 1)
    #expect(next.has { $0.last == .tapped(NoticeID(1)) })

    let calls = try bus.desktopCalls()
    #expect(calls.filter { $0.method == "Notify" }.map(\.body) == ["tea 1", "tea 2", "tea 3", "tea 4"])
    #expect(calls.filter { $0.method == "CloseNotification" }.map(\.number) == [3])
  }

  @Test(arguments: [
    ("u", "ret = 0"), ("s", "ret = \"seven\""), ("i", "ret = -1"), ("", "pass"),
    ("u", "raise dbus.exceptions.DBusException(\"no\", name=\"org.test.No\")"),
  ])
  func `an answer of the wrong kind is told in the status, and others are still shown`(type: String, line: String)
    throws
  {
    let bus = try MockBus(.notifications)
    try bus.answer("Notify", (MockBus.notify, type), with: line)
    let desktop = try Desktop(bus.address)

    desktop.notices.show(.tea(1))
    #expect(desktop.lacks("refused one"))
    try bus.answer("Notify", (MockBus.notify, "u"), with: "ret = 9")
    desktop.notices.show(.tea(2))

    #expect(desktop.has { $0 == [.shown(NoticeID(2))] })
    #expect(desktop.trouble == nil)
  }

  @Test(arguments: [("u", "ret = 7"), ("s", "ret = \"body\""), ("ai", "ret = [1]"), ("", "pass")])
  func `a service that does not say what it can do is asked for the least`(type: String, line: String) throws {
    let bus = try MockBus(.notifications)
    try bus.answer("GetCapabilities", ("", type), with: line)
    let desktop = try Desktop(bus.address)

    desktop.notices.show(.tea(1))

    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })
    #expect(try bus.desktopCalls().first?.summary == "Tea: tea 1")
  }

  @Test func `a service that was too slow to say what it can do is asked again for the next notification`() throws {
    let bus = try MockBus(.notifications)
    let failing = "raise dbus.exceptions.DBusException(\"slow\", name=\"org.freedesktop.DBus.Error.NoReply\")"
    try bus.answer("GetCapabilities", ("", "as"), with: failing)
    let desktop = try Desktop(bus.address)
    desktop.notices.show(.tea(1))
    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })

    try bus.answer("GetCapabilities", ("", "as"), with: "ret = [\"actions\", \"body\"]")
    desktop.notices.show(.tea(2))
    #expect(desktop.has { $0.last == .shown(NoticeID(2)) })

    let calls = try bus.desktopCalls()
    #expect(calls.map(\.summary) == ["Tea: tea 1", "Tea"])
    #expect(calls.map(\.actions) == [[], ["default", "Open"]])
  }

  @Test func `a service that the bus can start is started for a notification, and nobody misses it before`() throws {
    let bus = try MockBus()
    try bus.makeStartable()
    let desktop = try Desktop(bus.address)

    desktop.notices.show(.tea(1))

    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })
    #expect(try bus.desktopCalls().map(\.body) == ["tea 1"])
  }

  @Test func `a service that the bus cannot start is told in the status, and nothing is lost`() throws {
    let bus = try MockBus()
    try bus.makeStartable(failing: true)
    let desktop = try Desktop(bus.address)

    desktop.notices.show(.tea(1))
    #expect(desktop.lacks("does not start"))
    try bus.start(.notifications)

    #expect(desktop.has { $0 == [.shown(NoticeID(1))] })
  }

  @Test func `where a service has gone, none is blamed for it, whatever is to be shown meanwhile`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address)
    desktop.notices.show(.tea(1))
    #expect(desktop.has { $0.count == 1 })

    bus.stop(.notifications)
    for id in 2...40 { desktop.notices.show(.tea(Int64(id))) }

    #expect(desktop.lacks("no notification service"))
    try bus.start(.notifications)
    #expect(desktop.has { $0.contains(.shown(NoticeID(40))) })
    #expect(desktop.troubles.allSatisfy { !$0.contains("does not start") })
  }

  @Test func `a service that hangs and dies loses nothing`() throws {
    let bus = try MockBus(.notifications)
    let desktop = try Desktop(bus.address)
    desktop.notices.show(.tea(1))
    #expect(desktop.has { $0.count == 1 })
    bus.setHanging(true, .notifications)

    desktop.notices.show(.tea(2))
    bus.stop(.notifications)
    #expect(desktop.lacks("no notification service"))
    try bus.start(.notifications)

    #expect(desktop.has { $0.contains(.shown(NoticeID(2))) })
    #expect(try bus.desktopCalls().map(\.body).sorted() == ["tea 1", "tea 2"])
  }

  @Test(arguments: ["", "nonsense", "unix:path=", "tcp:host="])
  func `an address that leads nowhere does no harm, and is told`(address: String) throws {
    let desktop = try Desktop(address)

    desktop.notices.show(.tea(1))

    #expect(desktop.lacks("only in the notification centre"))
  }

  @Test func `without a session there is a sentence, and where no desktop is wanted there is none`() throws {
    var unwanted = DesktopSettings(environment: [:])
    unwanted.isUsed = false

    let without = try Desktop(DesktopSettings(environment: [:]))
    let not = try Desktop(unwanted)

    #expect(without.lacks("XDG_RUNTIME_DIR"))
    #expect(not.trouble == nil)
  }
}

/// A desktop that is looked for, and what it has told.
private final class Desktop: Sendable {
  let notices: DesktopNotices
  private let lookout: Lookout
  private let told: Told
  private let place: TestHome

  private final class Told: Sendable {
    let facts = Mutex<(all: [DesktopFact], lacks: [String?])>(([], []))
    let bell = Doorbell()
  }

  init(_ settings: DesktopSettings, in place: TestHome? = nil, look: DesktopLook = .init()) throws {
    (lookout, told, self.place) = (try Lookout(), Told(), try place ?? TestHome())
    notices = DesktopNotices(
      lookout: lookout, record: self.place.root + "/desktop", look: { _ in look },
      report: { [told] fact in
        told.facts.withLock {
          if case .lacking(let sentence) = fact { $0.lacks.append(sentence) } else { $0.all.append(fact) }
        }
        told.bell.ring()
      })
    notices.start(settings)
  }

  convenience init(_ address: String, in place: TestHome? = nil, look: DesktopLook = .init()) throws {
    var settings = DesktopSettings(environment: [:])
    settings.busAddress = address
    try self.init(settings, in: place, look: look)
  }

  deinit { lookout.stop() }

  func end() { lookout.stop() }

  var facts: [DesktopFact] { told.facts.withLock { $0.all } }
  /// All that was missing so far; what is missing now.
  var troubles: [String] { told.facts.withLock { $0.lacks.compactMap { $0 } } }
  var trouble: String? { told.facts.withLock { $0.lacks.last ?? nil } }

  /// Whether this comes to be told.
  func has(_ holds: ([DesktopFact]) -> Bool) -> Bool {
    repeat { if holds(facts) { return true } } while told.bell.wait()
    print("in the end it was \(facts), \(trouble ?? "no trouble")")
    return false
  }

  /// Whether this comes to be what is missing.
  func lacks(_ words: String) -> Bool { has { _ in trouble?.contains(words) == true } }
}

extension Banner {
  fileprivate static func tea(_ id: Int64, body: String? = nil, action: String? = nil) -> Banner {
    Banner(
      id: NoticeID(id), app: AppID("dev.test.Tea"), title: "Tea", body: body ?? "tea \(id)", action: action,
      sounds: false, firedAt: Timestamp(seconds: 1))
  }
}
