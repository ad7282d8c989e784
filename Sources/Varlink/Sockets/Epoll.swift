import Glibc

/// An epoll(7) instance, level-triggered, with a number of the caller's for each descriptor.
///
/// It belongs to one thread. `struct epoll_event` is packed on x86-64 and nowhere else, so it is written by hand here.
final class Epoll {
  struct Events: OptionSet {
    let rawValue: UInt32
    static let readable = Events(rawValue: 0x001)
    static let writable = Events(rawValue: 0x004)
    static let failed = Events(rawValue: 0x008)
    static let hungUp = Events(rawValue: 0x010)
    static let halfClosed = Events(rawValue: 0x2000)
  }

  private enum Operation: CInt { case add = 1, remove, modify }

  #if arch(x86_64)
    private static let (eventSize, tokenOffset) = (12, 4)
  #else
    private static let (eventSize, tokenOffset) = (16, 8)
  #endif
  private static let create = Linux.symbol("epoll_create1", (@convention(c) (CInt) -> CInt).self)
  private static let control = Linux.symbol(
    "epoll_ctl", (@convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer?) -> CInt).self)
  private static let wait = Linux.symbol(
    "epoll_wait", (@convention(c) (CInt, UnsafeMutableRawPointer, CInt, CInt) -> CInt).self)

  private let descriptor: Descriptor
  private let buffer: UnsafeMutableRawBufferPointer

  init(eventsMax: Int = 256) throws(TransportError) {
    let number = Self.create(O_CLOEXEC)
    guard number >= 0 else { throw .system("epoll_create1") }
    descriptor = Descriptor(number)
    buffer = .allocate(byteCount: eventsMax * Self.eventSize, alignment: 8)
  }

  deinit { buffer.deallocate() }

  func add(_ number: CInt, _ events: Events, token: UInt64) throws(TransportError) {
    guard change(.add, number, events, token) == 0 else { throw .system("epoll_ctl") }
  }

  func modify(_ number: CInt, _ events: Events, token: UInt64) {
    let result = change(.modify, number, events, token)
    precondition(result == 0, "epoll_ctl of a descriptor that was added: \(systemMessage(errno))")
  }

  func remove(_ number: CInt) {
    _ = change(.remove, number, [], 0)
  }

  /// Waits until something happens, then hands each event to the closure. An interruption is no event.
  func wait(milliseconds: CInt = -1, _ handle: (UInt64, Events) -> Void) throws(TransportError) {
    let eventsMax = CInt(buffer.count / Self.eventSize)
    let count = uninterrupted { Self.wait(descriptor.number, buffer.baseAddress!, eventsMax, milliseconds) }
    guard count >= 0 else { throw .system("epoll_wait") }
    for index in 0..<Int(count) {
      let start = index * Self.eventSize
      let events = buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      handle(
        buffer.loadUnaligned(fromByteOffset: start + Self.tokenOffset, as: UInt64.self), Events(rawValue: events))
    }
  }

  private func change(_ operation: Operation, _ number: CInt, _ events: Events, _ token: UInt64) -> CInt {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { event in
      event.initializeMemory(as: UInt8.self, repeating: 0)
      event.storeBytes(of: events.rawValue, as: UInt32.self)
      event.storeBytes(of: token, toByteOffset: Self.tokenOffset, as: UInt64.self)
      return Self.control(descriptor.number, operation.rawValue, number, event.baseAddress)
    }
  }
}
