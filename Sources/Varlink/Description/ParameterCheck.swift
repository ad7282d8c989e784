/// The types of an interface, prepared to check parameters before they are decoded.
///
/// No values are built from the JSON, so that the check costs about a microsecond for a dozen fields. It says which
/// field is wrong, where a decoder would say only that one is.
struct ParameterCheck: Sendable {
  private struct Field: Sendable {
    let name: [UInt8]
    let node: Int
    let isRequired: Bool
  }

  /// A type. It refers to others by their place in ``nodes``, because types may be recursive.
  private enum Node: Sendable {
    case bool, int, float, string, any
    case structure([Field])
    case enumeration([[UInt8]])
    case array(Int)
    case map(Int)
    case nullable(Int)
  }

  private var nodes: [Node] = []
  private var places: [String: Int] = [:]
  private let aliases: [String: InterfaceType]

  init(_ description: InterfaceDescription) {
    aliases = Dictionary(uniqueKeysWithValues: description.types.map { ($0.name, $0.type) })
  }

  /// Prepares a struct; returns its place for ``wrongField(_:at:)``.
  mutating func prepare(_ fields: [InterfaceType.Field]) -> Int {
    place(of: .structure(fields))
  }

  /// The path of the first field that is unknown, missing or of another type; nil if there is none.
  ///
  /// The message must be valid JSON, which reading the header has checked.
  func wrongField(_ parameters: UnsafeBufferPointer<UInt8>, at place: Int) -> String? {
    var scanner = JSONScanner(parameters)
    do throws(JSONScanner.Fault) {
      return try wrongField(&scanner, nodes[place])
    } catch {
      return error.expected
    }
  }

  /// The first required field, for a call without parameters; nil if there is none.
  func missingField(at place: Int) -> String? {
    guard case .structure(let fields) = nodes[place] else { return nil }
    return fields.first(where: \.isRequired).map { String(decoding: $0.name, as: UTF8.self) }
  }

  private mutating func place(of type: InterfaceType) -> Int {
    if case .named(let name) = type { return place(ofAlias: name) }
    nodes.append(.any)
    let place = nodes.count - 1
    nodes[place] = node(type)
    return place
  }

  private mutating func place(ofAlias name: String) -> Int {
    if let known = places[name] { return known }
    nodes.append(.any)
    let place = nodes.count - 1
    places[name] = place
    if let type = aliases[name] { nodes[place] = node(type) }
    return place
  }

  private mutating func node(_ type: InterfaceType) -> Node {
    switch type {
    case .bool: return .bool
    case .int: return .int
    case .float: return .float
    case .string: return .string
    case .object, .named: return .any
    case .array(let element): return .array(place(of: element))
    case .map(let element): return .map(place(of: element))
    case .nullable(let type): return .nullable(place(of: type))
    case .enumeration(let values): return .enumeration(values.map { Array($0.name.utf8) })
    case .structure(let fields): return .structure(fields.map { field($0) })
    }
  }

  private mutating func field(_ field: InterfaceType.Field) -> Field {
    let node = place(of: field.type)
    if case .nullable = field.type { return Field(name: Array(field.name.utf8), node: node, isRequired: false) }
    return Field(name: Array(field.name.utf8), node: node, isRequired: true)
  }

  /// The path of the wrong field; nil when the value fits, empty when the value itself is wrong.
  private func wrongField(_ scanner: inout JSONScanner, _ node: Node) throws(JSONScanner.Fault) -> String? {
    switch (node, try scanner.kind()) {
    case (.nullable, .null), (.any, _), (.bool, .boolean), (.float, .number), (.string, .string):
      try scanner.value()
      return scanner.isText ? nil : ""
    case (.nullable(let inner), _): return try wrongField(&scanner, nodes[inner])
    case (.int, .number): return try scanner.integer() ? nil : ""
    case (.enumeration(let values), .string):
      let value = try scanner.string()
      return values.contains { scanner.matches(value, $0) } ? nil : ""
    case (.structure(let fields), .object): return try wrongField(&scanner, fields)
    case (.array(let element), .array): return try wrongElement(&scanner, nodes[element])
    case (.map(let element), .object): return try wrongValue(&scanner, nodes[element])
    case (.bool, _), (.int, _), (.float, _), (.string, _), (.enumeration, _), (.structure, _), (.array, _), (.map, _):
      try scanner.value()
      return ""
    }
  }

  private func wrongField(_ scanner: inout JSONScanner, _ fields: [Field]) throws(JSONScanner.Fault) -> String? {
    var seen = FieldSet(count: fields.count)
    var wrong: String?
    try scanner.object { (key, scanner) throws(JSONScanner.Fault) in
      guard let index = fields.firstIndex(where: { scanner.matches(key, $0.name) }) else {
        wrong = wrong ?? scanner.words(key)
        try scanner.value()
        return
      }
      seen.insert(index)
      guard let path = try wrongField(&scanner, nodes[fields[index].node]) else { return }
      wrong = wrong ?? Self.joined(String(decoding: fields[index].name, as: UTF8.self), path)
    }
    if let wrong { return wrong }
    let missing = fields.indices.first { fields[$0].isRequired && !seen.contains($0) }
    return missing.map { String(decoding: fields[$0].name, as: UTF8.self) }
  }

  private func wrongElement(_ scanner: inout JSONScanner, _ node: Node) throws(JSONScanner.Fault) -> String? {
    var wrong: String?
    try scanner.array { (index, scanner) throws(JSONScanner.Fault) in
      guard let path = try wrongField(&scanner, node) else { return }
      wrong = wrong ?? Self.joined("[\(index)]", path)
    }
    return wrong
  }

  private func wrongValue(_ scanner: inout JSONScanner, _ node: Node) throws(JSONScanner.Fault) -> String? {
    var wrong: String?
    try scanner.object { (key, scanner) throws(JSONScanner.Fault) in
      let isText = scanner.isText
      let path = try wrongField(&scanner, node)
      guard let path = isText ? path : "" else { return }
      wrong = wrong ?? Self.joined("[\(scanner.words(key))]", path)
    }
    return wrong
  }

  private static func joined(_ outer: String, _ inner: String) -> String {
    inner.isEmpty || inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
  }
}

/// The fields that were seen: one word for the first 64, more only for huge structs.
private struct FieldSet {
  private var word: UInt64 = 0
  private var rest: [Bool]

  init(count: Int) { rest = count > 64 ? Array(repeating: false, count: count - 64) : [] }

  mutating func insert(_ index: Int) {
    if index < 64 { word |= 1 << UInt64(index) } else { rest[index - 64] = true }
  }

  func contains(_ index: Int) -> Bool {
    index < 64 ? word & (1 << UInt64(index)) != 0 : rest[index - 64]
  }
}
