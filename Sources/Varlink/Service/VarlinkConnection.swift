import Glibc
import Synchronization

/// How a connection stands, for the service's thread.
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
    var descriptor: Descriptor?  // Nil once the connection is over, so that whoever keeps this keeps no file open.
    var replies = ReplyQueue()
    var sendingBytes = 0  // Taken from the queue and not sent yet.
    var isGone = false
    var isHeld = false
    var isHungUp = false
    var isTouched = false
    var closing: TransportError?
    var hangUps: [UInt64: [@Sendable () -> Void]] = [:]
    var streams: Set<UInt64> = []
    var unplacedCalls = 0  // Begun without a place among the replies, and not let go of by their handlers.
    var whenWritable: [(call: UInt64, then: @Sendable () -> Void)] = []
    var whenHeard: [@Sendable () -> Void] = []

    var unsentBytes: Int { replies.ready.count + replies.heldBytes + sendingBytes }

    func unsentBytes(upTo call: UInt64) -> Int {
      replies.ready.count + replies.heldBytes(upTo: call) + sendingBytes
    }
  }

  /// Numbers the connections of a service from 1; never used twice.
  public let id: UInt64
  /// What ``VarlinkService/Hooks/onConnect`` returned for this client.
  public let peer: any Sendable

  let buffered = Atomic<Int>(0)  // What the service has read and not handed to a handler.
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

  /// Bytes of replies that wait for this client to read, or for an earlier call's reply.
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

  /// Calls once when everything that the client has written before this moment is handled, on the service's thread; at once
  /// if the connection is over.
  ///
  /// Of somebody who has gone it tells when the last words were heard, whichever way the going was noticed.
  public func whenHeard(_ then: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      guard state.descriptor != nil else { return true }
      state.whenHeard.append(then)
      touch(&state)
      return false
    }
    if isOver { then() }
  }

  /// Hands no further call of this client to a handler until it is released; other clients are served meanwhile.
  ///
  /// In a handler it holds whatever the client has sent behind the call. Replies go out as ever.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Goes on with what the client has sent meanwhile, in its order.
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

  /// Hangs up on a client that is known to be gone, though somebody else may have its socket: nothing more is sent, and once all
  /// that has come from it is handled, the connection is over.
  public func hangUp() {
    state.withLock { state in
      state.isHungUp = true
      touch(&state)
    }
  }

  // MARK: Called by calls

  /// Gives a call its place among the replies. One that takes no reply, or whose client has gone, has none, and counts until
  /// its handler lets go of it.
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

  /// A call will never be answered, and so none behind it. A client that has gone waits for no answer, and its last words are
  /// still heard.
  func abandonCall(_ reason: TransportError) {
    state.withLock { state in
      if !state.isGone { close(&state, reason) }
    }
  }

  /// Queues a reply; false when nobody will read it.
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
    _ = hangUps  // Released here, outside of the lock: what they hold may end with them.
    return isSent
  }

  /// Notes whom to tell when the client goes before this call is complete; tells at once if it has gone.
  func onHangUp(of number: UInt64, _ then: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.hangUps[number, default: []].append(then) }
      return state.isGone
    }
    if isGone { then() }
  }

  func unsentBytes(upTo number: UInt64) -> Int { state.withLock { $0.unsentBytes(upTo: number) } }

  /// Notes whom to tell once all that is answered to this call until then is sent.
  func whenWritable(upTo number: UInt64, _ then: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard !state.isGone else { return }
      state.whenWritable.append((number, then))
      touch(&state)
    }
  }

  // MARK: Called on the service's thread

  /// From here on whatever changes is noted anew.
  func acknowledgeTouch() {
    state.withLock { $0.isTouched = false }
  }

  /// Has the thread proceed with this connection once more.
  func comeBack() {
    state.withLock { touch(&$0) }
  }

  /// What the service's thread has to know before it reads or writes.
  func look() -> ConnectionLook {
    state.withLock { state in
      ConnectionLook(
        openCalls: state.replies.openCalls, unplacedCalls: state.unplacedCalls, unsentBytes: state.unsentBytes,
        hasStreams: !state.streams.isEmpty, isHeld: state.isHeld, isHungUp: state.isHungUp, closing: state.closing)
    }
  }

  /// Exchanges the buffer that was sent for the next one.
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
      // What is held back, or has just come, is sent later.
      state.whenWritable = asked.filter { state.unsentBytes(upTo: $0.call) > 0 }
      return asked.filter { state.unsentBytes(upTo: $0.call) == 0 }.map(\.then)
    }
  }

  /// Whoever waits for what the client wrote before they asked.
  func takeListeners() -> [@Sendable () -> Void] {
    state.withLock { state in
      defer { state.whenHeard = [] }
      return state.whenHeard
    }
  }

  /// Nobody reads any more: drops what waits and returns whom to tell.
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

  /// Nothing will be read any more either. Returns who still waits for what the client wrote.
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
