import NightjarModel
import Testing

@testable import NightjarTransfer

/// Who may work on which files, and who waits. Transfer 2 is to take over the file of transfer 1.
@Suite struct DesksTests {
  private func order(_ id: Int64, _ attempt: Int = 1, of heritage: Int64? = nil) -> TransferOrder {
    var point = ResumePoint(offset: 10, validator: .entityTag("\"a\""), length: nil)
    point.heritage = heritage.map(TransferID.init)
    return .download("http://localhost/x", id: id, attempt: attempt, resume: point)
  }

  @Test func `who inherits a file begins once the attempt that writes it has ended`() {
    var desks = Desks()
    let first = desks.start(order(1))

    let held = desks.start(order(2, of: 1))
    let repeated = desks.start(order(2, of: 1))
    let freed = desks.ended(TransferID(1))

    #expect(first.words == ["begin 1.1"])
    #expect(held.words == [] && repeated.words == [])
    #expect(freed.words == ["begin 2.1"])
  }

  @Test func `who inherits a file waits for its removal and for what waits behind that`() {
    var desks = Desks()
    _ = desks.discard(TransferID(1))
    _ = desks.start(order(1, 2))

    let held = desks.start(order(2, of: 1))
    let removed = desks.ended(TransferID(1))
    let ended = desks.ended(TransferID(1))

    #expect(held.words == [])
    #expect(removed.words == ["begin 1.2"])
    #expect(ended.words == ["begin 2.1"])
  }

  @Test func `an heir that waits behind its own older attempt waits for the file as well`() {
    var desks = Desks()
    _ = desks.start(order(2))
    _ = desks.start(order(1))
    _ = desks.start(order(2, 2, of: 1))

    let older = desks.ended(TransferID(2))
    let freed = desks.ended(TransferID(1))

    #expect(older.words == [])
    #expect(freed.words == ["begin 2.2"])
  }

  @Test func `an heir that waits is stopped and replaced at once`() {
    var desks = Desks()
    _ = desks.start(order(1))
    _ = desks.start(order(2, 1, of: 1))

    let stopped = desks.stop(TransferID(2), attempt: 1)
    _ = desks.start(order(2, 2, of: 1))
    let replaced = desks.start(order(2, 3, of: 1))
    let freed = desks.ended(TransferID(1))

    #expect(stopped.words == ["stopped 2.1"])
    #expect(replaced.words == ["stopped 2.2"])
    #expect(freed.words == ["begin 2.3"])
  }

  @Test func `an heir that waits and is discarded never begins, and its own heir waits for that`() {
    var desks = Desks()
    _ = desks.start(order(1))
    _ = desks.start(order(2, of: 1))
    _ = desks.start(order(3, of: 2))

    let discarded = desks.discard(TransferID(2))
    let freed = desks.ended(TransferID(1))
    let removed = desks.ended(TransferID(2))

    #expect(discarded.words == ["stopped 2.1"])
    #expect(freed.words == ["remove 2"])
    #expect(removed.words == ["begin 3.1"])
  }

  @Test func `an heir that waits when all is shut down is told, and nothing is left at work`() {
    var desks = Desks()
    _ = desks.start(order(1))
    _ = desks.start(order(2, of: 1))

    _ = desks.close()
    let isIdle = desks.awaitIdle {}
    let freed = desks.ended(TransferID(1))

    #expect(!isIdle)
    #expect(freed.words == ["stopped 2.1"])
    #expect(desks.takeIdle() != nil)
  }
}

extension Desks.Deed {
  /// What is to be done, in order: transfers, and behind a point their attempts.
  fileprivate var words: [String] {
    switch self {
    case .none: []
    case .begin(let order): ["begin \(order.id).\(order.attempt)"]
    case .stop(let attempt, _): ["stop \(attempt.order.id).\(attempt.order.attempt)"]
    case .tellStopped(let id, let attempt): ["stopped \(id).\(attempt)"]
    case .remove(let id): ["remove \(id)"]
    case .both(let first, let second): first.words + second.words
    }
  }
}
