public import Foundation

extension AppHistory {
  /// A task of a background session.
  public struct Transfer: Hashable, Sendable {
    /// Which way its bytes go.
    public enum Kind: Hashable, Sendable {
      case download, upload
    }

    /// Which way its bytes go.
    public let kind: Kind
    /// The identifier of its session.
    public let session: String
    /// Its `taskIdentifier`.
    public let taskIdentifier: Int
    /// What was asked for.
    public let url: URL?
    /// When the app queued it, by its first `resume()`.
    public let queued: Moment
    /// When its first request left; nil if none did.
    public internal(set) var begun: Moment?
    /// How many attempts it took: one more for each interruption and each that failed.
    public internal(set) var attempts = 0
    /// When it was over; nil if the scenario ended before.
    public internal(set) var ended: Moment?
    /// When its delegate had been told how it ended: later than that if the app could not be woken for it at once. Nil for
    /// one that went with its session (`invalidateAndCancel()`).
    public internal(set) var told: Moment?
    /// The bytes of the file that came, or was sent; of a transfer that failed, those that had moved. 0 until the delegate is
    /// told.
    public internal(set) var bytes: Int64 = 0
    /// What the server answered; nil for a transfer that failed or is not over.
    public internal(set) var statusCode: Int?
    /// The code of the `URLError` with which it failed; nil for one that did not.
    public internal(set) var error: URLError.Code?

    init(kind: Kind, session: String, taskIdentifier: Int, url: URL?, queued: Moment) {
      (self.kind, self.session, self.taskIdentifier) = (kind, session, taskIdentifier)
      (self.url, self.queued) = (url, queued)
    }
  }
}
