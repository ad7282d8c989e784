public import Foundation

/// The user info key of the reason why a network could not be used, as on iOS.
public let NSURLErrorNetworkUnavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
  /// Why the system cancelled a background task. Only `userForceQuitApplication` occurs here, when a person cancels the
  /// task.
  public enum BackgroundTaskCancelledReason: Int, Sendable {
    case userForceQuitApplication
    case backgroundUpdatesDisabled
    case insufficientSystemResources
  }

  /// Why an available network could not be used.
  public enum NetworkUnavailableReason: Int, Sendable {
    case cellular
    case expensive
    case constrained
    case ultraConstrained
  }

  /// Why the system cancelled a background task; nil if the app cancelled it, or if no reason is known.
  public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
    (userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int).flatMap(BackgroundTaskCancelledReason.init)
  }

  /// The certificates because of which the connection failed; nil for another error, and if the failed task's delegate
  /// was not asked to judge them in this process.
  public var failureURLPeerTrust: SecTrust? { userInfo[NSURLErrorFailingURLPeerTrustErrorKey] as? SecTrust }

  /// Why an available network could not be used; nil if no reason is known.
  ///
  /// A background task waits for a network that it may use. Its error has the reason only if its resource timeout ends
  /// the task (`timedOut`) while only networks of a kind that it must not use are available. A task in this process
  /// never has a reason, since it does not know the kinds of networks. The reason in an error that an app creates, as
  /// in tests, is read, too.
  public var networkUnavailableReason: NetworkUnavailableReason? {
    (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap(NetworkUnavailableReason.init)
  }
}
