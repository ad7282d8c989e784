import NIOCore
import Synchronization

/// Keeps answers in the middle until somebody lets those of their path go on, once and for all.
final class Gate: Sendable {
  private struct Memory {
    var open: Set<String> = []
    var waiting: [String: [EventLoopPromise<Void>]] = [:]
  }

  private let memory = Mutex(Memory())

  /// Fulfils the promise as soon as the path is open.
  func pass(_ path: String, _ promise: EventLoopPromise<Void>) {
    let isOpen = memory.withLock { memory in
      if !memory.open.contains(path) { memory.waiting[path, default: []].append(promise) }
      return memory.open.contains(path)
    }
    if isOpen { promise.succeed() }
  }

  func open(_ path: String) {
    let waiting = memory.withLock { memory in
      memory.open.insert(path)
      return memory.waiting.removeValue(forKey: path) ?? []
    }
    for promise in waiting { promise.succeed() }
  }

  /// Lets nobody through any more.
  func close() {
    let waiting = memory.withLock { memory in
      defer { memory.waiting = [:] }
      return memory.waiting.values.joined()
    }
    for promise in waiting { promise.fail(ChannelError.ioOnClosedChannel) }
  }
}
