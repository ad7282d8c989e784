public import Varlink

extension AppInterface {
  /// A person did something in the app's view: `action` is the name that the view gives it, `fields` what was filled
  /// in.
  public struct Acted: Codable, Hashable, Sendable {
    public var action: String
    public var fields: [String: String]

    /// Fills in every field; what may be null is null unless given.
    public init(action: String, fields: [String: String]) { (self.action, self.fields) = (action, fields) }
  }

  /// Shows a view, HTML of at most 256 KiB, in place of what the app has shown so far. Clicks on elements with
  /// `data-action` and submitted forms come back as the event `acted`; scripts do not run. What the app shows when it
  /// confirms that it is in the background, and when it calls FinishEvents there, is kept as its snapshot.
  public enum SetView: WireMethod {
    public static let name = "dev.nightjar.App.SetView"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var html: String

      /// Fills in every field; what may be null is null unless given.
      public init(html: String) { self.html = html }
    }

    public typealias Reply = Nothing
  }

  /// Withholds the snapshot at the app's next launch, because it would show what is no longer there.
  public enum IgnoreSnapshot: WireMethod {
    public static let name = "dev.nightjar.App.IgnoreSnapshot"

    public typealias Parameters = Nothing
    public typealias Reply = Nothing
  }
}
