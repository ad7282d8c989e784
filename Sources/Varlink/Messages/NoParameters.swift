/// The parameters or the reply of a method that has none: `()`.
public struct NoParameters: Codable, Sendable, Hashable {
  /// Makes nothing.
  public init() {}
}
