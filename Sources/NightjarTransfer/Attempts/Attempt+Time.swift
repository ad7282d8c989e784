import NIOCore
import NightjarModel

/// Whether what came is being synced, and the timer for the next time.
struct Syncing {
  var isUnderWay = false
  var timer: Scheduled<Void>?

  mutating func disarm() {
    timer?.cancel()
    timer = nil
  }
}

/// What an attempt does when time passes.
extension Attempt {
  func moved() { movement.watch.moved(at: loop.now) }

  /// Looks for a stall from now on until the files are closed, also while the attempt waits for a connection or a disk:
  /// the core takes a silent attempt for lost.
  func armStallTimer() {
    guard movement.timer == nil else { return }
    lookAgain(by: movement.watch.due)
  }

  private func lookAgain(by deadline: NIODeadline) {
    movement.timer = loop.scheduleTask(deadline: movement.nextLook(by: deadline, at: loop.now)) {
      if self.loop.inEventLoop { self.lookForStall() }  // It may have been due just as the attempt changed loops.
    }
  }

  /// Looks from now on how far a request has come that has a body.
  func watchTravel() {
    guard movement.travel.isUnderWay, ending == nil else { return }
    movement.disarm()
    armStallTimer()
  }

  /// The last byte of a request was handed to the kernel.
  func noteDeparture() {
    guard let line = exchange?.lineProgress else { return }
    movement.travel.allHasLeft(line)
    watchTravel()
  }

  private func noteTravel() {
    guard movement.travel.isUnderWay, let line = exchange?.lineProgress else { return }
    if let quiet = movement.travel.arrived(line) { movement.hadMoved(at: loop.now - quiet) }
  }

  /// Gives up, or reports to the core that all is well, even if what has moved is nothing that it counts: a reply to an
  /// upload, informational answers, a place in the queue for a connection, a file that is yet to be written or synced.
  private func lookForStall() {
    guard movement.timer != nil else { return }  // It was due just as the attempt ended.
    movement.timer = nil
    // Not moving is our doing, or with no exchange our disk's.
    if exchange == nil || isSatiated || (upload.isReading && !upload.isCutShort) { moved() }
    noteTravel()
    if let then = exchange?.withheldUntil() { movement.hadMoved(at: then) }  // Others were in its way.
    movement.watch.looked(at: loop.now)
    switch movement.watch.finding(at: loop.now) {
    case .stalled: stalled()
    case .look(let deadline):
      reportStand()
      lookAgain(by: deadline)
    }
  }

  private func stalled() {
    // Broken-off streams may have used up its window for good, or the network behind it may have changed.
    exchange?.distrust()
    let silence = TransferFailure(.timedOut, "\(host) moved nothing for \(order.request.requestTimeout.inSeconds) s")
    switch answer.hearing {
    case .unwanted:  // What is missing is a body that nobody reads.
      exchange?.abandon()
      exchangeBroke(ExchangeError.closedEarly)
    case .head: mayBeDone ? failUnanswered(silence) : fail(silence)
    case .body: if exchange?.cutShort() != true { failInBody(silence) }  // What has answered may want no more.
    }
    if ending == nil { armStallTimer() }  // What came whole is yet to be written.
  }

  func armSyncTimer() {
    guard syncing.timer == nil else { return }
    syncing.timer = loop.scheduleTask(in: TimeAmount(tools.settings.checkpointInterval)) {
      guard self.loop.inEventLoop else { return }
      self.syncing.timer = nil
      if self.ending == nil { self.sync() }
    }
  }
}
