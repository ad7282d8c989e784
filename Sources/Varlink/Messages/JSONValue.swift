/// Any JSON value: for fields of the type `object`, and for calls whose types are not known beforehand.
public enum JSONValue: Codable, Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits 64 bits.
  case int(Int)
  /// Any other number.
  case float(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Named values, unordered.
  case object([String: JSONValue])

  /// Reads whatever is there.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: JSONKey.self) {
      self = .object(try Self.fields(container))
    } else if var container = try? decoder.unkeyedContainer() {
      self = .array(try Self.elements(&container))
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let fields): try container.encode(fields)
    }
  }

  private static func fields(_ container: KeyedDecodingContainer<JSONKey>) throws -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    for key in container.allKeys { fields[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
    return fields
  }

  private static func elements(_ container: inout any UnkeyedDecodingContainer) throws -> [JSONValue] {
    var elements: [JSONValue] = []
    while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
    return elements
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int.self) { return .int(value) }
    if let value = try? container.decode(Double.self) { return .float(value) }
    return .string(try container.decode(String.self))
  }
}
