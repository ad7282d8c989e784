/// A Varlink string set, `[string]()`, which travels as an object of empty objects: `{"a": {}, "b": {}}`.
public struct StringSet: Codable, Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The strings; unordered.
  public var members: Set<String>

  /// Makes a set.
  public init(_ members: some Sequence<String> = []) {
    self.members = Set(members)
  }

  /// Makes a set from a list in the source.
  public init(arrayLiteral elements: String...) {
    self.init(elements)
  }

  /// Reads the keys of an object; the values are not looked at.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.container(keyedBy: JSONKey.self).allKeys.map(\.stringValue))
  }

  /// Writes an object of empty objects.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for member in members.sorted() {
      try container.encode(NoParameters(), forKey: JSONKey(member))
    }
  }
}
