public import Foundation
import NightjarWire

/// A request to run a task later (Apple's `BGTaskRequest`). Create one of its two subclasses.
public class BGTaskRequest: NSObject, NSCopying {
  /// The identifier with which the app has registered the task.
  public let identifier: String
  /// The earliest time at which the task may begin; it may begin much later. Nil for no such limit.
  public var earliestBeginDate: Date?

  fileprivate init(of identifier: String) { self.identifier = identifier }

  public func copy(with zone: NSZone? = nil) -> Any { preconditionFailure("a request is of one of two kinds") }

  /// The request in wire form.
  var wire: AppInterface.BackgroundRequest { preconditionFailure("a request is of one of two kinds") }

  /// The earliest time in milliseconds since 1970; nil for a date that is not a number.
  fileprivate var beginsAt: Int64? {
    guard let seconds = earliestBeginDate?.timeIntervalSince1970, !seconds.isNaN else { return nil }
    return Int64(min(max(seconds, Self.years.lowerBound), Self.years.upperBound) * 1000)
  }

  /// The range of the daemon's calendar, from 1900 to 2199. Dates beyond are clamped.
  private static let years: ClosedRange<TimeInterval> = -2_208_988_800...7_258_118_399
}

/// A request for half a minute in which the app refreshes its content, shortly before it is likely to be used (Apple's
/// `BGAppRefreshTaskRequest`). It requires the background mode `fetch`.
public final class BGAppRefreshTaskRequest: BGTaskRequest {
  /// Creates a request for a task that may begin at once.
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

/// A request for some minutes of maintenance while nobody uses the device (Apple's `BGProcessingTaskRequest`). It
/// requires the background mode `processing`.
public final class BGProcessingTaskRequest: BGTaskRequest {
  /// Whether the task waits for a network; false by default.
  public var requiresNetworkConnectivity = false
  /// Whether the task waits for external power; false by default.
  public var requiresExternalPower = false

  /// Creates a request for a task that may begin at once.
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
