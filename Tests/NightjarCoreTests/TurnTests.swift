import NightjarHabits
import NightjarModel
import TestThreads
import Testing

@testable import NightjarCore

@Suite(.computing) struct TurnTests {
  /// One change of each kind, and whatever else a turn holds.
  private func full() -> Turn {
    var turn = Turn()
    turn.deeds = [.note(farm, "was here")]
    (turn.touchedTransfers, turn.touchedApps, turn.touchedDevice) = ([TransferID(1)], [farm], true)
    (turn.touchedNotices, turn.touchedDecisions) = ([NoticeID(1)], [1])
    turn.changes.remove(TransferID(1))
    turn.changes.forget(
      TransferRequest(key: RequestKey(high: 1, low: 1), app: farm, url: "https://anna:pw@a.example/1"))
    turn.changes.remove(SessionID(app: farm, identifier: "s"))
    turn.changes.removeWake(1)
    turn.changes.remove(farm)
    turn.changes.removeRemnant(RequestKey(high: 1, low: 1))
    turn.changes.depart(farm, true)
    turn.changes.removeEntry(HistoryEntry.ID(app: farm, number: 1))
    turn.changes.keep(SimulatedConditions.none)
    turn.changes.removeScheduled(NoticeKey(app: farm, key: RequestKey(high: 1, low: 1)))
    turn.changes.removeNotice(NoticeID(1))
    turn.changes.keep(refreshes: false)
    turn.changes.removeFetches(of: farm)
    turn.changes.removeRequest(RequestRecord.ID(app: farm, identifier: "r"))
    turn.changes.removeDecision(1)
    turn.changes.keep(Habits())
    turn.changes.keep(FetchBudget(FetchSettings(), apps: 1, at: .zero))
    return turn
  }

  @Test func `a turn that was cleared is an empty one`() {
    var turn = full()
    let parts = [Any](Mirror(reflecting: turn).children.map(\.value))
    let kinds = [Any](Mirror(reflecting: turn.changes).children.map(\.value))
    let isFull = (parts + kinds).allSatisfy { !["[]", "[:]", "nil", "false"].contains("\($0)") }

    turn.clear()

    #expect(isFull)
    #expect("\(turn)" == "\(Turn())")
  }
}
