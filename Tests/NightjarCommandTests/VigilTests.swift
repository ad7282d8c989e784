import NightjarWire
import Testing

@testable import NightjarCommand

@Suite struct VigilTests {
  private func transfer(
    _ id: Int64, _ state: ControlInterface.Transfer.State = .running, app: String = "a"
  ) -> ControlInterface.Transfer {
    .init(
      id: id, app: app, direction: .download, url: "http://h/\(id)", label: "", state: state, count: 0, attempts: 1,
      verdict: "")
  }

  private func isEnd(_ change: Vigil.Change) -> Bool { if case .ended = change { true } else { false } }
  private func isChange(_ change: Vigil.Change) -> Bool { if case .changed = change { true } else { false } }
  private func isNothing(_ change: Vigil.Change) -> Bool { if case .nothing = change { true } else { false } }

  @Test func `it is over when the last one named has ended`() {
    var vigil = Vigil([transfer(1), transfer(2)])

    let first = vigil.learn(transfer(1, .succeeded))
    #expect(isEnd(first) && !vigil.isOver)
    let second = vigil.learn(transfer(2, .failed))
    #expect(isEnd(second) && vigil.isOver)
  }

  @Test func `an end is told once`() {
    var vigil = Vigil([transfer(1)])
    _ = vigil.learn(transfer(1, .succeeded))

    let again = vigil.learn(transfer(1, .succeeded))
    let removed = vigil.learn(removed: 1)

    #expect(isNothing(again) && isNothing(removed))
    #expect(vigil.transfers.map(\.state) == [.succeeded])
  }

  @Test func `another reason to wait is a change, and bytes that move are none`() {
    var vigil = Vigil([transfer(1)])
    var waiting = transfer(1, .waiting)
    waiting.verdict = "It waits for a network."
    var refused = waiting
    refused.verdict = "It waits for its server."

    let moved = vigil.learn(transfer(1))
    let stopped = vigil.learn(waiting)
    let same = vigil.learn(waiting)
    let other = vigil.learn(refused)

    #expect([moved, stopped, same, other].map(isChange) == [false, true, false, true])
  }

  @Test func `strangers are passed over`() {
    var vigil = Vigil([transfer(1)])

    let change = vigil.learn(transfer(9, .failed))

    #expect(isNothing(change) && !vigil.isOver)
  }

  @Test func `what a new connection is silent about has to be asked for`() {
    var vigil = Vigil([transfer(1), transfer(2), transfer(3)])
    _ = vigil.learn(transfer(3, .succeeded))

    vigil.begin()
    _ = vigil.learn(transfer(1))

    #expect(vigil.unheard == [2])
  }

  @Test func `a transfer that vanishes counts as cancelled`() {
    var vigil = Vigil([transfer(1)])

    let change = vigil.learn(removed: 1)

    #expect(isEnd(change) && vigil.isOver)
    #expect(vigil.transfers[0].failure?.code == "cancelled")
  }

  @Test func `a watch by app takes in its transfers, and forgets them when they have ended`() {
    var vigil = Vigil(scope: .app("a"))
    _ = vigil.learn(transfer(1, app: "a"))
    _ = vigil.learn(transfer(2, app: "b"))
    #expect(vigil.transfers.map(\.id) == [1])

    let change = vigil.learn(transfer(1, .succeeded, app: "a"))

    #expect(isEnd(change) && vigil.transfers.isEmpty && !vigil.isOver)
  }
}
