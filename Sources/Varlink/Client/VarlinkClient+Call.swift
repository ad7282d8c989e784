extension VarlinkClient {
  /// Calls and waits for the reply, blocking this thread.
  ///
  /// - Parameter timeout: How long to wait, including for a service that does not read; for ever when nil. After the
  ///   time is up the rest of the call is still sent, and the service may carry it out; its reply is dropped.
  /// - Throws: ``VarlinkError`` when the service answered with an error, else ``TransportError``.
  /// - Precondition: Not on the thread of the client's callbacks, where the reply could never arrive.
  public func call<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, returning: Reply.Type = Reply.self, timeout: Duration? = nil
  ) throws -> Reply {
    precondition(!line.isReader, "\(method) was called with waiting inside a callback of the same client")
    let box = WaitingBox<Result<Reply, any Error>>()
    let deadline = timeout.map { SuspendingClock.now + $0 }
    try send(method, parameters, within: timeout) { box.put($0) }
    guard let result = box.take(timeout: deadline.map { SuspendingClock.now.duration(to: $0) }) else {
      throw TransportError(.timedOut, "no reply to \(method) within \(timeout ?? .zero)")
    }
    return try result.get()
  }

  /// Calls and waits for the reply.
  ///
  /// No thread is blocked meanwhile, not even until the service reads the call. When the task is cancelled, this throws
  /// `CancellationError` at once, and the reply is dropped; the service may still carry out the call.
  ///
  /// - Throws: ``VarlinkError`` when the service answered with an error, else ``TransportError``.
  public func call<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, returning: Reply.Type = Reply.self
  ) async throws -> Reply {
    let once = OnceContinuation<Reply>()
    try send(method, parameters, within: .zero) { once.resume($0) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { once.install($0) }
    } onCancel: {
      once.resume(.failure(CancellationError()))
    }
  }

  /// Asks the service for its description of itself (`GetInfo`).
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
