/// The types of `dev.nightjar.App`, as its interface file declares them.
public enum AppInterface {
  /// The interface's name.
  public static let name = "dev.nightjar.App"

  /// A program that is no bundle. `relaunch` is the command that starts it again when an event waits and it is not
  /// attached, of at most 64 KiB in all; without one, events wait until it attaches again.
  public struct Program: Codable, Hashable, Sendable {
    public var name: String
    public var relaunch: [String]?

    /// Fills in every field; what may be null is null unless given.
    public init(name: String, relaunch: [String]? = nil) {
      self.name = name
      self.relaunch = relaunch
    }
  }
}
