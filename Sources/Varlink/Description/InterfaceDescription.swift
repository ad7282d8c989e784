/// The description of a Varlink interface: what `GetInterfaceDescription` returns, as a syntax tree.
///
/// The grammar is that of <https://varlink.org/Interface-Definition>. Comments that stand before a member, a field or
/// a value are kept as its documentation.
public struct InterfaceDescription: Sendable, Hashable {
  /// A type with a name, usable everywhere in the interface.
  public struct Alias: Sendable, Hashable {
    /// The name, which begins with a capital.
    public var name: String
    /// The comment before it, one line per line; empty when there is none.
    public var documentation: String
    /// A struct or an enum.
    public var type: InterfaceType
  }

  /// A method.
  public struct Method: Sendable, Hashable {
    /// The name, which begins with a capital.
    public var name: String
    /// The comment before it, one line per line; empty when there is none.
    public var documentation: String
    /// The parameters.
    public var parameters: [InterfaceType.Field]
    /// The parameters of the reply.
    public var reply: [InterfaceType.Field]
  }

  /// An error that methods may answer.
  public struct Failure: Sendable, Hashable {
    /// The name, which begins with a capital.
    public var name: String
    /// The comment before it, one line per line; empty when there is none.
    public var documentation: String
    /// The parameters.
    public var parameters: [InterfaceType.Field]
  }

  /// One declaration.
  public enum Member: Sendable, Hashable {
    /// `type Name (…)`.
    case type(Alias)
    /// `method Name (…) -> (…)`.
    case method(Method)
    /// `error Name (…)`.
    case error(Failure)

    /// The name declared.
    public var name: String {
      switch self {
      case .type(let alias): alias.name
      case .method(let method): method.name
      case .error(let failure): failure.name
      }
    }
  }

  /// The name in reverse-domain notation: `org.varlink.service`.
  public var name: String
  /// The comment before the interface; empty when there is none.
  public var documentation: String
  /// The declarations, in order.
  public var members: [Member]

  /// Reads a description.
  ///
  /// Beyond the grammar it refuses names declared twice and type names that are not declared.
  ///
  /// - Throws: Line, column and what was expected.
  public init(parsing text: String) throws(InterfaceSyntaxError) {
    var parser = InterfaceParser(text)
    self = try parser.interface()
  }

  init(name: String, documentation: String, members: [Member]) {
    self.name = name
    self.documentation = documentation
    self.members = members
  }

  /// The methods, in order.
  public var methods: [Method] {
    members.compactMap { if case .method(let method) = $0 { method } else { nil } }
  }

  /// The types with a name, in order.
  public var types: [Alias] {
    members.compactMap { if case .type(let alias) = $0 { alias } else { nil } }
  }

  /// The errors, in order.
  public var errors: [Failure] {
    members.compactMap { if case .error(let failure) = $0 { failure } else { nil } }
  }

  /// The method of this name, without the interface.
  public func method(named name: String) -> Method? {
    methods.first { $0.name == name }
  }
}
