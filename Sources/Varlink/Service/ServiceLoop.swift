import Glibc
import Synchronization

/// The one thread of a running service: waits for sockets, and lets each session proceed.
final class ServiceLoop {
  enum Reading {
    case bytes(UnsafeRawBufferPointer)
    case nothing
    case end
    case failed(TransportError)
  }

  private static let wakeToken = UInt64.max
  private static let listenerTokens = UInt64.max / 2
  private static let acceptsAtOnce = 64
  private static let retryMilliseconds: CInt = 200  // The pause after the process ran out of descriptors.

  let epoll: Epoll
  let dispatch: Dispatch
  let limits: VarlinkService.Limits
  let hooks: VarlinkService.Hooks

  private let service: VarlinkService
  private var listeners: [UInt64: (listener: VarlinkListener, descriptor: Descriptor)] = [:]  // By token.
  private var nextListener = ServiceLoop.listenerTokens
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var sessions: [UInt64: Session] = [:]
  private var nextID: UInt64 = 1
  private var isAccepting = false
  private var isOutOfDescriptors = false  // Or of what epoll needs to watch one.
  private var shortageIsTold = false
  private var excess = Excess()  // Of all sessions.

  init(_ service: VarlinkService, _ listeners: [VarlinkListener]) throws(TransportError) {
    self.service = service
    (dispatch, limits, hooks) = (service.dispatch, service.limits, service.hooks)
    epoll = try Epoll()
    try epoll.add(service.mailbox.wake.descriptor.number, [.readable], token: Self.wakeToken)
    for listener in listeners { try add(listener) }
  }

  deinit { scratch.deallocate() }

  var callsInFlightMax: Int { service.callsInFlightMax.load(ordering: .acquiring) }

  /// Serves until the service is stopped.
  func run() throws(TransportError) {
    defer { finish() }
    while true {
      updateAccepting()
      var milliseconds: CInt = isOutOfDescriptors ? Self.retryMilliseconds : -1
      if !service.mailbox.fallAsleep() { milliseconds = 0 }
      isOutOfDescriptors = false  // Until accepting fails again.
      try epoll.wait(milliseconds: milliseconds) { token, events in handle(token, events) }
      let notes = service.mailbox.wakeUp()
      if notes.isStopped { return }
      proceed(notes)
    }
  }

  /// Reads once from a socket, into a buffer that is valid until the next call.
  func read(_ descriptor: CInt) -> Reading {
    let count = uninterrupted { recv(descriptor, scratch.baseAddress, scratch.count, 0) }
    if count > 0 { return .bytes(UnsafeRawBufferPointer(rebasing: scratch[..<count])) }
    if count == 0 { return .end }
    return errno == EAGAIN ? .nothing : .failed(.system("read", .closed))
  }

  private func handle(_ token: UInt64, _ events: Epoll.Events) {
    if token == Self.wakeToken {
      service.mailbox.wake.clear()
    } else if token >= Self.listenerTokens {
      if let entry = listeners[token] { accept(from: entry.descriptor) }
    } else if let session = sessions[token] {
      settle(session, session.handle(events))
    }
  }

  private func proceed(_ notes: ServiceMailbox.Notes) {
    for (listener, old) in notes.newListeners { replace(old, by: listener) }
    let ids = notes.isResumed ? sessions.keys.sorted() : notes.touched
    for id in ids {
      if let session = sessions[id] { settle(session, session.proceed(mayHaveInput: false)) }
    }
  }

  private func settle(_ session: Session, _ progress: Session.Progress) {
    guard case .ended(let reason) = progress else { return weigh(session, session.excess) }
    let id = session.connection.id
    sessions[id] = nil
    service.forget(id)
    weigh(session, Excess())
    session.end(reason)
  }

