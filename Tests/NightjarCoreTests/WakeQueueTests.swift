import NightjarModel
import Testing

@testable import NightjarCore

private func wake(_ number: Int64, _ session: String = "main", crashes: Int = 0) -> Wake {
  Wake(
    number: number, of: SessionID(app: farm, identifier: session), transfer: TransferID(number), crashes: crashes)
}

private func queue(_ numbers: [Int64], _ session: String = "main") -> WakeQueue {
  var queue = WakeQueue()
  for number in numbers { queue.keep(wake(number, session), crashesMax: 3) }
  return queue
}

extension WakeQueue {
  fileprivate mutating func sent(_ max: Int = 2, _ session: String = "main") -> [Int64] {
    send(session, inFlightMax: max).map(\.number)
  }
}

@Suite struct `A wake queue` {
  @Test func `sends in order and no more than may be in flight`() {
    var queue = queue([1, 2, 3, 4])

    let first = queue.sent()
    let full = queue.sent()
    _ = queue.remove(1)
    let next = queue.sent()

    #expect(first == [1, 2])
    #expect(full == [])
    #expect(next == [3])
    #expect(!queue.isSent("main"))
    #expect(queue.inFlight == 2)
  }

  @Test func `sends everything again to a new holder`() {
    var queue = queue([1, 2, 3])
    _ = queue.sent()

    queue.rewind("main")

    #expect(queue.inFlight == 0)
    #expect(queue.sent(9) == [1, 2, 3])
  }

  @Test func `does not send what is parked, and counts it all the same`() {
    var queue = queue([1, 2])
    queue.keep(wake(1, crashes: 3), crashesMax: 3)

    #expect(queue.sent() == [2])
    #expect(queue.parked.map(\.number) == [1])
    #expect(queue.count == 2)
  }

  @Test func `sends what is no longer parked, though higher numbers were sent before`() {
    var queue = queue([1, 2])
    queue.keep(wake(1, crashes: 3), crashesMax: 3)
    _ = queue.sent()

    queue.keep(wake(1), crashesMax: 3)

    #expect(queue.sent() == [1])
    _ = queue.remove(1)
    #expect(queue.inFlight == 1)
  }

  @Test func `does not send again what has only been charged with a crash`() {
    var queue = queue([1])
    _ = queue.sent()

    queue.keep(wake(1, crashes: 1), crashesMax: 3)

    #expect(queue.sent() == [])
    #expect(queue.isInFlight("main"))
  }

  @Test func `parks what is in flight without losing count`() {
    var queue = queue([1, 2])
    _ = queue.sent()

    queue.keep(wake(1, crashes: 3), crashesMax: 3)
    _ = queue.remove(1)

    #expect(queue.inFlight == 1)
    #expect(queue.first("main")?.number == 2)
  }

  @Test func `names the sessions for which something waits`() {
    var queue = queue([1, 2])
    queue.keep(wake(3, "other"), crashesMax: 3)
    queue.keep(wake(4, "parked", crashes: 3), crashesMax: 3)

    #expect(queue.sessions == ["main", "other"])
    _ = queue.remove(3)
    #expect(queue.sessions == ["main"])
  }
}

@Suite struct `The gate` {
  private let session = SessionRecord(id: SessionID(app: farm, identifier: "main"))
  private let quiet = SessionRecord(id: SessionID(app: farm, identifier: "quiet"), sendsLaunchEvents: false)
  private let gate = Gate(limits: Limits())

  private func verdict(_ app: App, due: [SessionRecord], rest: Int = 0, until end: Age? = nil) -> Verdict {
    gate.verdict(for: app, due: due, restOfSession: rest, until: end, unopened: [], at: Age(.seconds(10)))
  }

  @Test func `lets an app be launched for a session that is due`() {
    #expect(verdict(App(AppRecord(installed: farmApp)), due: [session]) == .allowed)
  }

  @Test func `waits for the rest of a session`() {
    let verdict = verdict(App(AppRecord(installed: farmApp)), due: [], rest: 3, until: Age(.seconds(70)))

    #expect(verdict == .waits(.restOfSession(count: 3), atMost: .seconds(60)))
  }

  @Test func `waits for the next launch where the session sends no launch events`() {
    let app = App(AppRecord(installed: farmApp))

    #expect(verdict(app, due: [quiet]) == .waits(.nextLaunch, atMost: nil))
    #expect(verdict(app, due: [quiet, session]) == .allowed)
  }

  @Test func `says that nobody is there to be told, or how to relaunch it`() {
    let unnamed = InstalledApp(id: tool, displayName: "tool", kind: .program(relaunch: []))
    let named = InstalledApp(id: tool, displayName: "tool", kind: .program(relaunch: ["tool"]))

    #expect(verdict(App(AppRecord(installed: unnamed)), due: [session]) == .waits(.nobodyToTell, atMost: nil))
    #expect(verdict(App(AppRecord(installed: named)), due: [session]) == .allowed)
  }

  @Test func `waits out a launch that failed`() {
    var app = App(AppRecord(installed: farmApp, failures: 2, notBefore: Age(.seconds(30))))
    app.lastEnd = "exited 1"

    let verdict = verdict(app, due: [session])

    #expect(verdict == .waits(.launchBackOff(detail: "exited 1", attempts: 2), atMost: .seconds(20)))
  }

  @Test func `says why the launch that failed was ended`() {
    var app = App(AppRecord(installed: farmApp, failures: 1, notBefore: Age(.seconds(30))))
    let steps = [(HistoryEntry.Kind.overdue, "is killed: it did not attach within 30 s"), (.exited, "was killed")]
    for (number, (kind, sentence)) in zip(Int64(1)..., steps) {
      let id = HistoryEntry.ID(app: farm, number: number)
      app.history.restore(HistoryEntry(id: id, life: 1, at: Timestamp(seconds: 1), kind: kind, sentence: sentence))
    }
    app.lastEnd = "was killed"

    let verdict = verdict(app, due: [session])

    let detail = "is killed: it did not attach within 30 s; it was killed"
    #expect(verdict == .waits(.launchBackOff(detail: detail, attempts: 1), atMost: .seconds(20)))
  }

  @Test func `says that everything is parked`() {
    var app = App(AppRecord(installed: farmApp))
    app.wakes.keep(wake(1, crashes: 3), crashesMax: 3)

    #expect(verdict(app, due: []) == .waits(.parked(crashes: 3), atMost: nil))
  }
}
