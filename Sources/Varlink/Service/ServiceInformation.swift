/// A service's description of itself: the reply to `org.varlink.service.GetInfo`.
public struct ServiceInformation: Codable, Sendable, Hashable {
  /// The vendor.
  public var vendor: String
  /// The name of the product.
  public var product: String
  /// The version.
  public var version: String
  /// The URL of further information.
  public var url: String
  /// The names of its interfaces; a service fills them in itself.
  public var interfaces: [String]

  /// Describes a service.
  public init(vendor: String, product: String, version: String, url: String, interfaces: [String] = []) {
    (self.vendor, self.product, self.version, self.url) = (vendor, product, version, url)
    self.interfaces = interfaces
  }
}
