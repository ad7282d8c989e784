public import Foundation

extension AppHistory {
  /// A task of a background session.
  public struct Transfer: Hashable, Sendable {
    /// The direction of a transfer.
    public enum Kind: Hashable, Sendable {
      case download, upload
    }

    /// Whether it is a download or an upload.
    public let kind: Kind
    /// The identifier of its session.
    public let session: String
    /// Its `taskIdentifier`.
    public let taskIdentifier: Int
    /// The URL of its request.
    public let url: URL?
    /// When the app queued it, by its first `resume()`.
    public let queued: Moment
    /// When its first request was sent; nil if none was.
    public internal(set) var begun: Moment?
    /// The number of attempts: one more for each interruption and each failure.
    public internal(set) var attempts = 0
    /// When it ended; nil if the scenario ended before.
    public internal(set) var ended: Moment?
    /// When its delegate had been told of the end: later than ``ended`` if the app could not be woken at once. Nil for
    /// a transfer that ended with its session (`invalidateAndCancel()`).
    public internal(set) var told: Moment?
    /// The size in bytes of the file that was received or sent; for a failed transfer, the bytes that had moved. 0
    /// until the delegate is told.
    public internal(set) var bytes: Int64 = 0
    /// The status of the response; nil for a transfer that failed or has not ended.
    public internal(set) var statusCode: Int?
    /// The code of the `URLError` that the transfer failed with; nil if it did not fail.
    public internal(set) var error: URLError.Code?

    init(kind: Kind, session: String, taskIdentifier: Int, url: URL?, queued: Moment) {
      (self.kind, self.session, self.taskIdentifier) = (kind, session, taskIdentifier)
      (self.url, self.queued) = (url, queued)
    }
  }
}
