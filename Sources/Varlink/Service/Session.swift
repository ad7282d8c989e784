import Glibc
import Synchronization

/// What the service buffers for clients: bytes of incomplete messages, and memory of replies that they do not read.
struct Excess {
  var input = 0
  var output = 0

  /// Replaces the old numbers of a client by new ones.
  mutating func add(_ new: Excess, insteadOf old: Excess) {
    input += new.input - old.input
    output += new.output - old.output
  }
}

/// The service's side of one connection: reads calls, sends replies. It belongs to the service's thread.
final class Session {
  /// Whether to go on with a connection.
  enum Progress {
    case going
    case ended(TransportError)
  }

  private static let readsAtOnce = 4  // Before other sessions have their turn.

  let connection: VarlinkConnection
  private let socket: Descriptor
  private let loop: ServiceLoop
  private var input: MessageBuffer
  private var output: [UInt8] = []
  private var outputSent = 0
  private var isAtEnd = false  // Whether the client will send nothing more.
  private var hasLeft = false  // Whether the client reads nothing more.
  private var isHungUp = false  // Whether what it has sent by now is all.
  private var listeners: [@Sendable () -> Void] = []  // To be called when all received bytes are handled.
  private var interest: Epoll.Events?  // Nil while epoll does not watch the socket.
  /// The ``excess`` that the loop has noted.
  var noted = Excess()

  /// What is buffered for it beyond the share that every client has.
  var excess: Excess {
    let own = VarlinkService.Limits.ownBytes
    return Excess(
      input: max(0, input.count - own), output: max(0, output.capacity + connection.replyMemory - own))
  }

  private var descriptor: CInt { socket.number }

  init(_ connection: VarlinkConnection, _ socket: Descriptor, _ loop: ServiceLoop) throws(TransportError) {
    (self.connection, self.socket, self.loop) = (connection, socket, loop)
    input = MessageBuffer(messageBytesMax: loop.limits.messageBytesMax)
    interest = [.readable]
    try loop.epoll.add(descriptor, [.readable], token: connection.id)
  }

  /// Handles events of the socket.
  func handle(_ events: Epoll.Events) -> Progress {
    if !events.isDisjoint(with: [.hungUp, .failed]) { leave() }
    return proceed(mayHaveInput: true)
  }

  /// Closes, reads and sends, as far as each is possible now. An extra call does no harm.
  ///
  /// - Parameter mayHaveInput: False if epoll would have reported input: this saves a read that finds nothing.
  func proceed(mayHaveInput: Bool) -> Progress {
    do throws(TransportError) {
      connection.acknowledgeTouch()
      let now = connection.look()
      if let reason = now.closing { throw reason }
      isHungUp = now.isHungUp  // Before reading, too.
      if isHungUp { leave() }
      listeners += connection.takeListeners()  // Before reading: they wait for what was written before they were added.
      let mustLook = mayHaveInput || isHungUp || !listeners.isEmpty || interest?.contains(.readable) != true
      if try receive(mustLook) { tellListeners() }
      let wasHeldBack = !mayRead
      try send()
      // Sending has made room for calls that are buffered already, which epoll does not report.
      if wasHeldBack, mayRead, try receive(true) { tellListeners() }
      try finish()
      try watch()
      return .going
    } catch {
      return .ended(error)
    }
  }

  /// Ends the connection. Ready replies are sent if the socket takes them at once, so that a client whose message is at
  /// fault still gets the answers to its earlier calls, and is told what was wrong.
  func end(_ reason: TransportError) {
    if reason.code == .malformed || reason.code == .tooLarge { connection.answerLast(.invalidParameter(reason.detail)) }
    try? send()
    leave()
    if interest != nil { loop.epoll.remove(descriptor) }
    interest = nil
    shutdown(descriptor, CInt(SHUT_RDWR))
    listeners += connection.end()
    tellListeners()
    loop.hooks.onDisconnect(connection, reason)
  }

