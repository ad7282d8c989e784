import Synchronization

/// A Varlink service: takes connections, hands calls to the handlers of its interfaces, and sends their answers.
///
/// One thread does everything, so that handlers need no lock against each other. It reads ahead: the calls of one
/// client are handed out in order without waiting for answers, and the answers are sent in the order of the calls, in
/// whatever order they are given.
public final class VarlinkService: Sendable {
  /// Bounds. When one is reached, something waits, or one connection is closed with a reason; the service never fails.
  public struct Limits: Sendable, Hashable {
    /// The longest message accepted from a client. A longer one, as any message that is no call, is answered with
    /// `InvalidParameter`, whose parameter says in words what is wrong, and closes its connection.
    public var messageBytesMax = 16 << 20
    /// How many bytes of incomplete messages all clients together may have sent, not counting the first 256 KiB of
    /// each. Beyond that the client with the most is dropped.
    public var inputBytesMax = 64 << 20
    /// How many clients are served at once. Others wait in the kernel's queue.
    public var connectionsMax = 1024
    /// How many calls of one client may wait for an answer or, if they are oneway, for their handlers to release them.
    /// At the limit the client is not read.
    public var callsInFlightMax = 1024
    /// How many bytes of replies may wait for one client. At half of it the client is not read, beyond it the client is
    /// dropped. A single reply may be longer.
    public var unsentBytesMax = 16 << 20
    /// How many bytes of memory may be held for replies to all clients together, not counting the first 256 KiB of
    /// each. Beyond that the client with the most is dropped.
    public var outputBytesMax = 64 << 20

    /// How many bytes of an incomplete message, and of waiting replies, each client may have regardless of others.
    static let ownBytes = 1 << 18

    /// The bounds given above.
    public init() {}
  }

  /// Closures by which the owner of a service decides and observes. All run on the service's thread.
  public struct Hooks: Sendable {
    /// Identifies the client of a new socket, for ``VarlinkConnection/peer``. The descriptor stays the service's.
    /// Throwing closes it unanswered.
    public var onConnect: @Sendable (CInt) throws -> any Sendable
    /// A client has gone, everything it sent was handled, and its streams were told.
    public var onDisconnect: @Sendable (VarlinkConnection, TransportError) -> Void
    /// A client was refused (with the code `refused`, unless the hook threw a transport error itself), or the system
    /// refused a resource, such as another descriptor: for the log.
    public var onTrouble: @Sendable (TransportError) -> Void

    /// Hooks that by default accept every client and do nothing.
    public init(
      onConnect: @escaping @Sendable (CInt) throws -> any Sendable = { _ in NoParameters() },
      onDisconnect: @escaping @Sendable (VarlinkConnection, TransportError) -> Void = { _, _ in },
      onTrouble: @escaping @Sendable (TransportError) -> Void = { _ in }
    ) {
      (self.onConnect, self.onDisconnect, self.onTrouble) = (onConnect, onDisconnect, onTrouble)
    }
  }

  private struct State {
    var connections: [UInt64: VarlinkConnection] = [:]
    var isRunning = false
    var thread: ServiceThread?
  }

  let dispatch: Dispatch
  let limits: Limits
  let hooks: Hooks
  let mailbox: ServiceMailbox
  /// How many calls of one client may wait at present.
  let callsInFlightMax: Atomic<Int>
  private let state = Mutex(State())

  /// Makes a service, which also offers `org.varlink.service`.
  ///
  /// - Throws: `system` when the process has no file descriptor left.
  public init(
    _ information: ServiceInformation, interfaces: [VarlinkInterface], limits: Limits = Limits(), hooks: Hooks = Hooks()
  ) throws(TransportError) {
    dispatch = Dispatch([ServiceIntrospection.interface(information, interfaces)] + interfaces)
    (self.limits, self.hooks) = (limits, hooks)
    callsInFlightMax = Atomic(limits.callsInFlightMax)
    mailbox = ServiceMailbox(try WakeSignal())
  }

  /// Serves on this thread until ``stop()``. A service runs once.
  ///
  /// - Throws: `system` when the kernel refuses a resource. All connections and listeners are closed then.
  public func run(on listeners: [VarlinkListener]) throws(TransportError) {
    state.withLock { state in
      precondition(!state.isRunning, "a Varlink service was run twice")
      state.isRunning = true
    }
    try ServiceLoop(self, listeners).run()
  }

  /// Serves on a thread of its own until ``stop()``. Returns at once; clients that connect from now on are served.
  public func start(on listeners: [VarlinkListener]) throws(TransportError) {
    let hooks = hooks
    let thread = try ServiceThread(named: "varlink") { [self] in
      do throws(TransportError) { try run(on: listeners) } catch { hooks.onTrouble(error) }
    }
    state.withLock { $0.thread = thread }
  }

  /// Listens on one more socket, or on one in place of another, which is closed. Clients stay connected.
  ///
  /// If the kernel refuses to watch the new socket, that is closed, the hook `onTrouble` is told, and the old one is
  /// served on.
  public func listen(on listener: VarlinkListener, insteadOf old: VarlinkListener? = nil) {
    mailbox.note { $0.newListeners.append((listener, insteadOf: old)) }
  }

  /// Ends the service: sends what sockets take at once, closes all connections and listeners.
  ///
  /// After ``start(on:)`` this returns when the thread has ended, unless it is called on that thread. Repeating it does
  /// nothing.
  public func stop() {
    mailbox.note { $0.isStopped = true }
    let thread = state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
  }

  /// Stops reading from clients: no handler is called until ``resumeReading()``. Replies still go out.
  ///
  /// If it is called in a handler, that one is the last; if elsewhere, a handler that is running may still finish.
  public func pauseReading() {
    callsInFlightMax.store(0, ordering: .releasing)
  }

  /// Handles the calls of each client one by one until ``resumeReading()``: the next once the last is answered or, if
  /// it is oneway, released by its handler. A client with a call under way, such as a stream, is not read.
  public func readOneByOne() {
    callsInFlightMax.store(1, ordering: .releasing)
  }

  /// Reads from clients normally again.
  public func resumeReading() {
    callsInFlightMax.store(limits.callsInFlightMax, ordering: .releasing)
    mailbox.note { $0.isResumed = true }
  }

  /// The present clients, the oldest first.
  public var connections: [VarlinkConnection] {
    state.withLock { state in state.connections.values.sorted { $0.id < $1.id } }
  }

  func remember(_ connection: VarlinkConnection) {
    state.withLock { $0.connections[connection.id] = connection }
  }

  func forget(_ id: UInt64) {
    state.withLock { $0.connections[id] = nil }
  }
}
