import Glibc
import Synchronization

/// The connection behind a client: callers write, a thread of its own reads.
///
/// A caller writes under the lock as much as the socket takes, and waits for the rest outside of it. The reader must
/// never wait for the socket, or both sides could wait for each other: it leaves the rest to its own loop, as does a
/// caller whose patience ends.
final class ClientLine: Sendable {
  private struct State: Sendable {
    var pending = PendingCalls()
    var outgoing = OutgoingBytes()
    var queuedBytes: UInt64 = 0  // Since the connection was made.
    var sentBytes: UInt64 = 0  // Since the connection was made.
    var end: TransportError?
    var isOver = false  // Whether every call was told of the end.
    var isPaused = false
    var onEnd: [@Sendable (TransportError) -> Void] = []
  }

  let descriptor: Descriptor
  let limits: VarlinkClient.Limits
  private let wake: WakeSignal
  private let state = Mutex(State())
  private let reader = Mutex<ServiceThread?>(nil)

  init(_ descriptor: Descriptor, _ limits: VarlinkClient.Limits) throws(TransportError) {
    (self.descriptor, self.limits) = (descriptor, limits)
    wake = try WakeSignal()
    TCPSocket.disableDelay(descriptor.number)
    _ = fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_NONBLOCK)
  }

  func start() throws(TransportError) {
    let thread = try ServiceThread(named: "varlink-client") { [self] in read() }
    reader.withLock { $0 = thread }
  }

  /// Whether the caller runs in a callback.
  var isReader: Bool { reader.withLock { $0?.isCurrent } ?? false }

  /// Writes a message; calls are answered in the order of their messages.
  ///
  /// - Parameter patience: How long to wait until the socket has taken it; for ever when nil. Sending goes on
  ///   afterwards.
  /// - Throws: When the message was not written completely. Then no reply will come for it.
  func send(
    _ message: [UInt8], _ pending: PendingCalls.Pending?, within patience: Duration? = nil
  ) throws(TransportError) {
    var target: UInt64 = 0
    let failure = state.withLock { state -> TransportError? in
      if let end = state.end { return end }
      guard state.pending.count < limits.callsInFlightMax else {
        return TransportError(.overflow, "\(limits.callsInFlightMax) calls wait for an answer already")
      }
      if let pending { state.pending.append(pending) }
      state.outgoing.append(message)
      state.queuedBytes += UInt64(message.count)
      target = state.queuedBytes
      flush(&state)
      return nil
    }
    if let failure { throw failure }
    if !isReader, !waitUntilSent(target, within: patience) { wake.signal() }
  }

  /// Ends the line; the reader passes the reason to all waiting calls.
  func end(_ reason: TransportError) {
    state.withLock { state in if state.end == nil { state.end = reason } }
    shutdown(descriptor.number, CInt(SHUT_RDWR))
    wake.signal()
  }

  func onEnd(_ then: @escaping @Sendable (TransportError) -> Void) {
    let end = state.withLock { state in
      if !state.isOver { state.onEnd.append(then) }
      return state.isOver ? state.end : nil
    }
    if let end { then(end) }
  }

  /// Lets replies wait in the socket. If this is called in a callback, no other callback follows until ``resume()``.
  func pause() {
    state.withLock { $0.isPaused = true }
  }

  func resume() {
    state.withLock { $0.isPaused = false }
    wake.signal()
  }

  // MARK: Writing

  /// Writes what the socket takes at once. What a lost connection does not take is dropped; the reader reports the
  /// loss.
  private func flush(_ state: inout State) {
    while !state.outgoing.isEmpty {
      let count = state.outgoing.withUnsafeBytes { bytes in
        uninterrupted { Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, Linux.noSignal) }
      }
      if count < 0, errno == EAGAIN { return }
      let taken = count < 0 ? state.outgoing.count : count
      state.outgoing.remove(taken)
      state.sentBytes += UInt64(taken)
    }
  }

  /// Waits until everything up to `target` is sent; false if the time is up first.
  private func waitUntilSent(_ target: UInt64, within patience: Duration?) -> Bool {
    let deadline = patience.map { SuspendingClock.now + $0 }
    while state.withLock({ $0.sentBytes < target && $0.end == nil }) {
      let rest = deadline.map { SuspendingClock.now.duration(to: $0) }
      if let rest, rest <= .zero { return false }
      var socket = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
      poll(&socket, 1, rest.map { CInt(min($0 / .milliseconds(1), 1e6).rounded(.up)) } ?? -1)
      state.withLock { flush(&$0) }
    }
    return true
  }

  // MARK: Reading

  private func read() {
    var input = MessageBuffer(messageBytesMax: limits.messageBytesMax)
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { scratch.deallocate() }
    do throws(TransportError) {
      while true {
        try deliver(&input)
        guard waitForInput() else { continue }
        let count = uninterrupted { recv(descriptor.number, scratch.baseAddress, scratch.count, 0) }
        if count > 0 {
          input.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        } else if count == 0 || errno != EAGAIN {
          throw closed(count, input.count)
        }
      }
    } catch {
      finish(error)
    }
  }

  /// Hands complete messages to the calls they answer.
  private func deliver(_ input: inout MessageBuffer) throws(TransportError) {
    while !state.withLock({ $0.isPaused && $0.end == nil }) {
      let next: Void? = try input.next { (message) throws(TransportError) in
        let header = try ReplyHeader(reading: message)
        let isDone = !header.continues || header.error != nil
        let pending = state.withLock { $0.pending.first(isDone: isDone) }
        guard let pending, isDone || pending.wantsMore else {
          throw TransportError(.malformed, "the service sent a reply that nobody asked for")
        }
        pending.take(.message(header, message))
      }
      if next == nil { return }
    }
  }

  /// Waits for the socket or a wake-up; true when the socket can be read.
  private func waitForInput() -> Bool {
    let (isPaused, hasOutput) = state.withLock { state in
      (state.isPaused && state.end == nil, !state.outgoing.isEmpty)
    }
    let events = (isPaused ? 0 : POLLIN) | (hasOutput ? POLLOUT : 0)
    var sockets = [
      pollfd(fd: events == 0 ? -1 : descriptor.number, events: Int16(events), revents: 0),
      pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    _ = uninterrupted { poll(&sockets, 2, -1) }
    if sockets[1].revents != 0 { wake.clear() }
    if hasOutput { state.withLock { flush(&$0) } }
    return !isPaused && sockets[0].revents & ~Int16(POLLOUT) != 0
  }

  private func closed(_ result: Int, _ rest: Int) -> TransportError {
    if result < 0 { return .system("read", .closed) }
    return TransportError(
      .closed, rest == 0 ? "the service closed the connection" : "the service hung up in the middle of a message")
  }

  private func finish(_ error: TransportError) {
    shutdown(descriptor.number, CInt(SHUT_RDWR))
    let (reason, pending) = state.withLock { state in
      let reason = state.end ?? error
      state.end = reason
      return (reason, state.pending.removeAll())
    }
    for call in pending { call.take(.lost(reason)) }
    let onEnd = state.withLock { state in
      state.isOver = true
      defer { state.onEnd = [] }
      return state.onEnd
    }
    for tell in onEnd { tell(reason) }
  }
}
