import CVarlinkLinux
import Glibc

/// An epoll(7) instance, level-triggered, with a token of the caller's choice for each descriptor. It belongs to one
/// thread.
final class Epoll {
  struct Events: OptionSet {
    let rawValue: UInt32
    static let readable = Events(rawValue: varlink_readable.rawValue)
    static let writable = Events(rawValue: varlink_writable.rawValue)
    static let failed = Events(rawValue: varlink_failed.rawValue)
    static let hungUp = Events(rawValue: varlink_hung_up.rawValue)
  }

  private let descriptor: Descriptor
  private let buffer: UnsafeMutableBufferPointer<varlink_event>

  init(eventsMax: Int = 256) throws(TransportError) {
    let number = varlink_epoll_create()
    guard number >= 0 else { throw .system("epoll_create1") }
    descriptor = Descriptor(number)
    buffer = .allocate(capacity: eventsMax)
    buffer.initialize(repeating: varlink_event())
  }

  deinit { buffer.deallocate() }

  func add(_ number: CInt, _ events: Events, token: UInt64) throws(TransportError) {
    guard varlink_epoll_add(descriptor.number, number, Self.event(events, token)) == 0 else {
      throw .system("epoll_ctl")
    }
  }

  func modify(_ number: CInt, _ events: Events, token: UInt64) {
    let result = varlink_epoll_modify(descriptor.number, number, Self.event(events, token))
    precondition(result == 0, "epoll_ctl of a descriptor that was added: \(systemMessage(errno))")
  }

  func remove(_ number: CInt) { _ = varlink_epoll_remove(descriptor.number, number) }

  /// Waits until something happens, then passes each event to the closure. An interruption is no event.
  func wait(milliseconds: CInt = -1, _ handle: (UInt64, Events) -> Void) throws(TransportError) {
    let count = uninterrupted {
      varlink_epoll_wait(descriptor.number, buffer.baseAddress, CInt(buffer.count), milliseconds)
    }
    guard count >= 0 else { throw .system("epoll_wait") }
    for event in buffer.prefix(Int(count)) { handle(event.token, Events(rawValue: event.events)) }
  }

  private static func event(_ events: Events, _ token: UInt64) -> varlink_event {
    varlink_event(events: events.rawValue, token: token)
  }
}
