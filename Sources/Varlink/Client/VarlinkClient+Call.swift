extension VarlinkClient {
  /// Calls and waits for the reply, blocking this thread.
  ///
  /// - Parameter timeout: How long to wait; for ever when nil. The service may do what was asked even when the time is
  ///   up; its reply is then dropped.
  /// - Throws: ``VarlinkError`` when the service answered with an error, else ``TransportError``.
  /// - Precondition: Not on the thread of the client's callbacks, where the reply could never arrive.
  public func call<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, returning: Reply.Type = Reply.self, timeout: Duration? = nil
  ) throws -> Reply {
    precondition(!line.isReader, "\(method) was called with waiting inside a callback of the same client")
    let box = WaitingBox<Result<Reply, any Error>>()
    try send(method, parameters, returning: Reply.self) { box.put($0) }
    guard let result = box.take(timeout: timeout) else {
      throw TransportError(.timedOut, "no reply to \(method) within \(timeout ?? .zero)")
    }
    return try result.get()
  }

  /// Calls and waits for the reply.
  ///
  /// Sending may block for a moment, as ``send(_:_:returning:then:)`` does. When the task is cancelled, this throws
  /// `CancellationError` at once, and the reply is dropped; the service may still do what was asked.
  ///
  /// - Throws: ``VarlinkError`` when the service answered with an error, else ``TransportError``.
  public func call<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, returning: Reply.Type = Reply.self
  ) async throws -> Reply {
    let once = OnceContinuation<Reply>()
    try send(method, parameters, returning: Reply.self) { once.resume($0) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { once.install($0) }
    } onCancel: {
      once.resume(.failure(CancellationError()))
    }
  }

  /// Asks the service who it is.
  public func information(timeout: Duration? = nil) throws -> ServiceInformation {
    try call("org.varlink.service.GetInfo", NoParameters(), timeout: timeout)
  }

  /// Asks the service for the description of one of its interfaces.
  public func description(of interface: String, timeout: Duration? = nil) throws -> InterfaceDescription {
    let reply = try call(
      "org.varlink.service.GetInterfaceDescription", ServiceIntrospection.DescriptionRequest(interface: interface),
      returning: ServiceIntrospection.DescriptionReply.self, timeout: timeout)
    return try InterfaceDescription(parsing: reply.description)
  }
}
