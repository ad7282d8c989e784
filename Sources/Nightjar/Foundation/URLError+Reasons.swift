public import Foundation

/// The key of an error's user info under which the reason for an unusable network stands, as on iOS.
public let NSURLErrorNetworkUnavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"

extension URLError {
  /// Why the system cancelled a background task. Only the first is ever given here, where a person has cancelled it.
  public enum BackgroundTaskCancelledReason: Int, Sendable {
    case userForceQuitApplication
    case backgroundUpdatesDisabled
    case insufficientSystemResources
  }

  /// Why a network that is there could not be used.
  public enum NetworkUnavailableReason: Int, Sendable {
    case cellular
    case expensive
    case constrained
    case ultraConstrained
  }

  /// Why the system cancelled a background task; nil if it was the app, or nobody said.
  public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
    (userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int).flatMap(BackgroundTaskCancelledReason.init)
  }

  /// Why a network that is there could not be used; nil if nobody said.
  ///
  /// A background task waits for a network that it may use. Only where its resource timeout ends that, and there was a
  /// network of a kind that it may not use, its error (`timedOut`) has the reason. A task in this process never has one: it
  /// does not know the kinds of networks. An error that an app makes itself, as its tests do, is read.
  public var networkUnavailableReason: NetworkUnavailableReason? {
    (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap(NetworkUnavailableReason.init)
  }
}
