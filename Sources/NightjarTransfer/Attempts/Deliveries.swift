import NIOPosix
import NightjarModel
import Synchronization

/// Deliveries under way: one at a time for a transfer, and only the newest of those that wait.
///
/// A copy to a slow disk may take longer than whoever ordered it waits before asking again. So an order that asks for just
/// what is under way begins nothing: what comes of that is its answer. If the file system does not answer any more, that is told
/// as a failure, which passes once it does.
final class Deliveries: Sendable {
  private struct Desk {
    /// Of orders that ask for the same, the newest.
    var underWay: [TransferID: DeliveryOrder] = [:]
    var next: [TransferID: DeliveryOrder] = [:]
    /// What is under way and not wanted any more.
    var givenUp: Set<TransferID> = []
    /// Where what is under way is copied.
    var lanes: [TransferID: FileLane] = [:]
    var isClosed = false

    /// Takes an order in: whether it begins, and where what it asks for is under way already.
    mutating func take(_ order: DeliveryOrder) -> (isFirst: Bool, lane: FileLane?) {
      guard let present = underWay[order.id] else {
        underWay[order.id] = order
        return (true, nil)
      }
      guard (present.file, present.destination) == (order.file, order.destination) else {
        next[order.id] = order
        return (false, nil)
      }
      (underWay[order.id], next[order.id]) = (order, nil)
      return (false, lanes[order.id])
    }
  }

  private let desk = Mutex(Desk())
  private let files: NIOThreadPool
  /// Where copies are made: however slow the disk is that they go to, others go on.
  private let fileSystems: FileSystems
  private let patience: Duration
  private let mode: UInt32
  private let report: TransferEngine.ReportDelivery

  init(
    files: NIOThreadPool, fileSystems: FileSystems, settings: EngineSettings,
    report: @escaping TransferEngine.ReportDelivery
  ) {
    (self.files, self.fileSystems, self.report) = (files, fileSystems, report)
    patience = settings.filePatience * 6  // A slow disk syncs for that long what was copied to it.
    mode = settings.deliveredMode
  }

  func begin(_ order: DeliveryOrder) {
    let (isFirst, lane) = desk.withLock { $0.take(order) }
    if isFirst { submit(order) }
    guard let lane, lane.isSilent(for: patience) else { return }
    report(order.id, order.attempt, .failed(.noAnswer(from: order.destination.path)))
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
      desk.lanes[id]?.moved()
      return !desk.isClosed && !desk.givenUp.contains(id)
    }
  }

  private func submit(_ order: DeliveryOrder) {
    let delivery = Delivery(order: order, mode: mode, isBrokenOff: { [self] in !isWanted(order.id) })
    files.submit { [self] state in
      guard case .active = state else { return ended(order.id, nil) }
      guard let lane = lane(for: delivery) else { return carryOut(delivery) }
      desk.withLock { $0.lanes[order.id] = lane }
      lane.submit { self.carryOut(delivery) }
    }
  }

  /// Where a delivery is made that goes to another mount, or has to copy; nil for one that is made right here.
  private func lane(for delivery: Delivery) -> FileLane? {
    if let mount = fileSystems.mount(of: delivery.folder) { return mount.lane(.copying) }
    return delivery.mustCopy ? fileSystems.own.lane(.copying) : nil
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
      desk.lanes[id] = nil
      return (answered, next)
    }
    if let answered, let fact { report(id, answered.attempt, fact) }
    if let next { submit(next) }
  }
}

extension TransferFailure {
  /// A file system lets nothing through.
  fileprivate static func noAnswer(from path: String) -> TransferFailure {
    TransferFailure(.timedOut, "the file system of \(path) does not answer")
  }
}
