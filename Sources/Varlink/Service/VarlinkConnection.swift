import Glibc
import Synchronization

/// The state of a connection, for the service's thread.
struct ConnectionLook: Sendable {
  var openCalls: Int
  var unplacedCalls: Int
  var unsentBytes: Int
  var hasStreams: Bool
  var isHeld: Bool
  var isHungUp: Bool
  var closing: TransportError?
}

/// One client of a service. Everything here may be used from any thread, also after the client has gone.
public final class VarlinkConnection: Sendable, Identifiable {
  struct State: Sendable {
    var descriptor: Descriptor?  // Nil once the connection is over, so that references to it keep no file open.
    var replies = ReplyQueue()
    var sendingBytes = 0  // Bytes taken from the queue and not sent yet.
    var isGone = false
    var isHeld = false
    var isHungUp = false
    var isTouched = false
    var closing: TransportError?
    var hangUps: [UInt64: [@Sendable () -> Void]] = [:]
    var streams: Set<UInt64> = []
    var unplacedCalls = 0  // Calls without a place in the reply queue that their handlers have not released.
    var whenWritable: [(call: UInt64, then: @Sendable () -> Void)] = []
    var whenHeard: [@Sendable () -> Void] = []

    var unsentBytes: Int { replies.ready.count + replies.heldBytes + sendingBytes }

    func unsentBytes(upTo call: UInt64) -> Int {
      replies.ready.count + replies.heldBytes(upTo: call) + sendingBytes
    }
  }

  /// The connection's number within its service, from 1; never used twice.
  public let id: UInt64
  /// What ``VarlinkService/Hooks/onConnect`` returned for this client.
  public let peer: any Sendable

  let buffered = Atomic<Int>(0)  // Bytes that the service has read and not handed to a handler.
  private let mailbox: ServiceMailbox
  let limits: VarlinkService.Limits
  private let state: Mutex<State>

  init(
    id: UInt64, peer: any Sendable, descriptor: Descriptor, mailbox: ServiceMailbox, limits: VarlinkService.Limits
  ) {
    (self.id, self.peer) = (id, peer)
    (self.mailbox, self.limits) = (mailbox, limits)
    state = Mutex(State(descriptor: descriptor))
  }

  /// The peer as the type that the hook returned; any other type is a mistake of the program and stops it.
  public func peer<Peer: Sendable>(as type: Peer.Type) -> Peer {
    guard let peer = peer as? Peer else {
      preconditionFailure("the peer of a connection is a \(Swift.type(of: self.peer)), not a \(type)")
    }
    return peer
  }

  /// Whether the client has gone. Replies are dropped from then on.
  public var isGone: Bool { state.withLock { $0.isGone } }

  /// Bytes of replies that this client has not read, or that wait for an earlier call's reply.
  ///
  /// At the service's limit the connection is dropped.
  public var unsentBytes: Int { state.withLock { $0.unsentBytes } }

