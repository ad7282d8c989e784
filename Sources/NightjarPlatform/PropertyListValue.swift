import FoundationEssentials

/// Any value of a property list, so that unknown entries are written back as they were read. A real that is whole is
/// written as an integer: Foundation's decoder does not tell the two apart, nor do readers that want numbers.
enum PropertyListValue: Hashable {
  case boolean(Bool)
  case text(String)
  case date(Date)
  case data(Data)
  case integer(Int64)
  case large(UInt64)
  case real(Double)
  case list([PropertyListValue])
  case table([String: PropertyListValue])
}

extension PropertyListValue: Codable {
  init(from decoder: any Decoder) throws {
    if let entries = try? decoder.container(keyedBy: AnyKey.self) {
      self = .table(try Self.table(entries))
      return
    }
    if var elements = try? decoder.unkeyedContainer() {
      self = .list(try Self.list(&elements))
      return
    }
    self = try Self.plain(try decoder.singleValueContainer())
  }

  private static func table(_ entries: KeyedDecodingContainer<AnyKey>) throws -> [String: PropertyListValue] {
    var table: [String: PropertyListValue] = [:]
    for key in entries.allKeys { table[key.stringValue] = try entries.decode(PropertyListValue.self, forKey: key) }
    return table
  }

  private static func list(_ elements: inout any UnkeyedDecodingContainer) throws -> [PropertyListValue] {
    var list: [PropertyListValue] = []
    while !elements.isAtEnd { list.append(try elements.decode(PropertyListValue.self)) }
    return list
  }

  private static func plain(_ value: any SingleValueDecodingContainer) throws -> PropertyListValue {
    if let found = try? value.decode(Bool.self) { return .boolean(found) }
    if let found = try? value.decode(String.self) { return .text(found) }
    if let found = try? value.decode(Date.self) { return .date(found) }
    if let found = try? value.decode(Data.self) { return .data(found) }
    if let found = try? value.decode(Int64.self) { return .integer(found) }
    if let found = try? value.decode(UInt64.self) { return .large(found) }
    return .real(try value.decode(Double.self))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .table(let table):
      var entries = encoder.container(keyedBy: AnyKey.self)
      for (key, value) in table { try entries.encode(value, forKey: AnyKey(stringValue: key)) }
    case .list(let list):
      var elements = encoder.unkeyedContainer()
      for element in list { try elements.encode(element) }
    case .boolean(let value): try Self.encode(value, to: encoder)
    case .text(let value): try Self.encode(value, to: encoder)
    case .date(let value): try Self.encode(value, to: encoder)
    case .data(let value): try Self.encode(value, to: encoder)
    case .integer(let value): try Self.encode(value, to: encoder)
    case .large(let value): try Self.encode(value, to: encoder)
    case .real(let value): try Self.encode(value, to: encoder)
    }
  }

  private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  /// Any key of a dictionary.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
