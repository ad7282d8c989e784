import NIOCore
import NightjarModel

/// The timers for looking whether anything has moved, and for syncing what came.
struct Timers {
  var stall: Scheduled<Void>?
  var sync: Scheduled<Void>?
}

/// What an attempt does when time passes.
extension Attempt {
  func moved() { watch.moved(at: loop.now) }

  /// Looks for a stall from now on until the files are closed, also while the attempt waits for a connection or a disk:
  /// the core takes a silent attempt for lost.
  func armStallTimer() {
    guard timers.stall == nil else { return }
    lookAgain(at: watch.due)
  }

  private func lookAgain(at deadline: NIODeadline) {
    let soon = loop.now + .nanoseconds(watch.limit.nanoseconds / Self.travelLooks)
    timers.stall = loop.scheduleTask(deadline: travel.isUnderWay ? min(deadline, soon) : deadline) {
      if self.loop.inEventLoop { self.lookForStall() }  // It may have been due just as the attempt changed loops.
    }
  }

  /// How often within the timeout a request on its way is looked at: only a look tells when its bytes arrive.
  private static let travelLooks: Int64 = 4

  /// Looks from now on how far a request has come that has a body.
  func watchTravel() {
    guard travel.isUnderWay, ending == nil else { return }
    disarmStallTimer()
    armStallTimer()
  }

  /// The last byte of a request was handed to the kernel.
  func noteDeparture() {
    guard let line = exchange?.lineProgress else { return }
    travel.allHasLeft(line)
    watchTravel()
  }

  private func noteTravel() {
    guard travel.isUnderWay, let line = exchange?.lineProgress, let quiet = travel.arrived(line) else { return }
    watch.moved(at: max(loop.now - quiet, watch.lastMoved))
  }

  /// Gives up, or reports to the core that all is well, even if what has moved is nothing that it counts: a reply to an
  /// upload, informational answers, a place in the queue for a connection, a file that is yet to be written or synced.
  private func lookForStall() {
    guard timers.stall != nil else { return }  // It was due just as the attempt ended.
    timers.stall = nil
    // Not moving is our doing, or with no exchange our disk's.
    if exchange == nil || isSatiated || (upload.isReading && !upload.isCutShort) { moved() }
    noteTravel()
    if let then = exchange?.withheldUntil() { watch.moved(at: max(then, watch.lastMoved)) }  // Others were in its way.
    watch.looked(at: loop.now)
    switch watch.finding(at: loop.now) {
    case .stalled: stalled()
    case .look(let deadline):
      reportStand()
      lookAgain(at: deadline)
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

  func disarmStallTimer() {
    timers.stall?.cancel()
    timers.stall = nil
  }

  func armSyncTimer() {
    guard timers.sync == nil else { return }
    timers.sync = loop.scheduleTask(in: TimeAmount(tools.settings.checkpointInterval)) {
      guard self.loop.inEventLoop else { return }
      self.timers.sync = nil
      if self.ending == nil { self.sync() }
    }
  }

  func disarmSyncTimer() {
    timers.sync?.cancel()
    timers.sync = nil
  }
}
