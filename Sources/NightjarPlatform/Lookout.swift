import CNightjarSpawn
import Glibc
import Synchronization

/// One thread that waits for everything: processes that end, cgroups that empty, timers, the network.
///
/// Handlers and work run on that thread, one after the other, and must not block. It runs from `init` to ``stop()``.
public final class Lookout: Sendable {
  typealias Handler = @Sendable () -> Void

  /// What to wait for (epoll(7)).
  enum Sign: UInt32 {
    case readable = 0x001
    /// Something out of the ordinary: how cgroup.events says that it changed.
    case urgent = 0x002
  }

  /// Something that is being waited for. The descriptor stays open for as long as it is.
  struct Watch: Sendable {
    fileprivate let token: UInt64
    fileprivate let descriptor: Descriptor
  }

  private struct Books {
    var handlers: [UInt64: Handler] = [:]
    var lastToken: UInt64 = 0  // 0 is the bell.
    var work: [@Sendable () -> Void] = []
    var isStopping = false
    var thread: pthread_t?
  }

  private static let workMax = 65_536  // Far above one deed for every app; beyond it the thread is stuck.
  private static let batch = 64

  private let epoll: Descriptor
  private let bell: Descriptor
  private let books = Mutex(Books())

  /// Starts the thread.
  public init() throws(PlatformError) {
    epoll = try Self.descriptor(nightjar_epoll(), "epoll_create1")
    bell = try Self.descriptor(nightjar_bell(), "eventfd")
    try add(bell, .readable, token: 0)
    try startThread()
  }

  /// Does something on the thread, after everything asked for earlier. After ``stop()`` it is forgotten.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    books.withLock { books in
      precondition(books.work.count < Self.workMax, "the lookout's thread is stuck")
      if !books.isStopping { books.work.append(work) }
    }
    ring()
  }

  /// Ends the thread and waits until it has ended, unless called on it. What is waited for is forgotten.
  public func stop() {
    let thread = books.withLock { books in
      books.isStopping = true
      defer { books.thread = nil }
      return books.thread
    }
    ring()
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) == 0 { pthread_join(thread, nil) } else { pthread_detach(thread) }
    let forgotten = books.withLock { books in
      defer { (books.handlers, books.work) = ([:], []) }
      return (books.handlers, books.work)
    }
    withExtendedLifetime(forgotten) {}  // See ``forget(_:)``.
  }

  /// Calls `handler` whenever a descriptor shows a sign, and again until it no longer does.
  func watch(_ descriptor: Descriptor, for sign: Sign, _ handler: @escaping Handler) throws(PlatformError) -> Watch {
    let token = books.withLock { books in
      books.lastToken += 1
      books.handlers[books.lastToken] = handler
      return books.lastToken
    }
    do {
      try add(descriptor, sign, token: token)
    } catch {
      forget(token)
      throw error
    }
    return Watch(token: token, descriptor: descriptor)
  }

  /// Waits for other signs of a descriptor: those of epoll(7), several of them as one number.
  func change(_ watch: Watch, to signs: UInt32) {
    let result = nightjar_epoll_change(epoll.number, watch.descriptor.number, signs, watch.token)
    precondition(result >= 0, "epoll_ctl: \(-result)")
  }

  /// Waits no longer. On the thread itself, the handler is not called again.
  func cancel(_ watch: Watch) {
    nightjar_epoll_remove(epoll.number, watch.descriptor.number)
    forget(watch.token)
  }

  /// Lets go of a handler once the lock is free: what it is the last to hold may cancel a watch of its own as it goes.
  private func forget(_ token: UInt64) {
    let handler = books.withLock { $0.handlers.removeValue(forKey: token) }
    withExtendedLifetime(handler) {}
  }

  private func add(_ descriptor: Descriptor, _ sign: Sign, token: UInt64) throws(PlatformError) {
    let result = nightjar_epoll_add(epoll.number, descriptor.number, sign.rawValue, token)
    guard result >= 0 else { throw .system("epoll_ctl", -result) }
  }

  /// Takes over what a call returned, or throws what it refused with.
  static func descriptor(_ result: Int32, _ deed: String) throws(PlatformError) -> Descriptor {
    guard result >= 0 else { throw .system(deed, -result) }
    return Descriptor(owning: result)
  }

  private func ring() { nightjar_ring(bell.number) }

  private func startThread() throws(PlatformError) {
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Lookout>.fromOpaque(box!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(self).release()
      throw .system("cannot start a thread", result)
    }
    books.withLock { $0.thread = thread }
  }

  private func run() {
    var tokens = [UInt64](repeating: 0, count: Self.batch)
    while !books.withLock({ $0.isStopping }) {
      let count = nightjar_epoll_wait(epoll.number, &tokens, Int32(tokens.count))
      precondition(count >= 0, "epoll_wait: \(-count)")
      for token in tokens.prefix(Int(count)) { handle(token) }
    }
  }

  private func handle(_ token: UInt64) {
    if token == 0 { return doWork() }
    books.withLock { $0.handlers[token] }?()
  }

  private func doWork() {
    nightjar_hush(bell.number)
    let work = books.withLock { books in
      defer { books.work = [] }
      return books.work
    }
    for deed in work where !books.withLock({ $0.isStopping }) { deed() }
  }
}
