public import Foundation

/// What the API client tells the rest of the app: one notification of ``Foundation/Notification/Name/apiClientNews``
/// each, posted on the thread it happened on, after it has been remembered.
public enum News: Equatable, Sendable {
  /// A transfer has been handed over; it goes on without the app.
  case began(Job, task: Int)
  /// A download is in Documents, and is what the server lists.
  case arrived(Job, file: String, size: Int, sha256: String)
  /// The server has taken an upload.
  case uploaded(Job, status: Int)
  /// A transfer came to nothing.
  case failed(Job, problem: String)
  /// A download is paused. `isKept` says whether it can go on where it was.
  case paused(Job, isKept: Bool)
  /// A download goes on with what an earlier one has left.
  case wentOn(Job, offset: Int64, expected: Int64?)
  /// Bytes have moved. `expected` is nil while the server has not said how many there will be.
  case progressed(Job, bytes: Int64, expected: Int64?)
  /// The last call about a task has come.
  case completed(Job?, task: Int, error: String?)
  /// Everything that waited for the app has been told: the completion handler is due.
  case finishedEvents(session: String)
  /// The app's own files could not be written.
  case broke(problem: String)

  /// The news that a notification carries.
  public init?(_ notification: Notification) {
    guard let news = notification.userInfo?["news"] as? News else { return nil }
    self = news
  }

  /// Tells whoever listens.
  func post() { NotificationCenter.default.post(name: .apiClientNews, object: nil, userInfo: ["news": self]) }
}

extension Notification.Name {
  /// The API client has something to tell; see ``News``.
  public static let apiClientNews = Notification.Name("VideoFarmAPIClientNews")
}
