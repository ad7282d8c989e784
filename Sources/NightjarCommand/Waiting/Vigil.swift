import NightjarWire

/// The state of the watched transfers, collected from the messages of `Monitor`. Pure.
///
/// A new stream begins with every transfer that has not ended, then says `current`. A watched transfer that was not
/// among them has ended in between, and must be asked for by its number.
struct Vigil: Sendable {
  /// What one message changed.
  enum Change: Sendable {
    /// Nothing that is watched.
    case nothing
    /// Bytes moved.
    case progressed(ControlInterface.Transfer)
    /// It is new, or its state or what it waits for has changed.
    case changed(ControlInterface.Transfer)
    /// It has ended; this is reported once.
    case ended(ControlInterface.Transfer)
  }

  /// Which transfers are watched.
  enum Scope: Sendable {
    case named
    case app(String)
    case all
  }

  private let scope: Scope
  private var order: [Int64]
  private var latest: [Int64: ControlInterface.Transfer]
  private var heard: Set<Int64> = []

  /// Watches some transfers, as they were when they were queued, and others by their owner.
  init(_ transfers: [ControlInterface.Transfer] = [], scope: Scope = .named) {
    self.scope = scope
    order = transfers.map(\.id)
    latest = Dictionary(transfers.map { ($0.id, $0) }) { _, new in new }
  }

  /// The transfers in the order in which they were added.
  var transfers: [ControlInterface.Transfer] { order.compactMap { latest[$0] } }

  /// Whether all named transfers have ended. A vigil by owner is never over.
  var isOver: Bool {
    guard case .named = scope else { return false }
    return latest.values.allSatisfy(\.state.isEnd)
  }

  /// Begins a new stream.
  mutating func begin() { heard = [] }

  /// The watched transfers that have not ended, as far as is known, and that this stream has not reported.
  var unheard: [Int64] { order.filter { latest[$0]?.state.isEnd == false && !heard.contains($0) } }

  /// Notes a reported transfer.
  mutating func learn(_ transfer: ControlInterface.Transfer) -> Change {
    guard takesIn(transfer) else { return .nothing }
    let before = latest.updateValue(transfer, forKey: transfer.id)
    if before == nil { order.append(transfer.id) }
    heard.insert(transfer.id)
    if transfer.state.isEnd { return end(transfer, wasEnded: before?.state.isEnd ?? false) }
    return transfer.standsAs(before) ? .progressed(transfer) : .changed(transfer)
  }

  /// Notes that a transfer is no longer listed. If it had not ended before, it counts as cancelled.
  mutating func learn(removed id: Int64) -> Change {
    guard var transfer = latest[id] else { return .nothing }
    guard !transfer.state.isEnd else { return .nothing }
    transfer.state = .failed
    transfer.failure = FailureMessage(code: "cancelled", detail: "It was cancelled and removed from the list.")
    latest[id] = transfer
    return end(transfer, wasEnded: false)
  }

  /// Notes the end of a transfer. A vigil by owner forgets ended ones, so that it can go on for ever.
  private mutating func end(_ transfer: ControlInterface.Transfer, wasEnded: Bool) -> Change {
    if case .named = scope {
    } else {
      latest[transfer.id] = nil
      order.removeAll { $0 == transfer.id }
    }
    return wasEnded ? .nothing : .ended(transfer)
  }

  private func takesIn(_ transfer: ControlInterface.Transfer) -> Bool {
    switch scope {
    case .named: latest[transfer.id] != nil
    case .app(let app): transfer.app == app
    case .all: true
    }
  }
}

extension ControlInterface.Transfer {
  /// Whether its state and the reason for it are unchanged.
  fileprivate func standsAs(_ before: Self?) -> Bool {
    state == before?.state && (state == .running || verdict == before?.verdict)
  }
}

extension ControlInterface.Transfer.State {
  /// Whether this is a final state.
  var isEnd: Bool {
    switch self {
    case .succeeded, .failed: true
    case .queued, .running, .waiting, .asking, .suspended, .delivering: false
    }
  }
}
