/// Reads the text of an interface description.
struct InterfaceParser {
  private static let depthMax = 64

  private var text: InterfaceText
  private var depth = 0
  private var declared: Set<String> = []
  private var used: [(name: String, at: InterfaceText)] = []

  init(_ text: String) {
    self.text = InterfaceText(text)
  }

  mutating func interface() throws(InterfaceSyntaxError) -> InterfaceDescription {
    let documentation = text.documentation
    try keyword("interface")
    let name = try interfaceName()
    var members: [InterfaceDescription.Member] = []
    while !text.isAtEnd { members.append(try member()) }
    try checkUses(in: members)
    return InterfaceDescription(name: name, documentation: documentation, members: members)
  }

  private mutating func member() throws(InterfaceSyntaxError) -> InterfaceDescription.Member {
    let documentation = text.documentation
    let start = text
    switch text.word(where: InterfaceText.isNamePart) {
    case "type":
      return .type(.init(name: try declaredName(), documentation: documentation, type: try structureOrEnumeration()))
    case "method":
      let name = try declaredName()
      let parameters = try structure()
      try sign("->")
      let reply = try structure()
      return .method(.init(name: name, documentation: documentation, parameters: parameters, reply: reply))
    case "error":
      return .error(.init(name: try declaredName(), documentation: documentation, parameters: try structure()))
    default:
      throw start.error("\"type\", \"method\" or \"error\"")
    }
  }

  private mutating func type() throws(InterfaceSyntaxError) -> InterfaceType {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else { throw text.error("no more than \(Self.depthMax) levels") }
    if text.sign("[]") { return .array(try type()) }
    if text.sign("[string]") { return .map(try type()) }
    guard text.sign("?") else { return try element() }
    let start = text
    let inner = try type()
    if case .nullable = inner { throw start.error("a type that is not nullable itself") }
    return .nullable(inner)
  }

  private mutating func element() throws(InterfaceSyntaxError) -> InterfaceType {
    let start = text
    if text.sign("(") {
      text.rewind(to: start)
      return try structureOrEnumeration()
    }
    switch text.word(where: InterfaceText.isNamePart) {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object", "any": return .object  // The second is systemd's word.
    case let name? where Self.isTypeName(name):
      used.append((name, start))
      return .named(name)
    default: throw start.error("a type")
    }
  }

  /// Distinguishes the two by what follows the first name.
  private mutating func structureOrEnumeration() throws(InterfaceSyntaxError) -> InterfaceType {
    let start = text
    try sign("(")
    let isEnumeration = text.word(where: InterfaceText.isNamePart) != nil && !text.sign(":")
    text.rewind(to: start)
    return isEnumeration ? .enumeration(try enumeration()) : .structure(try structure())
  }

  private mutating func structure() throws(InterfaceSyntaxError) -> [InterfaceType.Field] {
    var fields: [InterfaceType.Field] = []
    try sign("(")
    if text.sign(")") { return [] }
    repeat {
      let documentation = text.documentation
      let name = try fieldName(besides: fields.map(\.name))
      try sign(":")
      fields.append(.init(name: name, documentation: documentation, type: try type()))
    } while text.sign(",")
    try sign(")")
    return fields
  }

  private mutating func enumeration() throws(InterfaceSyntaxError) -> [InterfaceType.Value] {
    var values: [InterfaceType.Value] = []
    try sign("(")
    repeat {
      let documentation = text.documentation
      values.append(.init(name: try fieldName(besides: values.map(\.name)), documentation: documentation))
    } while text.sign(",")
    try sign(")")
    return values
  }

  private mutating func sign(_ sign: String) throws(InterfaceSyntaxError) {
    guard text.sign(sign) else { throw text.error("\"\(sign)\"") }
  }

  private mutating func keyword(_ keyword: String) throws(InterfaceSyntaxError) {
    let start = text
    guard text.word(where: InterfaceText.isNamePart) == keyword else { throw start.error("\"\(keyword)\"") }
  }

  private mutating func interfaceName() throws(InterfaceSyntaxError) -> String {
    let start = text
    let name = text.word { InterfaceText.isNamePart($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    guard let name, Self.isInterfaceName(name) else { throw start.error("an interface name such as org.example.ping") }
    return name
  }

  private mutating func declaredName() throws(InterfaceSyntaxError) -> String {
    let start = text
    guard let name = text.word(where: InterfaceText.isNamePart), Self.isTypeName(name) else {
      throw start.error("a name that begins with a capital")
    }
    guard declared.insert(name).inserted else { throw start.error("a name that is not declared already") }
    return name
  }

  private mutating func fieldName(besides earlier: [String]) throws(InterfaceSyntaxError) -> String {
    let start = text
    guard let name = text.word(where: InterfaceText.isNamePart), Self.isFieldName(name) else {
      throw start.error("a field name")
    }
    if earlier.contains(name) { throw start.error("a field name that is not used already") }
    return name
  }

  private func checkUses(in members: [InterfaceDescription.Member]) throws(InterfaceSyntaxError) {
    let types = Set(members.compactMap { if case .type(let alias) = $0 { alias.name } else { nil } })
    for use in used where !types.contains(use.name) { throw use.at.error("the name of a type of this interface") }
  }

  private static func isTypeName(_ name: String) -> Bool {
    ("A"..."Z").contains(name.first!) && !name.contains("_")
  }

  /// `[A-Za-z](_?[A-Za-z0-9])*`
  private static func isFieldName(_ name: String) -> Bool {
    name.first!.isLetter && !name.hasSuffix("_") && !name.utf8.elementsPair { $0 == $1 && $0 == UInt8(ascii: "_") }
  }

  /// `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`
  private static func isInterfaceName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let sound = parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix("-") && !$0.hasSuffix("-") && !$0.contains("_") }
    return parts.count >= 2 && sound && name.first!.isLetter
  }
}

extension Sequence {
  /// Whether any two neighbours satisfy the condition.
  fileprivate func elementsPair(_ condition: (Element, Element) -> Bool) -> Bool {
    zip(self, dropFirst()).contains(where: condition)
  }
}
