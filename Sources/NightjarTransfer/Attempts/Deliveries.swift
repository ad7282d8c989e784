import NIOPosix
import NightjarModel
import Synchronization

/// Deliveries under way: one at a time for a transfer, and only the newest of those that wait.
///
/// A copy to a slow disk may take longer than whoever ordered it waits before asking again. So an order that asks for just
/// what is under way begins nothing: what comes of that is its answer. If nothing has moved since the order before, that is
/// told as a failure, which passes once the file system answers.
final class Deliveries: Sendable {
  private struct Desk {
    /// Of orders that ask for the same, the newest.
    var underWay: [TransferID: DeliveryOrder] = [:]
    var next: [TransferID: DeliveryOrder] = [:]
    /// What is under way and not wanted any more.
    var givenUp: Set<TransferID> = []
    /// What is under way to another mount, and whether it has stood still since it was last ordered.
    var standsStill: [TransferID: Bool] = [:]
    var isClosed = false

    /// Takes an order in: whether it begins, and whether what it asks for is under way and does not move.
    mutating func take(_ order: DeliveryOrder) -> (isFirst: Bool, isSilent: Bool) {
      guard let present = underWay[order.id] else {
        underWay[order.id] = order
        return (true, false)
      }
      guard (present.file, present.destination) == (order.file, order.destination) else {
        next[order.id] = order
        return (false, false)
      }
      (underWay[order.id], next[order.id]) = (order, nil)
      defer { if standsStill[order.id] != nil { standsStill[order.id] = true } }
      return (false, standsStill[order.id] == true)
    }
  }

  private let desk = Mutex(Desk())
  private let files: NIOThreadPool
  /// Where copies are made: however slow the disk is that they go to, others go on.
  private let fileSystems: FileSystems
  private let mode: UInt32
  private let report: TransferEngine.ReportDelivery

  init(
    files: NIOThreadPool, fileSystems: FileSystems, mode: UInt32, report: @escaping TransferEngine.ReportDelivery
  ) {
    (self.files, self.fileSystems, self.mode, self.report) = (files, fileSystems, mode, report)
  }

  func begin(_ order: DeliveryOrder) {
    let (isFirst, isSilent) = desk.withLock { $0.take(order) }
    if isFirst { submit(order) }
    if isSilent { report(order.id, order.attempt, .failed(.noAnswer(from: order.destination.path))) }
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
    desk.withLock { desk in
      if desk.standsStill[id] != nil { desk.standsStill[id] = false }
      return !desk.isClosed && !desk.givenUp.contains(id)
    }
  }

  private func submit(_ order: DeliveryOrder) {
    let delivery = Delivery(order: order, mode: mode, isBrokenOff: { [self] in !isWanted(order.id) })
    files.submit { [self] state in
      guard case .active = state else { return ended(order.id, nil) }
      guard let lane = fileSystems.lane(for: delivery.folder, .copying) else { return carryOut(delivery) }
      desk.withLock { $0.standsStill[order.id] = true }
      lane.submit { self.carryOut(delivery) }
    }
  }

  private func carryOut(_ delivery: Delivery) { ended(delivery.order.id, outcome(of: delivery)) }

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
      desk.standsStill[id] = nil
      return (answered, next)
    }
    if let answered, let fact { report(id, answered.attempt, fact) }
    if let next { submit(next) }
  }
}

extension TransferFailure {
  /// A file system has let nothing through, for longer than anything should take.
  fileprivate static func noAnswer(from path: String) -> TransferFailure {
    TransferFailure(.timedOut, "the file system of \(path) does not answer, or is busy with other files")
  }
}
