extension ControlInterface {
  /// Acts as if memory were short: running apps are warned, and named in the answer. With `urgent`, the first candidate
  /// is ended as well: the largest suspended app or, if none is suspended, the largest that runs in the background.
  public enum SimulateMemoryWarning: WireMethod {
    public static let name = "dev.nightjar.Control.SimulateMemoryWarning"

    /// What the caller sends.
    public struct Parameters: Codable, Hashable, Sendable {
      public var urgent: Bool?

      /// Fills in every field; what may be null is null unless given.
      public init(urgent: Bool? = nil) { self.urgent = urgent }
    }

    /// What the daemon answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var apps: [String]

      /// Fills in every field.
      public init(apps: [String]) { self.apps = apps }
    }
  }
}
