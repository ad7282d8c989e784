import Glibc

/// A file descriptor that is closed with its last owner, so that no thread can use its number for another file.
final class Descriptor: Sendable {
  let number: CInt

  init(_ number: CInt) { self.number = number }
  deinit { close(number) }
}

/// An eventfd(2): any thread signals, one waits.
final class WakeSignal: Sendable {
  let descriptor: Descriptor

  init() throws(TransportError) {
    let number = Linux.makeEvent()
    guard number >= 0 else { throw .system("eventfd") }
    descriptor = Descriptor(number)
  }

  /// Makes the descriptor readable. The counter cannot overflow in practice; even then the descriptor is readable.
  func signal() {
    var one: UInt64 = 1
    _ = uninterrupted { write(descriptor.number, &one, 8) }
  }

  /// Makes it unreadable again.
  func clear() {
    var count: UInt64 = 0
    _ = uninterrupted { read(descriptor.number, &count, 8) }
  }
}
