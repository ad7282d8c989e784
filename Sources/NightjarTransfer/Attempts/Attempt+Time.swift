import NIOCore
import NightjarModel

/// What an attempt does when time passes.
extension Attempt {
  func moved() { watch.moved(at: loop.now) }

  func armStallTimer() {
    guard stallTimer == nil else { return }
    lookAgain(at: watch.lastMoved + watch.limit)
  }

  private func lookAgain(at deadline: NIODeadline) {
    stallTimer = loop.scheduleTask(deadline: deadline) { self.lookForStall() }
  }

  private func lookForStall() {
    stallTimer = nil
    guard ending == nil, exchange != nil else { return }
    if isSatiated || (upload.isReading && !upload.isCutShort) {
      moved()  // Not moving is our doing.
      reportStand()
    }
    switch watch.verdict(at: loop.now) {
    case .look(let deadline): lookAgain(at: deadline)
    case .stalled: stalled()
    }
  }

  private func stalled() {
    // Its window may be used up for good by streams that were broken off, or the network behind it be another.
    exchange?.distrust()
    switch hearing {
    case .unwanted:  // What is missing is a body that nobody reads.
      exchange?.abandon()
      exchangeBroke(ExchangeError.closedEarly)
    case .head, .body:
      fail(TransferFailure(.timedOut, "\(host) moved nothing for \(order.request.requestTimeout.inSeconds) s"))
    }
  }

  func armSyncTimer() {
    guard syncTimer == nil else { return }
    syncTimer = loop.scheduleTask(in: TimeAmount(tools.settings.checkpointInterval)) {
      self.syncTimer = nil
      if self.ending == nil { self.sync() }
    }
  }

  func disarmSyncTimer() {
    syncTimer?.cancel()
    syncTimer = nil
  }
}
