public import Varlink

extension AppInterface {
  /// The app is to look for new content, and says by FinishFetch under this number what came of it. It may run for so many
  /// milliseconds; then it is suspended, and what it says later is taken, and counts as late.
  public struct PerformFetch: Codable, Hashable, Sendable {
    public var number: Int64
    public var remainingMs: Int64

    /// Fills in every field.
    public init(number: Int64, remainingMs: Int64) { (self.number, self.remainingMs) = (number, remainingMs) }
  }

  /// How long at least the app wants to go without a fetch, in seconds; null for never, which is how an app begins. What is
  /// shorter than the daemon's own least interval counts as that. It is kept until it is set anew, over reboots.
  /// NotDeclared if the app does not declare the background mode `fetch`.
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

  /// What came of a fetch. The app may be suspended at once, and what it shows by then is kept as its snapshot. What is
  /// said of the app's latest fetch after it was over (its time was up, or the daemon was started anew) is believed of the
  /// content, while the fetch stays late or failed. A second answer changes nothing, and neither does one to any other
  /// fetch.
  public enum FinishFetch: WireMethod {
    public static let name = "dev.nightjar.App.FinishFetch"

    /// What came of it.
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
