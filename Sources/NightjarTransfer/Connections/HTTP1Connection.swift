import NIOCore

/// An HTTP/1.1 connection: one exchange at a time. Used on its event loop only.
final class HTTP1Connection {
  let channel: any Channel
  let exchange: Exchange
  /// Called when a request has ended, with whether the connection can take another, and when it closes.
  var onFree: (Bool) -> Void = { _ in }
  private var timer: Scheduled<Void>?

  init(_ channel: any Channel, _ facts: LineFacts, _ settings: EngineSettings) throws {
    self.channel = channel
    exchange = Exchange(informationalMax: settings.informationalMax, drainMax: settings.drainMax)
    exchange.facts = facts
    try channel.pipeline.syncOperations.addHandler(exchange)
    exchange.onFree = { [weak self] in self?.onFree($0) }
    channel.closeFuture.assumeIsolated().whenComplete { [self] _ in onFree(false) }
  }

  func use() {
    timer?.cancel()
    timer = nil
  }

  func rest(for span: Duration) {
    timer?.cancel()
    timer = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(span)) { [weak self] () -> Void in
      self?.expire()
    }
  }

  /// Gives the connection up before it is closed: over TLS it is closed only once the other side says so, too.
  private func expire() {
    guard timer != nil else { return }  // It was due in the moment of use.
    timer = nil
    onFree(false)
    channel.close(promise: nil)
  }
}