  /// Notes what the service buffers for a session. If all sessions together exceed a limit, the one with the most ends,
  /// and at once: the others whose events came with this one's would add to what it still holds.
  private func weigh(_ session: Session, _ now: Excess) {
    let old = session.noted
    excess.add(now, insteadOf: old)
    session.noted = now
    if now.input > old.input, excess.input > limits.inputBytesMax {
      let detail = "all clients together have sent \(excess.input) bytes of messages that are not whole"
      endLargest(\.input, .tooLarge, detail)
    }
    if now.output > old.output, excess.output > limits.outputBytesMax {
      endLargest(\.output, .overflow, "\(excess.output) bytes are held for clients that do not read them")
    }
  }

  private func endLargest(_ kind: KeyPath<Excess, Int>, _ code: TransportError.Code, _ detail: String) {
    let largest = sessions.values.max {
      ($0.noted[keyPath: kind], $0.connection.id) < ($1.noted[keyPath: kind], $1.connection.id)
    }
    if let largest { settle(largest, .ended(TransportError(code, detail))) }
  }

  // MARK: New connections

  /// Beyond the limit, or without descriptors, new clients wait in the kernel's queue.
  private func updateAccepting() {
    let wanted = sessions.count < limits.connectionsMax && !isOutOfDescriptors
    guard wanted != isAccepting else { return }
    guard wanted else { return stopAccepting() }
    do throws(TransportError) {
      isAccepting = true
      for (token, entry) in listeners { try epoll.add(entry.descriptor.number, [.readable], token: token) }
    } catch {
      stopAccepting()
      runShort(error)
    }
  }

  private func stopAccepting() {
    isAccepting = false
    for entry in listeners.values { epoll.remove(entry.descriptor.number) }
  }

  /// Has no client accepted for a moment. It is reported once, until one is accepted again.
  private func runShort(_ trouble: TransportError) {
    isOutOfDescriptors = true
    guard !shortageIsTold else { return }
    shortageIsTold = true
    hooks.onTrouble(trouble)
  }

  private func add(_ listener: VarlinkListener) throws(TransportError) {
    guard let descriptor = listener.descriptor else { return }
    if isAccepting { try epoll.add(descriptor.number, [.readable], token: nextListener) }
    listeners[nextListener] = (listener, descriptor)
    nextListener += 1
  }

  private func replace(_ old: VarlinkListener?, by new: VarlinkListener) {
    do { try add(new) } catch {
      new.close()
      return hooks.onTrouble(error)
    }
    guard let (token, entry) = listeners.first(where: { $0.value.listener === old }) else { return }
    if isAccepting { epoll.remove(entry.descriptor.number) }
    listeners[token] = nil
    entry.listener.close()
  }

  private func accept(from listener: Descriptor) {
    for _ in 0..<Self.acceptsAtOnce where sessions.count < limits.connectionsMax {
      let number = Linux.accept(listener.number)
      guard number >= 0 else { return explain(errno) }
      shortageIsTold = false
      welcome(Descriptor(number))
    }
  }

  private func explain(_ error: CInt) {
    guard error != EAGAIN, error != ECONNABORTED else { return }
    let trouble = TransportError.system("accept", number: error)
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error) { runShort(trouble) } else { hooks.onTrouble(trouble) }
  }

  private func welcome(_ descriptor: Descriptor) {
    let id = nextID
    nextID += 1
    do {
      TCPSocket.disableDelay(descriptor.number)
      let connection = VarlinkConnection(
        id: id, peer: try hooks.onConnect(descriptor.number), descriptor: descriptor, mailbox: service.mailbox,
        limits: limits)
      try seat(connection, descriptor)
    } catch let error as TransportError {
      hooks.onTrouble(error)
    } catch {
      hooks.onTrouble(TransportError(.refused, "a client was refused: \(error)"))
    }
  }

  private func seat(_ connection: VarlinkConnection, _ descriptor: Descriptor) throws(TransportError) {
    do {
      sessions[connection.id] = try Session(connection, descriptor, self)
    } catch {
      hooks.onDisconnect(connection, error)
      throw error
    }
    service.remember(connection)
  }

  private func finish() {
    for id in sessions.keys.sorted() {
      guard let session = sessions.removeValue(forKey: id) else { continue }
      service.forget(id)
      session.end(TransportError(.stopped, "the service was stopped"))
    }
    for entry in listeners.values { entry.listener.close() }
  }
}
