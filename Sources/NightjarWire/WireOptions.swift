/// What only some transfers ask for, of either interface. Whatever is left out is ordinary.
public struct WireOptions: Codable, Hashable, Sendable {
  /// Whether the transfer waits for a network that costs nothing and for external power.
  public var discretionary: Bool?
  /// Whether it may use a cellular network. Default true, as with the two that follow.
  public var allowsCellular: Bool?
  /// Whether it may use a network that costs money.
  public var allowsExpensive: Bool?
  /// Whether it may use a network on which the person saves data.
  public var allowsConstrained: Bool?
  /// Not to be begun before, in nanoseconds since 1970.
  public var earliestBegin: Int64?
  /// A guess of the bytes that will be sent.
  public var expectedToSend: Int64?
  /// A guess of the bytes that will be received.
  public var expectedToReceive: Int64?
  /// How many of the session's transfers may run with one host.
  public var connectionsPerHostMax: Int64?
  /// How many bytes may move in a second.
  public var bytesPerSecondMax: Int64?
  /// What the finished file must hash to, such as `sha256:9f86d0…`; also `sha512`, `sha1` and `md5`.
  public var checksum: String?

  /// Nothing out of the ordinary.
  public init() {}
}
