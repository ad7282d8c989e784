public import Foundation
public import FoundationNetworking

// Tasks with a completion handler in place of a delegate, and data tasks. Background sessions have no handlers: those would
// not outlive the process. They compile, so that code shared with other sessions does, and end the process with
// Apple's words when they are called, as an exception does on iOS.
//
// With a handler the delegates hear of redirects, challenges, informational answers, bytes sent and metrics only. The handler is called once, on
// the delegate queue.

extension URLSession {
  /// A task that loads a URL into memory, suspended.
  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// A task that loads into memory, suspended; the delegate is told of the bytes as they come.
  ///
  /// In a background session it lives only to become a download: its delegate is asked `didReceive response`, in whichever life
  /// of the app the answer comes, and says `.becomeDownload` or `.cancel`. Whatever else it says, or leaves out, cancels the
  /// task, with Apple's words on the standard error. A body of the request may have up to 1 MiB there.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    switch home {
    case .process(let local): local.dataTask(with: request, in: self, .delegate)
    case .daemon(let link): link.keeping(checked(request, for: "downloads"), .data, in: self, URLSessionDataTask.init)
    }
  }

  /// A task that loads a URL into memory, suspended; the handler is given the whole answer.
  public func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// A task that loads into memory, suspended; the handler is given the whole answer.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    local(else: .completionHandler).dataTask(with: request, in: self, .data(completionHandler))
  }

  /// A task that loads a URL into a file, suspended; the file is removed when the handler has returned.
  public func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// A task that loads into a file, suspended; the file is removed when the handler has returned.
  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    local(else: .completionHandler).downloadTask(
      with: request, in: self, .file(keepsFile: false, completionHandler))
  }

  /// A task that sends data, suspended; the handler is given the whole answer.
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    local(else: .completionHandler).uploadTask(
      with: request, .data(bodyData ?? Data()), in: self, .data(completionHandler))
  }

  /// A task that sends a file, suspended; the handler is given the whole answer.
  public func uploadTask(
    with request: URLRequest, fromFile file: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    let local = local(else: .completionHandler)
    guard file.isFileURL, access(file.path, R_OK) == 0 else { Misuse.unreadable(file.absoluteString) }
    return local.uploadTask(with: request, .file(file), in: self, .data(completionHandler))
  }
}
