/// How everything stands, in numbers.
public struct StatusView: Hashable, Sendable {
  /// Apps and programs known.
  public var apps: Int
  /// Transfers that are remembered.
  public var transfers: Int
  /// Transfers under way.
  public var running: Int
  /// Events that apps have not acknowledged.
  public var waiting: Int
  /// What the device is like.
  public var device: DeviceView
}
