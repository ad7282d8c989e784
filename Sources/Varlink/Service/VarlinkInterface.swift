/// An interface with the code behind its methods. Fill it, then hand it to a ``VarlinkService``.
///
/// A described method without a handler is answered with `MethodNotImplemented`. A handler for a method that is not
/// described is a mistake of the program and stops it.
public struct VarlinkInterface: Sendable {
  /// A method that can be called.
  struct Handler: Sendable {
    let requiresMore: Bool
    let begin: @Sendable (CallTicket, UnsafeBufferPointer<UInt8>?) throws(VarlinkError) -> Void
  }

  /// Makes an error that the interface declares, given how long a message may be.
  public typealias Excuse = @Sendable (_ messageBytesMax: Int) -> VarlinkError

  /// Makes the error that replaces a reply which is too long for a message, for methods whose handlers are set
  /// afterwards.
  ///
  /// Most clients close the connection over such a reply, as ``VarlinkClient`` does, and may repeat the call on the
  /// next one. Without an excuse the reply is sent, and so is any reply with more to follow.
  public var excuseForLength: Excuse?
  /// The description of the interface.
  public let description: InterfaceDescription
  /// The description's text as it was written, which clients get.
  let text: String
  private(set) var handlers: [String: Handler] = [:]
  private var check: ParameterCheck

  /// Reads the description.
  public init(_ text: String) throws(InterfaceSyntaxError) {
    self.init(try InterfaceDescription(parsing: text), text: text)
  }

  /// Takes a parsed description; clients get it as ``InterfaceDescription/description`` prints it.
  public init(_ description: InterfaceDescription) {
    self.init(description, text: description.description)
  }

  private init(_ description: InterfaceDescription, text: String) {
    self.description = description
    self.text = text
    check = ParameterCheck(description)
  }

  /// Sets the handler of a method.
  ///
  /// Parameters are checked against the description and then decoded; a client that sends others is answered with
  /// `InvalidParameter`, naming the field. The handler runs on the service's thread, one at a time: it answers at once,
  /// or keeps the call and answers later, from any thread. An error that it throws is the answer.
  ///
  /// - Parameters:
  ///   - method: The name without the interface.
  ///   - requiresMore: Whether a client that does not ask for more is answered with `ExpectedMore`. A oneway call,
  ///     which takes no reply at all, is then always dropped.
  public mutating func handle<Parameters: Decodable & Sendable, Reply: Encodable & SendableMetatype>(
    _ method: String, taking: Parameters.Type = Parameters.self, replying: Reply.Type = Reply.self,
    requiresMore: Bool = false,
    by handler: @escaping @Sendable (VarlinkCall<Parameters, Reply>) throws(VarlinkError) -> Void
  ) {
    guard let declared = description.method(named: method) else {
      preconditionFailure("\(description.name) describes no method \(method)")
    }
    precondition(handlers[method] == nil, "\(description.name).\(method) has a handler already")
    let place = check.prepare(declared.parameters)
    let (check, excuse) = (check, excuseForLength)
    handlers[method] = Handler(requiresMore: requiresMore) { (ticket, json) throws(VarlinkError) in
      try Self.check(json, check, place)
      try handler(VarlinkCall(try Self.decode(json), ticket, excuse: excuse))
    }
  }

  /// Sets a handler that answers a method at once.
  ///
  /// - Parameter method: The name without the interface.
  public mutating func answer<Parameters: Decodable & Sendable, Reply: Encodable & SendableMetatype>(
    _ method: String, taking: Parameters.Type = Parameters.self, replying: Reply.Type = Reply.self,
    by answer: @escaping @Sendable (Parameters, VarlinkConnection) throws(VarlinkError) -> Reply
  ) {
    handle(method, taking: taking, replying: replying) { (call) throws(VarlinkError) in
      call.reply(try answer(call.parameters, call.connection))
    }
  }

  private static func check(
    _ json: UnsafeBufferPointer<UInt8>?, _ check: ParameterCheck, _ place: Int
  ) throws(VarlinkError) {
    let wrong = json.map { check.wrongField($0, at: place) } ?? check.missingField(at: place)
    if let wrong { throw .invalidParameter(wrong) }
  }

  private static func decode<Parameters: Decodable>(
    _ json: UnsafeBufferPointer<UInt8>?
  ) throws(VarlinkError) -> Parameters {
    do {
      return try Wire.decode(Parameters.self, from: json)
    } catch {
      throw .invalidParameter(Wire.field(error))
    }
  }
}
