import NightjarHabits
import NightjarModel
import NightjarSimulator
import Testing

@testable import NightjarCore

struct `The digest of turns` {
  @Test(arguments: deeds)
  func `tells in which order two apps are dealt with`(deed: @Sendable (AppID) -> Deed) {
    #expect(digest([deed(farm), deed(mail)]) != digest([deed(mail), deed(farm)]))
  }

  @Test func `tells which of two alike deeds was done`() {
    let deeds: [Deed] = [
      .keepSnapshot(farm), .dropView(farm), .forgetLooks(farm), .uninstall(farm), .thaw(farm, life: 1),
      .inspect(farm, life: 1), .measure(question: 1, []), .retract(NoticeID(1)), .discard(TransferID(1)),
      .tell(ConnectionID(1), .memoryWarning), .tell(ConnectionID(1), .significantTimeChange),
      .tell(ConnectionID(1), .enterForeground),
      .tell(ConnectionID(1), .handleEvents(session: "s")), .tell(ConnectionID(1), .eventsFinished(session: "s")),
    ]

    #expect(Set(deeds.map { digest([$0]) }).count == deeds.count)
  }

  @Test(arguments: changes)
  func `tells what is remembered of fetches, departures and habits`(change: @Sendable (inout Changes) -> Void) {
    var turn = Turn()

    change(&turn.changes)

    #expect(digest(of: turn) != Digest())
  }

  @Test func `tells one table from another`() {
    var (wakes, remnants) = (Turn(), Turn())

    wakes.changes.removeWake(7)
    remnants.changes.removeRemnant(RequestKey(high: 0, low: 7))

    #expect(digest(of: wakes) != digest(of: remnants))
  }

  private func digest(_ deeds: [Deed]) -> Digest {
    var turn = Turn()
    turn.deeds = deeds
    return digest(of: turn)
  }

  private func digest(of turn: Turn) -> Digest {
    var digest = Digest()
    digest.fold(turn)
    return digest
  }
}

private let farm = AppID("dev.example.Farm")
private let mail = AppID("dev.example.Mail")
private let request = BackgroundRequest(identifier: "dev.example.Farm.tidy", kind: .processing)

private let deeds: [@Sendable (AppID) -> Deed] = [
  { .launch(LaunchOrder(app: InstalledApp(id: $0, displayName: "", kind: program), life: 1, isBackground: true)) },
  { .suspend($0, life: 1, stint: 1) },
  { .thaw($0, life: 1) },
  { .inspect($0, life: 1) },
  { .end($0, life: 1, politely: true) },
  { .meter($0, life: 1, errand: 1) },
  { .measure(question: 1, [AppLifeID($0, life: 1)]) },
  { .keepSnapshot($0) },
  { .uninstall($0) },
  { .note($0, "waits") },
]

private let program = InstalledApp.Kind.program(relaunch: [])

private let changes: [@Sendable (inout Changes) -> Void] = [
  { $0.keep(FetchRecord(app: farm)) },
  { $0.keep(RequestRecord(app: farm, request: request)) },
  { $0.depart(farm, true) },
  { $0.keep(refreshes: false) },
  { $0.keep(Habits()) },
  { $0.keep(FetchBudget(FetchSettings(), apps: 1, at: .zero)) },
]
