import NIOPosix
import NightjarModel
import Synchronization

/// Deliveries under way: one at a time for a transfer, and only the newest of those that wait.
///
/// A copy to a slow disk may take longer than whoever ordered it waits before asking again. So an order that asks for just
/// what is under way begins nothing: what comes of that is its answer.
final class Deliveries: Sendable {
  private struct Desk {
    /// Of orders that ask for the same, the newest.
    var underWay: [TransferID: DeliveryOrder] = [:]
    var next: [TransferID: DeliveryOrder] = [:]
    /// What is under way and not wanted any more.
    var givenUp: Set<TransferID> = []
    var isClosed = false
  }

  private let desk = Mutex(Desk())
  private let files: NIOThreadPool
  /// Where copies are made: however slow the disk is that they go to, transfers need the other threads.
  private let copies: NIOThreadPool
  private let mode: UInt32
  private let report: TransferEngine.ReportDelivery

  init(
    files: NIOThreadPool, copies: NIOThreadPool, mode: UInt32, report: @escaping TransferEngine.ReportDelivery
  ) {
    (self.files, self.copies, self.mode, self.report) = (files, copies, mode, report)
  }

  func begin(_ order: DeliveryOrder) {
    let isFirst = desk.withLock { desk in
      guard let present = desk.underWay[order.id] else {
        desk.underWay[order.id] = order
        return true
      }
      let isSame = (present.file, present.destination) == (order.file, order.destination)
      if isSame { desk.underWay[order.id] = order }
      desk.next[order.id] = isSame ? nil : order
      return false
    }
    if isFirst { submit(order) }
  }

  /// Breaks off what is under way, and tells nothing more. What had not come to its place is gone from there.
  func close() { desk.withLock { $0.isClosed = true } }

  /// Breaks off what is under way for a transfer, if anything is, and tells nothing of it.
  func giveUp(_ id: TransferID) {
    desk.withLock { desk in
      guard desk.underWay[id] != nil else { return }
      desk.givenUp.insert(id)
      desk.next[id] = nil
    }
  }

  private func isWanted(_ id: TransferID) -> Bool {
    desk.withLock { !$0.isClosed && !$0.givenUp.contains(id) }
  }

  private func submit(_ order: DeliveryOrder) {
    let delivery = Delivery(order: order, mode: mode, isBrokenOff: { [self] in !isWanted(order.id) })
    files.submit { [self] state in
      guard case .active = state, delivery.mustCopy else { return carryOut(delivery, state) }
      copies.submit { state in self.carryOut(delivery, state) }
    }
  }

  private func carryOut(_ delivery: Delivery, _ state: NIOThreadPool.WorkItemState) {
    let fact: DeliveryFact? = if case .active = state { outcome(of: delivery) } else { nil }
    ended(delivery.order.id, fact)
  }

  /// What comes of a delivery; nil if it was broken off.
  private func outcome(of delivery: Delivery) -> DeliveryFact? {
    do {
      try delivery.run()
      return .delivered
    } catch {
      return isWanted(delivery.order.id) ? .failed(error) : nil
    }
  }

  private func ended(_ id: TransferID, _ fact: DeliveryFact?) {
    let (answered, next) = desk.withLock { desk in
      let (answered, next) = (desk.underWay[id], desk.next.removeValue(forKey: id))
      desk.underWay[id] = next
      desk.givenUp.remove(id)
      return (answered, next)
    }
    if let answered, let fact { report(id, answered.attempt, fact) }
    if let next { submit(next) }
  }
}
