/// The parameters or the reply of a method that has none: `()`.
public struct NoParameters: Codable, Sendable, Hashable {
  /// Creates an empty value.
  public init() {}
}
