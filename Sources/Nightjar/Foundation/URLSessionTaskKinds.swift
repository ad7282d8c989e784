/// A task whose response body comes in memory (Apple's `NSURLSessionDataTask`). In background sessions only those of
/// uploads do; other data tasks become downloads.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A task that uploads a file, data or a stream (Apple's `NSURLSessionUploadTask`). A file must not change until the
/// task has ended.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// A task that downloads to a file (Apple's `NSURLSessionDownloadTask`).
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
