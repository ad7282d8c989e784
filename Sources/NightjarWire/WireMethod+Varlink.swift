public import Varlink

extension WireMethod {
  /// The method's name within its interface.
  public static var shortName: String { String(name[name.index(after: name.lastIndex(of: ".")!)...]) }
}

extension WireFailure {
  /// The error as it goes over the wire.
  public var varlink: VarlinkError { VarlinkError(Self.name, self) }

  /// The failure that an error reply carries, if it is this one.
  public init?(_ error: any Error) {
    guard let error = error as? VarlinkError, error.name == Self.name, let found = try? error.parameters(as: Self.self)
    else { return nil }
    self = found
  }
}

extension VarlinkInterface {
  /// Serves a method: the handler answers now or later, from any thread.
  public mutating func handle<Method: WireMethod>(
    _ method: Method.Type, requiresMore: Bool = false,
    by handler: @escaping @Sendable (VarlinkCall<Method.Parameters, Method.Reply>) throws(VarlinkError) -> Void
  ) {
    handle(
      Method.shortName, taking: Method.Parameters.self, replying: Method.Reply.self, requiresMore: requiresMore,
      by: handler)
  }
}

extension VarlinkClient {
  /// Calls a method and waits for its answer.
  public func call<Method: WireMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, timeout: Duration? = nil
  ) throws -> Method.Reply {
    try call(Method.name, parameters, returning: Method.Reply.self, timeout: timeout)
  }

  /// Calls a method and returns once the call is written; the answer comes on the client's reader thread.
  public func send<Method: WireMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters,
    then: @escaping @Sendable (Result<Method.Reply, any Error>) -> Void
  ) throws(TransportError) {
    try send(Method.name, parameters, returning: Method.Reply.self, then: then)
  }

  /// Calls a streaming method; the answers come one by one on the client's reader thread.
  public func stream<Method: WireMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters,
    each: @escaping @Sendable (Method.Reply) -> Void, end: @escaping @Sendable ((any Error)?) -> Void
  ) throws(TransportError) {
    try stream(Method.name, parameters, of: Method.Reply.self, each: each, end: end)
  }
}
