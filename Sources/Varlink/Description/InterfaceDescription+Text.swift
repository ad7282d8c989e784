extension InterfaceDescription: CustomStringConvertible {
  /// The description as text, which parses to the same tree.
  public var description: String {
    let head = Self.comment(documentation, "") + "interface \(name)\n"
    return members.reduce(into: head) { text, member in text += "\n" + Self.text(of: member) + "\n" }
  }

  private static func text(of member: Member) -> String {
    switch member {
    case .type(let alias):
      comment(alias.documentation, "") + "type \(alias.name) " + alias.type.text(indent: "")
    case .method(let method):
      comment(method.documentation, "") + "method \(method.name)"
        + InterfaceType.structure(method.parameters).text(indent: "")
        + " -> " + InterfaceType.structure(method.reply).text(indent: "")
    case .error(let failure):
      comment(failure.documentation, "") + "error \(failure.name) "
        + InterfaceType.structure(failure.parameters).text(indent: "")
    }
  }

  /// A documentation as comment lines; nothing when it is empty.
  static func comment(_ documentation: String, _ indent: String) -> String {
    guard !documentation.isEmpty else { return "" }
    return documentation.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\(indent)#\n" : "\(indent)# \($0)\n" }.joined()
  }
}

extension InterfaceType: CustomStringConvertible {
  /// The type as text.
  public var description: String { text(indent: "") }

  func text(indent: String) -> String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .named(let name): name
    case .array(let element): "[]" + element.text(indent: indent)
    case .map(let element): "[string]" + element.text(indent: indent)
    case .nullable(let type): "?" + type.text(indent: indent)
    case .structure(let fields):
      Self.list(fields, indent, \.documentation) { "\($0.name): \($0.type.text(indent: indent + "  "))" }
    case .enumeration(let values):
      Self.list(values, indent, \.documentation) { $0.name }
    }
  }

  /// Prints entries on one line if they are short and have no comments, else one per line.
  private static func list<Entry>(
    _ entries: [Entry], _ indent: String, _ documentation: (Entry) -> String, _ text: (Entry) -> String
  ) -> String {
    let line = entries.map(text).joined(separator: ", ")
    if line.utf8.count <= 60, !line.contains("\n"), entries.allSatisfy({ documentation($0).isEmpty }) {
      return "(\(line))"
    }
    let inner = indent + "  "
    let lines = entries.map { InterfaceDescription.comment(documentation($0), inner) + inner + text($0) }
    return "(\n\(lines.joined(separator: ",\n"))\n\(indent))"
  }
}
