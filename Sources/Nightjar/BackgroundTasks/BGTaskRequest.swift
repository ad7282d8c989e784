public import Foundation
import NightjarWire

/// What an app wants to do later (Apple's `BGTaskRequest`): one of its two kinds.
public class BGTaskRequest: NSObject, NSCopying {
  /// The name under which the app has registered what is to be done.
  public let identifier: String
  /// The task does not begin before this time; that it begins then is no promise. Nil: as soon as it suits.
  public var earliestBeginDate: Date?

  fileprivate init(of identifier: String) { self.identifier = identifier }

  public func copy(with zone: NSZone? = nil) -> Any { preconditionFailure("a request is of one of two kinds") }

  /// The request as the daemon is asked for it.
  var wire: AppInterface.BackgroundRequest { preconditionFailure("a request is of one of two kinds") }

  /// In milliseconds; what is no number sets no bound.
  fileprivate var beginsAt: Int64? {
    guard let seconds = earliestBeginDate?.timeIntervalSince1970, !seconds.isNaN else { return nil }
    return Int64(min(max(seconds, Self.years.lowerBound), Self.years.upperBound) * 1000)
  }

  /// From 1900 to 2199: the daemon's calendar. No task waits for what lies beyond.
  private static let years: ClosedRange<TimeInterval> = -2_208_988_800...7_258_118_399
}

/// A request for half a minute in which the app brings its content up to date, shortly before it is likely to be used. It
/// takes the background mode `fetch`.
public final class BGAppRefreshTaskRequest: BGTaskRequest {
  /// A request that may begin at once.
  public init(identifier: String) { super.init(of: identifier) }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = BGAppRefreshTaskRequest(identifier: identifier)
    copy.earliestBeginDate = earliestBeginDate
    return copy
  }

  override var wire: AppInterface.BackgroundRequest {
    .init(identifier: identifier, kind: .refresh, earliestBegin: beginsAt)
  }
}

/// A request for some minutes of upkeep while nobody uses the device. It takes the background mode `processing`.
public final class BGProcessingTaskRequest: BGTaskRequest {
  /// Whether the task waits for a network. Default false: there may be none.
  public var requiresNetworkConnectivity = false
  /// Whether the task waits for external power. Default false.
  public var requiresExternalPower = false

  /// A request that may begin at once.
  public init(identifier: String) { super.init(of: identifier) }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = BGProcessingTaskRequest(identifier: identifier)
    copy.earliestBeginDate = earliestBeginDate
    copy.requiresNetworkConnectivity = requiresNetworkConnectivity
    copy.requiresExternalPower = requiresExternalPower
    return copy
  }

  override var wire: AppInterface.BackgroundRequest {
    .init(
      identifier: identifier, kind: .processing, earliestBegin: beginsAt, network: requiresNetworkConnectivity,
      power: requiresExternalPower)
  }
}

extension AppInterface.BackgroundRequest {
  /// The request as the app made it.
  var request: BGTaskRequest {
    let request: BGTaskRequest
    switch kind {
    case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier)
    case .processing:
      let processing = BGProcessingTaskRequest(identifier: identifier)
      processing.requiresNetworkConnectivity = network ?? false
      processing.requiresExternalPower = power ?? false
      request = processing
    }
    request.earliestBeginDate = earliestBegin.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    return request
  }
}