  /// Bytes that the client has sent and no handler has seen yet, the kernel's buffer included.
  ///
  /// Zero means that everything it has written before this moment is handled.
  public var unreadBytes: Int {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return 0 }
    var waiting: CInt = 0
    let result = ioctl(descriptor.number, UInt(FIONREAD), &waiting)
    return buffered.load(ordering: .acquiring) + (result == 0 ? Int(waiting) : 0)
  }

  /// Calls `then` once, on the service's thread, when everything that the client wrote before this call is handled; at
  /// once if the connection is over.
  ///
  /// If the client has gone, that is when its last message is handled, however its end was noticed.
  public func whenHeard(_ then: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard state.descriptor != nil else { return true }
      state.whenHeard.append(then)
      touch(&state)
      return false
    }
    if isOver { then() }
  }

  /// Hands no further call of this client to a handler until ``release()``; other clients are served meanwhile.
  ///
  /// In a handler it holds everything that the client sent after the call. Replies are still sent.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Goes on with the client's held calls, in order.
  public func release() {
    state.withLock { state in
      state.isHeld = false
      touch(&state)
    }
  }

  /// Closes the connection. Replies that are ready are sent if the socket takes them at once.
  public func close(_ reason: String) {
    close(TransportError(.closed, reason))
  }

  func close(_ reason: TransportError) {
    state.withLock { close(&$0, reason) }
  }

  private func close(_ state: inout State, _ reason: TransportError) {
    guard state.descriptor != nil, state.closing == nil else { return }
    state.closing = reason
    touch(&state)
  }

  /// Hangs up on a client that is known to be gone, even if another process has its socket: nothing more is sent, and
  /// the connection ends once everything received from it is handled.
  public func hangUp() {
    state.withLock { state in
      state.isHungUp = true
      touch(&state)
    }
  }

  // MARK: Called by calls

  /// Gives a call its place in the reply queue. A call that takes no reply, or whose client has gone, has no place, and
  /// counts until its handler releases it.
  func openCall(isOneway: Bool, isStream: Bool) -> UInt64? {
    state.withLock { state in
      guard !isOneway, !state.isGone else {
        state.unplacedCalls += 1
        return nil
      }
      let number = state.replies.open()
      if isStream { state.streams.insert(number) }
      return number
    }
  }

  func endUnplacedCall() {
    state.withLock { state in
      state.unplacedCalls -= 1
      touch(&state)
    }
  }

  /// Closes the connection because a call, and so every later one, will never be answered. If the client has gone it
  /// waits for no answer, and its last calls are still handled.
  func abandonCall(_ reason: TransportError) {
    state.withLock { state in
      if !state.isGone { close(&state, reason) }
    }
  }

  /// Queues a reply; false if the client will not read it.
  func send(_ bytes: [UInt8], for number: UInt64, isLast: Bool, method: String) -> Bool {
    let (isSent, hangUps) = state.withLock { state -> (Bool, [@Sendable () -> Void]?) in
      guard !state.isGone, state.closing == nil else { return (false, nil) }
      guard state.unsentBytes == 0 || state.unsentBytes + bytes.count <= limits.unsentBytesMax else {
        state.closing = overflow(method, state.unsentBytes)
        touch(&state)
        return (false, nil)
      }
      let outcome = state.replies.append(bytes, to: number, isLast: isLast)
      precondition(outcome == .taken, "a call to \(method) was answered after its last reply")
      touch(&state)
      guard isLast else {
        state.streams.insert(number)
        return (true, nil)
      }
      state.streams.remove(number)
      return (true, state.hangUps.removeValue(forKey: number))
    }
    _ = hangUps  // Released here, outside of the lock, since what they capture may be deinitialized.
    return isSent
  }

  /// Calls `then` when the client goes before this call is complete; at once if it has gone.
  func onHangUp(of number: UInt64, _ then: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.hangUps[number, default: []].append(then) }
      return state.isGone
    }
    if isGone { then() }
  }

  func unsentBytes(upTo number: UInt64) -> Int { state.withLock { $0.unsentBytes(upTo: number) } }

  /// Calls `then` once all replies up to this call are sent.
  func whenWritable(upTo number: UInt64, _ then: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard !state.isGone else { return }
      state.whenWritable.append((number, then))
      touch(&state)
    }
  }

  // MARK: Called on the service's thread

  /// How much memory is held for replies that are not being sent yet, in bytes.
  var replyMemory: Int { state.withLock { $0.replies.memory } }

  /// Has later changes noted again.
  func acknowledgeTouch() {
    state.withLock { $0.isTouched = false }
  }

  /// Has the thread proceed with this connection once more.
  func comeBack() {
    state.withLock { touch(&$0) }
  }

  /// The state that the service's thread needs before it reads or writes.
  func look() -> ConnectionLook {
    state.withLock { state in
      ConnectionLook(
        openCalls: state.replies.openCalls, unplacedCalls: state.unplacedCalls, unsentBytes: state.unsentBytes,
        hasStreams: !state.streams.isEmpty, isHeld: state.isHeld, isHungUp: state.isHungUp, closing: state.closing)
    }
  }

  /// Queues the answer to a message that cannot be read as a call, behind those to all calls: nothing follows it.
  func answerLast(_ error: VarlinkError) {
    state.withLock { state in
      guard !state.isGone else { return }
      let number = state.replies.open()
      _ = state.replies.append(Wire.failure(error), to: number, isLast: true)
    }
  }

  /// Swaps the sent buffer for the next one.
  func exchange(_ buffer: inout [UInt8]) {
    var taken = buffer
    buffer = []
    taken = state.withLock { [taken] state in
      var taken = taken
      state.replies.exchangeReady(&taken)
      state.sendingBytes = taken.count
      return taken
    }
    buffer = taken
  }

  func sent(_ bytes: Int) {
    state.withLock { $0.sendingBytes -= bytes }
  }

  func takeWritable() -> [@Sendable () -> Void] {
    state.withLock { state in
      let asked = state.whenWritable
      // Held or newly added replies are sent later.
      state.whenWritable = asked.filter { state.unsentBytes(upTo: $0.call) > 0 }
      return asked.filter { state.unsentBytes(upTo: $0.call) == 0 }.map(\.then)
    }
  }

  /// Takes the closures that wait for what the client wrote before.
  func takeListeners() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { state.whenHeard = [] }
      return state.whenHeard
    }
  }

  /// Drops waiting replies, since the client no longer reads; returns the closures to call.
  func leave() -> [@Sendable () -> Void] {
    let old = state.withLock { state in
      let old = state
      state = State(descriptor: old.descriptor, isGone: true)
      (state.replies, state.whenHeard, state.isHeld) = (old.replies, old.whenHeard, old.isHeld)
      (state.unplacedCalls, state.isHungUp, state.closing) = (old.unplacedCalls, old.isHungUp, old.closing)
      state.replies.clear()
      return old
    }
    return old.hangUps.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// Ends reading as well; returns the closures that still wait for what the client wrote.
  func end() -> [@Sendable () -> Void] {
    state.withLock { $0.descriptor = nil }
    return takeListeners()
  }

  private func touch(_ state: inout State) {
    guard !state.isTouched else { return }
    state.isTouched = true
    mailbox.note { $0.touched.append(id) }
  }

  private func overflow(_ method: String, _ unsent: Int) -> TransportError {
    TransportError(
      .overflow, "\(unsent) bytes wait for a client that does not read them; the next is a reply to \(method)")
  }
}
