public import Varlink

extension AppInterface {
  /// The app is in the background, as it was told under this number, and may be suspended as soon as it has no other
  /// right to run. An earlier number changes nothing.
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

  /// Begins a background task under a number of the caller's: while it has any, the app may run on in the background, for
  /// 180 seconds after it has left the foreground and for 10 if it was launched or woken there. Ends with EndTask, or with
  /// the connection of the attachment. Refused when less than five seconds of that time are left.
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

  /// Ends a background task; one that is not known has ended already.
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
