/// A task whose answer comes back in memory (Apple's `NSURLSessionDataTask`). In background sessions only
/// uploads' do, and other data tasks become downloads.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A task that sends a file (Apple's `NSURLSessionUploadTask`). The file must stay as it is until the task has ended.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// A task that receives a file (Apple's `NSURLSessionDownloadTask`).
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
