public import Varlink

extension AppInterface {
  /// The app looks for new content, and reports the outcome by calling FinishFetch with this number. It may run for
  /// `remainingMs`; then it is suspended, and an outcome that comes later is accepted but counts as late.
  public struct PerformFetch: Codable, Hashable, Sendable {
    public var number: Int64
    public var remainingMs: Int64

    /// Fills in every field.
    public init(number: Int64, remainingMs: Int64) { (self.number, self.remainingMs) = (number, remainingMs) }
  }

  /// Sets the least time between two fetches, in seconds; null, with which an app begins, asks for none. A time below
  /// the daemon's own minimum counts as that minimum. It survives reboots, until it is set again. NotDeclared if the
  /// app does not declare the background mode `fetch`.
  public enum SetFetchInterval: WireMethod {
    public static let name = "dev.nightjar.App.SetFetchInterval"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var seconds: Double?

      /// Fills in every field; what may be null is null unless given.
      public init(seconds: Double? = nil) { self.seconds = seconds }
    }

    public typealias Reply = Nothing
  }

  /// Reports the outcome of a fetch. The app may be suspended at once, and what it shows by then is kept as its
  /// snapshot. If the app's latest fetch was over before (its time was up, or the daemon was restarted), the report
  /// still counts for the content's age, but the fetch stays late or failed. A second report changes nothing, nor does
  /// one about any other fetch.
  public enum FinishFetch: WireMethod {
    public static let name = "dev.nightjar.App.FinishFetch"

    /// The outcome.
    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
      case newData, noData, failed
    }

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64
      public var outcome: Outcome

      /// Fills in every field.
      public init(number: Int64, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }
    }

    public typealias Reply = Nothing
  }
}
