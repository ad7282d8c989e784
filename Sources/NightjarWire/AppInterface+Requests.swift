public import Varlink

extension AppInterface {
  /// What an app wants to do later. It survives reboots.
  public struct BackgroundRequest: Codable, Hashable, Sendable {
    /// What it is for.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
      /// To bring content up to date: half a minute, shortly before the app is likely to be used.
      case refresh
      /// Minutes of upkeep while nobody uses the device.
      case processing
    }

    public var identifier: String
    public var kind: Kind
    /// In milliseconds since 1970.
    public var earliestBegin: Int64?
    /// Whether it waits for a network; default false.
    public var network: Bool?
    /// Whether it waits for external power; default false.
    public var power: Bool?

    /// Fills in every field; what may be null is null unless given.
    public init(
      identifier: String, kind: Kind, earliestBegin: Int64? = nil, network: Bool? = nil, power: Bool? = nil
    ) {
      (self.identifier, self.kind, self.earliestBegin) = (identifier, kind, earliestBegin)
      (self.network, self.power) = (network, power)
    }
  }

  /// The time of a request has come; it is no longer pending. The app does its work and calls FinishTask with this
  /// number. It may run for `remainingMs`; then it is suspended.
  public struct PerformTask: Codable, Hashable, Sendable {
    public var number: Int64
    public var identifier: String
    public var kind: BackgroundRequest.Kind
    public var remainingMs: Int64

    /// Fills in every field.
    public init(number: Int64, identifier: String, kind: BackgroundRequest.Kind, remainingMs: Int64) {
      (self.number, self.identifier, self.kind, self.remainingMs) = (number, identifier, kind, remainingMs)
    }
  }

  /// The time of the task with this number is up in five seconds: finish it.
  public struct ExpireTask: Codable, Hashable, Sendable {
    public var number: Int64

    /// Fills in every field.
    public init(number: Int64) { self.number = number }
  }

  /// Asks for work to be done later, in place of an earlier request of the same identifier. LimitReached if more than
  /// one refresh request or ten processing requests would be pending; NotDeclared if the app does not declare the
  /// background mode `fetch` or `processing`.
  public enum SubmitRequest: WireMethod {
    public static let name = "dev.nightjar.App.SubmitRequest"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var request: BackgroundRequest

      /// Fills in every field.
      public init(request: BackgroundRequest) { self.request = request }
    }

    public typealias Reply = Nothing
  }

  /// Withdraws a request, or all of them. A task that has begun goes on, but is not run again if the daemon ends before
  /// it does.
  public enum CancelRequests: WireMethod {
    public static let name = "dev.nightjar.App.CancelRequests"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var identifier: String?

      /// Fills in every field; what may be null is null unless given.
      public init(identifier: String? = nil) { self.identifier = identifier }
    }

    public typealias Reply = Nothing
  }

  /// The requests that are pending, in the order of their identifiers.
  public enum ListRequests: WireMethod {
    public static let name = "dev.nightjar.App.ListRequests"

    public typealias Parameters = Nothing
    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var requests: [BackgroundRequest]

      /// Fills in every field.
      public init(requests: [BackgroundRequest]) { self.requests = requests }
    }
  }

  /// Says that the work of a task is done, or given up. The app may be suspended at once, and what it shows by then is
  /// kept as its snapshot. A second call changes nothing. A task is run again if the daemon ended before it did, unless
  /// the app calls this first.
  public enum FinishTask: WireMethod {
    public static let name = "dev.nightjar.App.FinishTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64
      public var success: Bool

      /// Fills in every field.
      public init(number: Int64, success: Bool) { (self.number, self.success) = (number, success) }
    }

    public typealias Reply = Nothing
  }
}
