import NIOPosix
import NightjarModel
import Synchronization

/// Deliveries under way: one at a time for a transfer, and only the newest of those that wait.
final class Deliveries: Sendable {
  private struct Desk {
    var busy: Set<TransferID> = []
    var next: [TransferID: DeliveryOrder] = [:]
  }

  private let desk = Mutex(Desk())
  private let files: NIOThreadPool
  private let mode: UInt32
  private let report: TransferEngine.ReportDelivery

  init(files: NIOThreadPool, mode: UInt32, report: @escaping TransferEngine.ReportDelivery) {
    (self.files, self.mode, self.report) = (files, mode, report)
  }

  func begin(_ order: DeliveryOrder) {
    let isFirst = desk.withLock { desk in
      if desk.busy.insert(order.id).inserted { return true }
      desk.next[order.id] = order
      return false
    }
    if isFirst { submit(order) }
  }

  private func submit(_ order: DeliveryOrder) {
    files.submit { [self] state in
      if case .active = state { report(order.id, order.attempt, deliver(order)) }
      ended(order.id)
    }
  }

  private func deliver(_ order: DeliveryOrder) -> DeliveryFact {
    do {
      try Delivery(order: order, mode: mode).run()
      return .delivered
    } catch {
      return .failed(error)
    }
  }

  private func ended(_ id: TransferID) {
    let next = desk.withLock { desk in
      let next = desk.next.removeValue(forKey: id)
      if next == nil { desk.busy.remove(id) }
      return next
    }
    if let next { submit(next) }
  }
}
