extension ControlInterface {
  /// Does what is done when memory is short: apps that run are told, and named in the answer. With `urgent`, the app is ended
  /// besides that would have to go first: the largest of those that are suspended or, if none is, of those that run in the
  /// background.
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
