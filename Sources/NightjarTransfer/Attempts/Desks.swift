import NightjarModel

/// Which attempt or removal works on which transfer, and what waits for its end. Pure bookkeeping, under the engine's
/// lock.
///
/// At most one attempt or removal touches a transfer's files at a time. Of the starts that wait, only the newest is
/// kept. An attempt that takes over another transfer's file waits until nothing works on that transfer: the core may
/// have given up an attempt that still writes.
struct Desks {
  /// What the engine has to do outside the lock.
  indirect enum Deed {
    case none
    case begin(TransferOrder)
    case stop(Attempt, keeps: Bool)
    case tellStopped(TransferID, attempt: Int)
    case remove(TransferID)
    case both(Deed, Deed)
  }

  private struct Desk {
    /// The number of the attempt at work; nil while files are removed, and while it waits for another transfer's file.
    var number: Int?
    /// The attempt, once it is made.
    var attempt: Attempt?
    /// Set if a stop came before the attempt was made: whether it keeps what came.
    var earlyStop: Bool?
    var removesNext = false
    var next: TransferOrder?
    /// The transfers that wait for this one's file.
    var heirs: [TransferID] = []
  }

  private var desks: [TransferID: Desk] = [:]
  private var isClosed = false
  private var onIdle: (@Sendable () -> Void)?

  mutating func start(_ order: TransferOrder) -> Deed {
    guard !isClosed else { return .tellStopped(order.id, attempt: order.attempt) }
    guard var desk = desks[order.id] else { return seat(order, heirs: []) }
    guard desk.number != order.attempt || desk.removesNext, desk.next?.attempt != order.attempt else { return .none }
    let replaced = Self.forgetNext(&desk)
    desk.next = order
    let stopped = Self.stop(&desk, keeps: true)
    desks[order.id] = desk
    return .both(replaced, stopped)
  }

  mutating func stop(_ id: TransferID, attempt: Int) -> Deed {
    guard var desk = desks[id] else { return .none }
    defer { desks[id] = desk }
    if desk.next?.attempt == attempt { return Self.forgetNext(&desk) }
    return desk.number == attempt ? Self.stop(&desk, keeps: true) : .none
  }

  mutating func discard(_ id: TransferID) -> Deed {
    guard var desk = desks[id] else {
      guard !isClosed else { return .none }
      desks[id] = Desk()
      return .remove(id)
    }
    let replaced = Self.forgetNext(&desk)
    desk.removesNext = true
    let stopped = Self.stop(&desk, keeps: false)
    desks[id] = desk
    return .both(replaced, stopped)
  }

  /// Has an attempt begin, or wait until the file that it is to take over is free.
  private mutating func seat(_ order: TransferOrder, heirs: [TransferID]) -> Deed {
    guard let file = order.resume?.heritage, var owner = desks[file] else {
      desks[order.id] = Desk(number: order.attempt, heirs: heirs)
      return .begin(order)
    }
    owner.heirs.append(order.id)
    let stopped = Self.stop(&owner, keeps: true)
    desks[file] = owner
    desks[order.id] = Desk(next: order, heirs: heirs)
    return stopped
  }

  private static func forgetNext(_ desk: inout Desk) -> Deed {
    guard let next = desk.next else { return .none }
    desk.next = nil
    return .tellStopped(next.id, attempt: next.attempt)
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

  /// What comes after an attempt, a removal, or the wait for another transfer's file.
  mutating func ended(_ id: TransferID) -> Deed {
    guard let desk = desks[id] else { return .none }
    if desk.removesNext {
      desks[id] = Desk(next: desk.next, heirs: desk.heirs)
      return .remove(id)
    }
    if let next = desk.next, !isClosed { return seat(next, heirs: desk.heirs) }
    desks[id] = nil
    let replaced = desk.next.map { Deed.tellStopped(id, attempt: $0.attempt) } ?? .none
    return desk.heirs.reduce(replaced) { .both($0, ended($1)) }
  }

  /// Takes no more orders from now on, and returns the attempts to stop.
  mutating func close() -> [Attempt] {
    isClosed = true
    for (id, desk) in desks where desk.number != nil && desk.attempt == nil { desks[id]?.earlyStop = true }
    return desks.values.compactMap(\.attempt)
  }

  /// Whether nothing is under way; otherwise `then` is kept until that is so.
  mutating func awaitIdle(_ then: @escaping @Sendable () -> Void) -> Bool {
    if !desks.isEmpty { onIdle = then }
    return desks.isEmpty
  }

  /// The closure that ``awaitIdle(_:)`` has kept, if nothing is under way now.
  mutating func takeIdle() -> (@Sendable () -> Void)? {
    guard desks.isEmpty else { return nil }
    defer { onIdle = nil }
    return onIdle
  }
}
