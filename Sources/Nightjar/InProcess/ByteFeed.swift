import Foundation
import FoundationNetworking
import Synchronization

/// The bytes of an answer on their way from a task to its `AsyncBytes`.
final class ByteFeed: Sendable {
  private struct State {
    var chunks = Fifo<Data>()
    var end: Result<Void, any Error>?
    var response: URLResponse?
    var headWaiter: CheckedContinuation<URLResponse, any Error>?
    var byteWaiter: CheckedContinuation<Data?, any Error>?
    var isClosed = false
  }

  private let state = Mutex(State())

  func answered(_ response: URLResponse) {
    let waiter = state.withLock { state in
      state.response = response
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    waiter?.resume(returning: response)
  }

  func received(_ data: Data) {
    let waiter: CheckedContinuation<Data?, any Error>? = state.withLock { state in
      guard let waiter = state.byteWaiter else {
        if !state.isClosed { state.chunks.append(data) }
        return nil
      }
      state.byteWaiter = nil
      return waiter
    }
    waiter?.resume(returning: data)
  }

  /// Drops present and later bytes, since the sequence is gone.
  func close() { state.withLock { ($0.isClosed, $0.chunks) = (true, Fifo()) } }

  func ended(_ error: (any Error)?) {
    let (head, bytes) = state.withLock { state in
      state.end = error.map { .failure($0) } ?? .success(())
      defer { (state.headWaiter, state.byteWaiter) = (nil, nil) }
      return (state.headWaiter, state.byteWaiter)
    }
    head?.resume(throwing: error ?? URLError(.badServerResponse))
    if let error { bytes?.resume(throwing: error) } else { bytes?.resume(returning: nil) }
  }

  /// Waits for the answer's head.
  func response() async throws -> URLResponse {
    try await withCheckedThrowingContinuation { waiter in
      let known: Result<URLResponse, any Error>? = state.withLock { state in
        if let response = state.response { return .success(response) }
        if case .failure(let error)? = state.end { return .failure(error) }
        if state.end != nil { return .failure(URLError(.badServerResponse)) }
        state.headWaiter = waiter
        return nil
      }
      if let known { waiter.resume(with: known) }
    }
  }

  /// Waits for more bytes; nil at the end. Only one caller may wait at a time.
  func next() async throws -> Data? {
    try await withCheckedThrowingContinuation { waiter in
      let known: Result<Data?, any Error>? = state.withLock { state in
        if let data = state.chunks.popFirst() { return .success(data) }
        if let end = state.end { return end.map { nil } }
        state.byteWaiter = waiter
        return nil
      }
      if let known { waiter.resume(with: known) }
    }
  }
}

/// A load of bytes, shared by the sequence and its iterators; cancelled when the last of them is released.
final class ByteLoad: Sendable {
  let task: URLSessionDataTask
  let feed: ByteFeed

  init(_ task: URLSessionDataTask, _ feed: ByteFeed) { (self.task, self.feed) = (task, feed) }

  deinit {
    feed.close()
    task.cancel()
  }
}
