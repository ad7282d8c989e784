public import Varlink

extension AppInterface {
  /// Confirms that the app is in the background, as the event with this number told it. It may be suspended as soon as
  /// it has no other right to run. An earlier number changes nothing.
  public enum Entered: WireMethod {
    public static let name = "dev.nightjar.App.Entered"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var number: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(number: Int64) {
        self.number = number
      }
    }

    public typealias Reply = Nothing
  }

  /// Begins a background task under a number that the caller chooses. While it has any, the app may go on in the
  /// background, for 180 seconds after it left the foreground, or for 10 if it was launched or woken in the background.
  /// The task ends with EndTask, or with the connection of the attachment. Refused if less than five seconds of that
  /// time are left.
  public enum BeginTask: WireMethod {
    public static let name = "dev.nightjar.App.BeginTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var task: Int64
      public var name: String

      /// Fills in every field; what may be null is null unless given.
      public init(task: Int64, name: String) {
        self.task = task
        self.name = name
      }
    }

    public typealias Reply = Nothing
  }

  /// Ends a background task. An unknown number is ignored: that task has ended already.
  public enum EndTask: WireMethod {
    public static let name = "dev.nightjar.App.EndTask"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var task: Int64

      /// Fills in every field; what may be null is null unless given.
      public init(task: Int64) {
        self.task = task
      }
    }

    public typealias Reply = Nothing
  }
}
