import NIOPosix
import NightjarModel
import Synchronization

/// Deliveries under way: one at a time for a transfer, and only the newest of those that wait.
///
/// A copy to a slow disk may take longer than the caller waits before it orders the same again. So an order for what is
/// already under way begins nothing: the outcome of that answers it. If the file system no longer answers, that is
/// reported as a failure, until it does.
final class Deliveries: Sendable {
  private struct Desk {
    /// The newest of the orders that ask for the same.
    var underWay: [TransferID: DeliveryOrder] = [:]
    var next: [TransferID: DeliveryOrder] = [:]
    /// Deliveries under way that are no longer wanted.
    var givenUp: Set<TransferID> = []
    /// The lanes on which deliveries are under way.
    var lanes: [TransferID: FileLane] = [:]
    var isClosed = false

    /// Takes an order in. Returns whether it begins now, or else the lane on which the same delivery is under way.
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
  /// Where copies are made: a slow destination does not hold up others.
  private let fileSystems: FileSystems
  private let patience: Duration
  private let mode: UInt32
  private let report: TransferEngine.ReportDelivery

  init(
    files: NIOThreadPool, fileSystems: FileSystems, settings: EngineSettings,
    report: @escaping TransferEngine.ReportDelivery
  ) {
    (self.files, self.fileSystems, self.report) = (files, fileSystems, report)
    patience = settings.filePatience * 6  // A slow disk may sync a copy for that long.
    mode = settings.deliveredMode
  }

  func begin(_ order: DeliveryOrder) {
    let (isFirst, lane) = desk.withLock { $0.take(order) }
    if isFirst { submit(order) }
    guard let lane, lane.isSilent(for: patience) else { return }
    report(order.id, order.attempt, .failed(.noAnswer(from: order.destination.path)))
  }

  /// Breaks off what is under way, and reports nothing more. Incomplete copies are removed.
  func close() { desk.withLock { $0.isClosed = true } }

  /// Breaks off the delivery under way for a transfer, if there is one, and reports nothing of it.
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

  /// The lane for a delivery that goes to another mount or has to copy; nil for one that is made on the calling thread.
  private func lane(for delivery: Delivery) -> FileLane? {
    if let mount = fileSystems.mount(of: delivery.folder) { return mount.lane(.copying) }
    return delivery.mustCopy ? fileSystems.own.lane(.copying) : nil
  }

  private func carryOut(_ delivery: Delivery) { ended(delivery.order.id, outcome(of: delivery)) }

  /// The outcome of a delivery; nil if it was broken off.
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
  /// The destination's file system does not answer.
  fileprivate static func noAnswer(from path: String) -> TransferFailure {
    TransferFailure(.timedOut, "the file system of \(path) does not answer")
  }
}
