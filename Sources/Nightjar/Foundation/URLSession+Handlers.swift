public import Foundation
public import FoundationNetworking

// Data tasks, and tasks with a completion handler. Background sessions have no completion handlers, which would not
// outlive the process. The methods still compile, for code shared with other sessions, and end the process with Apple's
// message when they are called, as an exception does on iOS.
//
// For a task with a handler, delegates are told only of redirects, challenges, interim responses, bytes sent and
// metrics. The handler is called once, on the delegate queue.

extension URLSession {
  /// Creates a task that loads a URL into memory, suspended.
  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// Creates a task that loads into memory, suspended; the delegate receives the bytes as they arrive.
  ///
  /// In a background session it can only become a download: `didReceive response` is called in whichever life of the
  /// app the response arrives, and answers `.becomeDownload` or `.cancel`. Any other answer, or a delegate without the
  /// method, cancels the task and prints Apple's message to standard error. The request's body may have up to 1 MiB
  /// there, and cannot be a stream.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    switch home {
    case .process(let local): local.dataTask(with: request, in: self, .delegate)
    case .daemon(let link): link.keeping(checked(request, for: "downloads"), .data, in: self, URLSessionDataTask.init)
    }
  }

  /// Creates a task that loads a URL into memory, suspended; the handler receives the whole response.
  public func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// Creates a task that loads into memory, suspended; the handler receives the whole response.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    local(else: .completionHandler).dataTask(with: request, in: self, .data(completionHandler))
  }

  /// Creates a task that downloads a URL to a file, suspended; the file is removed when the handler has returned.
  public func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// Creates a task that downloads to a file, suspended; the file is removed when the handler has returned.
  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    local(else: .completionHandler).downloadTask(
      with: request, in: self, .file(keepsFile: false, completionHandler))
  }

  /// Creates a task that uploads data, suspended; the handler receives the whole response.
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    local(else: .completionHandler).uploadTask(
      with: request, .data(bodyData ?? Data()), in: self, .data(completionHandler))
  }

  /// Creates a task that uploads a file, suspended; the handler receives the whole response.
  public func uploadTask(
    with request: URLRequest, fromFile file: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    local(else: .completionHandler).uploadTask(with: request, .file(file), in: self, .data(completionHandler))
  }
}
