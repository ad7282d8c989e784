import HTTPPreparation
public import Logging
public import NIOCore
import NIOPosix
public import NightjarModel
import Synchronization

/// Moves bytes over HTTP to and from a staging area, resumes, and reports.
///
/// One attempt at a time: whether and when there is another is the caller's affair. All calls return at once and may
/// come from anywhere; facts come back by the two callbacks, plain calls from an event loop or a file thread, in order
/// for each attempt. After `finished`, `failed` or `stopped` an attempt is never heard of again.
///
/// HTTP/1.1 and HTTP/2 (RFC 9110, 9112, 9113). A resumed download is reported as the whole that was asked for.
public final class TransferEngine: Sendable {
  /// Receives the facts of an attempt. Called from the engine's threads; it must not block.
  public typealias Report = @Sendable (_ transfer: TransferID, _ attempt: Int, _ fact: TransferFact) -> Void
  /// Receives the fact that ends a delivery. Called from the engine's threads; it must not block.
  public typealias ReportDelivery = @Sendable (_ transfer: TransferID, _ attempt: Int, _ fact: DeliveryFact) -> Void

  let tools: Tools
  private let report: Report
  private let deliveries: Deliveries
  private let desks = Mutex(Desks())

  /// Makes the staging folder, readable by its owner only, if it is not there.
  ///
  /// - Parameters:
  ///   - staging: The absolute path of the staging folder. Its parent must be there.
  ///   - eventLoopGroup: Where connections live; one or two threads are enough. It stays the caller's.
  ///   - logger: Logs connections at debug level. No URL, header or credential is ever logged.
  /// - Throws: `TransferFailure` with `cannotWrite` if the folder cannot be made or is not this user's own.
  public init(
    staging: String, eventLoopGroup: any EventLoopGroup, settings: EngineSettings, logger: Logger,
    report: @escaping Report, reportDelivery: @escaping ReportDelivery
  ) throws(TransferFailure) {
    prepareForHTTP()
    tools = Tools(
      settings: settings,
      area: try StagingArea(staging, sparing: settings.freeSpaceMin, helpingMax: settings.helpingMax),
      group: eventLoopGroup, logger: logger)
    self.report = report
    deliveries = Deliveries(
      files: tools.files, fileSystems: tools.fileSystems, settings: settings, report: reportDelivery)
  }

  /// The lanes for files whose paths clients have named, so that nothing else has to wait for their file systems.
  public var fileSystems: FileSystems { tools.fileSystems }

  /// Begins an attempt.
  ///
  /// An older attempt at the same transfer, or one at the transfer whose file this one takes over, is stopped first;
  /// this one begins once it has ended. An attempt that is under way already is not begun twice.
  public func start(_ order: TransferOrder) {
    let deed = desks.withLock { $0.start(order) }
    carryOut(deed)
  }

  /// Ends an attempt and reports `stopped`, after a last checkpoint if there is something to keep.
  ///
  /// An attempt that is not under way has reported its terminal fact already; nothing more is reported for it.
  public func stop(_ id: TransferID, attempt: Int) {
    let deed = desks.withLock { $0.stop(id, attempt: attempt) }
    carryOut(deed)
  }

  /// Removes the files of a transfer, and stops it first if it is under way; a delivery that is under way comes to
  /// nothing. Doing it again is harmless.
  public func discard(_ id: TransferID) {
    deliveries.giveUp(id)
    let deed = desks.withLock { $0.discard(id) }
    carryOut(deed)
  }

  /// Puts a finished file at its destination, and reports. While an order is carried out, only the newest of further
  /// orders for its transfer counts; if it asks for the same, the report names its attempt.
  ///
  /// Repeating an order after a crash is harmless: a file that was delivered is recognised, and reported as delivered.
  /// The staged file is gone after a delivery on its own file system, and stays until ``discard(_:)`` after a delivery
  /// to another.
  public func deliver(_ order: DeliveryOrder) { deliveries.begin(order) }

  /// The transfers that have files in the staging area, in ascending order, whether they are known or not.
  ///
  /// Reads the folder while the caller waits; meant for the start.
  public func stagedTransfers() throws(TransferFailure) -> [TransferID] { try tools.area.transfers() }

  /// Why no attempt can begin just now for the staging folder's sake, in a sentence without the full stop: its disk is
  /// gone, or read-only. Nil if it is well. Attempts that fail meanwhile do so with `cannotWrite`.
  ///
  /// Looks at the folder while the caller waits.
  public var trouble: String? {
    do throws(TransferFailure) {
      try tools.area.check()
      return nil
    } catch { return error.detail }
  }

  /// Cuts a transfer's staged download to its first `bytes`: what the next attempt cannot use must not take up the room
  /// that the database needs.
  ///
  /// Works while the caller waits; meant for the start, before anything else is done with the transfer.
  public func trim(_ id: TransferID, to bytes: Int64) throws(TransferFailure) { try tools.area.trim(id, to: bytes) }

  /// Stops every attempt as ``stop(_:attempt:)`` does, waits until all have ended, and closes the connections.
  /// Deliveries under way are broken off, and begin anew when they are ordered again. The engine takes no orders
  /// afterwards.
  public func shutdown() async {
    deliveries.close()
    let attempts = desks.withLock { $0.close() }
    for attempt in attempts { attempt.stop(keeps: true) }
    await withCheckedContinuation { done in
      let isIdle = desks.withLock { $0.awaitIdle { done.resume() } }
      if isIdle { done.resume() }
    }
    await tools.close()
  }

  private func carryOut(_ deed: Desks.Deed) {
    switch deed {
    case .none: break
    case .begin(let order): begin(order)
    case .stop(let attempt, let keeps): attempt.stop(keeps: keeps)
    case .tellStopped(let id, let attempt): report(id, attempt, .stopped)
    case .remove(let id): remove(id)
    case .both(let first, let second):
      carryOut(first)
      carryOut(second)
    }
  }

  private func begin(_ order: TransferOrder) {
    let id = order.id
    do {
      let attempt = try Attempt(order, tools: tools) { [report] in
        report(id, order.attempt, $0)
      } onEnd: { [self] _ in
        ended(id)
      }
      let mustStop = desks.withLock { $0.began(attempt) }
      attempt.start()
      if let mustStop { attempt.stop(keeps: mustStop) }
    } catch {
      report(id, order.attempt, .failed(error, retryAfter: nil))
      ended(id)
    }
  }

  private func remove(_ id: TransferID) {
    tools.remover.add(Removal(id: id) { [self] in ended(id) })
  }

  private func ended(_ id: TransferID) {
    let (deed, idle) = desks.withLock { ($0.ended(id), $0.takeIdle()) }
    carryOut(deed)
    idle?()
  }
}
