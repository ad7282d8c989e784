import NIOCore
import Synchronization

/// Holds answers in the middle until their path is opened, which it then stays.
final class Gate: Sendable {
  private struct Memory {
    var open: Set<String> = []
    var waiting: [String: [EventLoopPromise<Void>]] = [:]
    var isClosed = false
  }

  private let memory = Mutex(Memory())

  /// Fulfils the promise as soon as the path is open; it fails when the gate closes.
  func pass(_ path: String, _ promise: EventLoopPromise<Void>) {
    let (isOpen, isClosed) = memory.withLock { memory in
      let isOpen = memory.open.contains(path)
      if !isOpen, !memory.isClosed { memory.waiting[path, default: []].append(promise) }
      return (isOpen, memory.isClosed)
    }
    if isOpen { promise.succeed() } else if isClosed { promise.fail(ChannelError.ioOnClosedChannel) }
  }

  func open(_ path: String) {
    let waiting = memory.withLock { memory in
      memory.open.insert(path)
      return memory.waiting.removeValue(forKey: path) ?? []
    }
    for promise in waiting { promise.succeed() }
  }

  /// Fails all waiting and later answers.
  func close() {
    let waiting = memory.withLock { memory in
      defer { (memory.waiting, memory.isClosed) = ([:], true) }
      return memory.waiting.values.joined()
    }
    for promise in waiting { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}
