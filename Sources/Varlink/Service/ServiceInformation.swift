/// What a service says about itself: the reply to `org.varlink.service.GetInfo`.
public struct ServiceInformation: Codable, Sendable, Hashable {
  /// Who makes it.
  public var vendor: String
  /// What it is called.
  public var product: String
  /// Which version it is.
  public var version: String
  /// Where more is to be read.
  public var url: String
  /// The names of its interfaces; a service fills them in itself.
  public var interfaces: [String]

  /// Describes a service.
  public init(vendor: String, product: String, version: String, url: String, interfaces: [String] = []) {
    (self.vendor, self.product, self.version, self.url) = (vendor, product, version, url)
    self.interfaces = interfaces
  }
}
