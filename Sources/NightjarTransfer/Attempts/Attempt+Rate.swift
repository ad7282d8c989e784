import NIOCore
import NightjarModel

/// Whether nothing may move for now, to keep to a rate, and the timer that ends this.
struct Throttle {
  var isOn = false
  var timer: Scheduled<Void>?
}

/// How an attempt keeps to the bounds on bytes per second: its own and that of all transfers.
extension Attempt {
  /// Books bytes that have moved, in either direction. Nothing more moves until the rate allows it.
  func meter(_ count: Int) {
    let now = loop.now
    guard count > 0, let due = rates.map({ $0.book(count, at: now) }).max(), due > now else { return }
    exchange?.pause()
    rest(until: due) { $0.goOnPaid() }
  }

  /// Waits once for the time that others have booked. A small answer may come with one read, before it can be booked,
  /// so without this wait each request would have one answer for nothing. Returns whether it is put off.
  func putsOffRequest() -> Bool {
    guard let due = rates.map(\.bookedUntil).max(), due > loop.now else { return false }
    armStallTimer()
    rest(until: due) { attempt in
      attempt.throttle = Throttle()
      attempt.sendRequest(hasWaited: true)
    }
    return true
  }

  private func rest(until due: NIODeadline, then goOn: @escaping @Sendable (Attempt) -> Void) {
    throttle.timer?.cancel()
    throttle.isOn = true
    throttle.timer = loop.scheduleTask(deadline: due) { if self.loop.inEventLoop { goOn(self) } }
  }

  private func goOnPaid() {
    throttle = Throttle()
    guard ending == nil else { return }
    moved()  // Not moving was our doing.
    if order.request.isUpload { pump() }
    balance()
  }

  /// The rate that counts for the size of one read or piece; nil where there is no bound.
  var rate: Int64? {
    [order.request.options.bytesPerSecondMax, tools.settings.bytesPerSecondMax].compactMap(\.self).min()
  }

  /// The most that one read from a connection takes for this transfer.
  var readSize: Int {
    let (plain, secure) = (tools.settings.receiveSize, tools.settings.secureReceiveSize)
    return RateLimit.turnSize(at: rate, atMost: itinerary.address.scheme == .https ? secure : plain)
  }

  /// The size of one piece of an upload.
  var pieceSize: Int { RateLimit.turnSize(at: rate, atMost: tools.settings.sendSize) }
}
