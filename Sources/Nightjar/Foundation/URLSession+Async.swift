public import Foundation
public import FoundationNetworking
import Synchronization

// The forms that wait for the end. Cancelling the surrounding task cancels the transfer, which then throws
// `URLError.cancelled`. Background sessions refuse them, like completion handlers.

extension URLSession {
  /// Loads a request into memory.
  ///
  /// - Parameter delegate: Who hears of the task's making, of redirects, challenges and metrics before the session's
  ///   delegate does.
  /// - Throws: `URLError`. An answer of 404 is no error: look at the response.
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    let local = local(else: .completionHandler)
    return try await waiting { local.dataTask(with: request, in: self, .data($0), delegate: delegate) }
  }

  /// Loads a URL into memory.
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) { try await data(for: URLRequest(url: url), delegate: delegate) }

  /// Sends data, and loads the answer into memory.
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    let local = local(else: .completionHandler)
    return try await waiting {
      local.uploadTask(with: request, .data(bodyData), in: self, .data($0), delegate: delegate)
    }
  }

  /// Sends a file, and loads the answer into memory. A file that is not there is `URLError.fileDoesNotExist`.
  public func upload(
    for request: URLRequest, fromFile file: URL, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    let local = local(else: .completionHandler)
    return try await waiting {
      local.uploadTask(with: request, .file(file), in: self, .data($0), delegate: delegate)
    }
  }

  /// Loads a request into a file of the temporary folder, which is the caller's: move or remove it.
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (URL, URLResponse) {
    let local = local(else: .completionHandler)
    return try await waiting {
      local.downloadTask(with: request, in: self, .file(keepsFile: true, $0), delegate: delegate)
    }
  }

  /// Loads a URL into a file of the temporary folder, which is the caller's: move or remove it.
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (URL, URLResponse) { try await download(for: URLRequest(url: url), delegate: delegate) }

  /// Goes on with a download that has left resume data; its file is the caller's.
  public func download(
    resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (URL, URLResponse) {
    let local = local(else: .completionHandler)
    let read = heeding(ResumeData.read(resumeData, ofUpload: false, under: seal))
    return try await waiting {
      local.downloadTask(resuming: read, in: self, .file(keepsFile: true, $0), delegate: delegate)
    }
  }

  /// Sends the file of an upload of a background session that has left resume data, from its first byte, and loads the
  /// answer into memory.
  public func upload(
    resumeFrom resumeData: Data, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (Data, URLResponse) {
    let local = local(else: .completionHandler)
    let read = heeding(ResumeData.read(resumeData, ofUpload: true, under: seal))
    return try await waiting { local.uploadTask(resuming: read, in: self, .data($0), delegate: delegate) }
  }

  /// Waits for the head of an answer, and hands back its bytes as they come.
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (AsyncBytes, URLResponse) {
    let feed = ByteFeed()
    let task = local(else: .dataTask).dataTask(with: request, in: self, .feed(feed), delegate: delegate)
    let load = ByteLoad(task, feed)
    task.resume()
    let response = try await withTaskCancellationHandler {
      try await feed.response()
    } onCancel: {
      task.cancel()
    }
    return (AsyncBytes(load: load), response)
  }

  /// Waits for the head of an answer, and hands back its bytes as they come.
  public func bytes(
    from url: URL, delegate: (any URLSessionTaskDelegate)?
  ) async throws -> (AsyncBytes, URLResponse) { try await bytes(for: URLRequest(url: url), delegate: delegate) }

  /// Makes a task, starts it and waits for its end.
  private func waiting<Content: Sendable>(
    _ make: (_ then: @escaping @Sendable (Content?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async throws -> (Content, URLResponse) {
    let end = EndOfTask<Content>()
    let task = make { end.came($0, $1, $2) }
    return try await withTaskCancellationHandler {
      task.resume()
      return try await end.value()
    } onCancel: {
      task.cancel()
    }
  }
}

/// The end of a task that somebody waits for; it may come before the waiting begins.
private final class EndOfTask<Content: Sendable>: Sendable {
  private struct State {
    var end: Result<(Content, URLResponse), any Error>?
    var waiter: CheckedContinuation<(Content, URLResponse), any Error>?
  }

  private let state = Mutex(State())

  func came(_ content: Content?, _ response: URLResponse?, _ error: (any Error)?) {
    let end: Result<(Content, URLResponse), any Error> =
      if let content, let response, error == nil {
        .success((content, response))
      } else {
        .failure(error ?? URLError(.badServerResponse))
      }
    let waiter = state.withLock { state in
      state.end = end
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: end)
  }

  func value() async throws -> (Content, URLResponse) {
    try await withCheckedThrowingContinuation { waiter in
      let known = state.withLock { state in
        if state.end == nil { state.waiter = waiter }
        return state.end
      }
      if let known { waiter.resume(with: known) }
    }
  }
}