  /// Notes that the client no longer reads. What it wrote before is still read.
  private func leave() {
    guard !hasLeft else { return }
    hasLeft = true
    (output, outputSent) = ([], 0)
    for tell in connection.leave() { tell() }
  }

  private func tellListeners() {
    let told = listeners
    listeners = []
    for tell in told { tell() }
  }

  /// Reads and dispatches; returns whether all received bytes are handled.
  private func receive(_ mayHaveInput: Bool) throws(TransportError) -> Bool {
    for _ in 0..<Self.readsAtOnce {
      try dispatch()
      guard mayHaveInput, mayRead, !isAtEnd else { return isAtEnd && mayRead }
      switch loop.read(descriptor) {
      case .bytes(let bytes): input.append(bytes)
      case .nothing:
        isAtEnd = isHungUp
        return true
      case .end: isAtEnd = true
      case .failed(let error):
        isAtEnd = true
        leave()
        throw error
      }
    }
    try dispatch()
    if !listeners.isEmpty || isHungUp { connection.comeBack() }  // Nothing else may show that there is no more.
    return isAtEnd && mayRead
  }

  /// Hands complete messages to their handlers for as long as the client may be served.
  private func dispatch() throws(TransportError) {
    defer { connection.buffered.store(input.count, ordering: .releasing) }
    while mayRead {
      let next: Void? = try input.next { (message) throws(TransportError) in
        connection.buffered.store(0, ordering: .relaxed)
        try loop.dispatch.begin(message, from: connection)
      }
      if next == nil { return }
    }
  }

  /// Whether calls are read: not while the client is held, while too many of its calls wait (none may while the service
  /// is paused), or while it reads no replies.
  private var mayRead: Bool {
    let now = connection.look()
    return !now.isHeld && now.closing == nil
      && now.openCalls + now.unplacedCalls < loop.callsInFlightMax
      && now.unsentBytes <= loop.limits.unsentBytesMax / 2
  }

  private func send() throws(TransportError) {
    while !hasLeft {
      if outputSent == output.count {
        connection.exchange(&output)
        outputSent = 0
        if output.isEmpty { break }
      }
      let count = sendOnce()
      if count < 0 {
        if errno == EAGAIN { return }
        return leave()
      }
      outputSent += count
      connection.sent(count)
    }
    for tell in connection.takeWritable() { tell() }
  }

  private func sendOnce() -> Int {
    output.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[outputSent...])
      return uninterrupted { Glibc.send(descriptor, rest.baseAddress, rest.count, Linux.noSignal) }
    }
  }

  /// Ends the connection after the end of its input, once all calls are answered. A stream, which never ends, is not
  /// waited for.
  private func finish() throws(TransportError) {
    guard isAtEnd, mayRead else { return }
    let now = connection.look()
    if let reason = now.closing { throw reason }
    guard hasLeft || now.hasStreams || (now.openCalls == 0 && now.unsentBytes == 0) else { return }
    let detail = input.count == 0 ? "the client hung up" : "the client hung up in the middle of a message"
    throw TransportError(.closed, detail)
  }

  /// Tells epoll which events matter now. A socket that was hung up and may not be read is not watched: epoll would
  /// report it for ever. One that epoll cannot watch again would never be read: the client is to see it closed.
  private func watch() throws(TransportError) {
    var wanted: Epoll.Events = []
    if mayRead, !isAtEnd { wanted.insert(.readable) }
    if !hasLeft, outputSent < output.count { wanted.insert(.writable) }
    if hasLeft, wanted.isEmpty {
      if interest != nil { loop.epoll.remove(descriptor) }
      interest = nil
    } else if interest == nil {
      try loop.epoll.add(descriptor, wanted, token: connection.id)
      interest = wanted
    } else if interest != wanted {
      loop.epoll.modify(descriptor, wanted, token: connection.id)
      interest = wanted
    }
  }
}
