import NightjarModel

/// Who works on which transfer, and what waits until they have ended. Pure bookkeeping, under the engine's lock.
///
/// At most one attempt or removal touches a transfer's files at a time. Of what waits, only the newest start is kept.
struct Desks {
  /// What the engine has to do outside the lock.
  indirect enum Deed {
    case none
    case begin(TransferOrder)
    case stop(Attempt, keeps: Bool)
    case tellStopped(attempt: Int)
    case remove
    case both(Deed, Deed)
  }

  private struct Desk {
    /// The number of the attempt at work; nil while files are removed.
    var number: Int?
    /// The attempt, once it is made.
    var attempt: Attempt?
    /// A stop that came before it was made, and whether it keeps what came.
    var earlyStop: Bool?
    var removesNext = false
    var next: TransferOrder?
  }

  private var desks: [TransferID: Desk] = [:]
  private var isClosed = false
  private var onIdle: (@Sendable () -> Void)?

  mutating func start(_ order: TransferOrder) -> Deed {
    guard !isClosed else { return .tellStopped(attempt: order.attempt) }
    guard var desk = desks[order.id] else {
      desks[order.id] = Desk(number: order.attempt)
      return .begin(order)
    }
    guard desk.number != order.attempt || desk.removesNext, desk.next?.attempt != order.attempt else { return .none }
    let replaced = desk.next.map { Deed.tellStopped(attempt: $0.attempt) } ?? .none
    desk.next = order
    let stopped = Self.stop(&desk, keeps: true)
    desks[order.id] = desk
    return .both(replaced, stopped)
  }

  mutating func stop(_ id: TransferID, attempt: Int) -> Deed {
    guard var desk = desks[id] else { return .none }
    defer { desks[id] = desk }
    if desk.next?.attempt == attempt {
      desk.next = nil
      return .tellStopped(attempt: attempt)
    }
    return desk.number == attempt ? Self.stop(&desk, keeps: true) : .none
  }

  mutating func discard(_ id: TransferID) -> Deed {
    guard var desk = desks[id] else {
      guard !isClosed else { return .none }
      desks[id] = Desk()
      return .remove
    }
    let replaced = desk.next.map { Deed.tellStopped(attempt: $0.attempt) } ?? .none
    (desk.next, desk.removesNext) = (nil, true)
    let stopped = Self.stop(&desk, keeps: false)
    desks[id] = desk
    return .both(replaced, stopped)
  }

  private static func stop(_ desk: inout Desk, keeps: Bool) -> Deed {
    guard desk.number != nil else { return .none }
    guard let attempt = desk.attempt else {
      desk.earlyStop = keeps
      return .none
    }
    return .stop(attempt, keeps: keeps)
  }

  /// Puts an attempt at its desk; tells whether it has been asked to stop meanwhile.
  mutating func began(_ attempt: Attempt) -> Bool? {
    desks[attempt.order.id]?.attempt = attempt
    return desks[attempt.order.id]?.earlyStop
  }

  /// What comes after an attempt or a removal.
  mutating func ended(_ id: TransferID) -> Deed {
    guard let desk = desks[id] else { return .none }
    if desk.removesNext {
      desks[id] = Desk(next: desk.next)
      return .remove
    }
    guard let next = desk.next else {
      desks[id] = nil
      return .none
    }
    guard !isClosed else {
      desks[id] = nil
      return .tellStopped(attempt: next.attempt)
    }
    desks[id] = Desk(number: next.attempt)
    return .begin(next)
  }

  /// Takes no more orders. The attempts to stop.
  mutating func close() -> [Attempt] {
    isClosed = true
    for (id, desk) in desks where desk.number != nil && desk.attempt == nil { desks[id]?.earlyStop = true }
    return desks.values.compactMap(\.attempt)
  }

  /// Whether nothing is under way; otherwise `then` is kept for the moment when it is so.
  mutating func awaitIdle(_ then: @escaping @Sendable () -> Void) -> Bool {
    if !desks.isEmpty { onIdle = then }
    return desks.isEmpty
  }

  /// What waits for the moment when nothing is under way, if this is it.
  mutating func takeIdle() -> (@Sendable () -> Void)? {
    guard desks.isEmpty else { return nil }
    defer { onIdle = nil }
    return onIdle
  }
}
