public import Foundation
public import FoundationNetworking

// What Apple's class has and a background session refuses. It compiles, so that code shared with other sessions does,
// and ends the process with Apple's words when it is called, as an exception does on iOS.

extension URLSession {
  /// Refused: a background session has no data tasks.
  public func dataTask(with url: URL) -> URLSessionDataTask { Misuse.dataTask.happened() }

  /// Refused: a background session has no data tasks.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask { Misuse.dataTask.happened() }

  /// Refused: a completion handler would not outlive the process.
  public func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { Misuse.completionHandler.happened() }

  /// Refused: a completion handler would not outlive the process.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { Misuse.completionHandler.happened() }

  /// Refused: a completion handler would not outlive the process.
  public func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { Misuse.completionHandler.happened() }

  /// Refused: a completion handler would not outlive the process.
  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { Misuse.completionHandler.happened() }

  /// Refused: write the data to a file and upload that.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    Misuse.uploadFromData.happened()
  }

  /// Refused: a completion handler would not outlive the process.
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask { Misuse.completionHandler.happened() }

  /// Refused: a completion handler would not outlive the process.
  public func uploadTask(
    with request: URLRequest, fromFile file: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask { Misuse.completionHandler.happened() }

  /// Refused: write the stream to a file and upload that.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    Misuse.uploadFromStream.happened()
  }
}
