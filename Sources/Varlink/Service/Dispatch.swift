/// Finds the handler of a message's method.
struct Dispatch: Sendable {
  private let handlers: [String: VarlinkInterface.Handler]
  private let interfaces: [String: InterfaceDescription]

  init(_ interfaces: [VarlinkInterface]) {
    let named = interfaces.map { ($0.description.name, $0.description) }
    self.interfaces = Dictionary(named) { _, second in
      preconditionFailure("the interface \(second.name) was given twice")
    }
    var handlers: [String: VarlinkInterface.Handler] = [:]
    for interface in interfaces {
      for (method, handler) in interface.handlers { handlers["\(interface.description.name).\(method)"] = handler }
    }
    self.handlers = handlers
  }

  /// Begins the call that a message asks for.
  ///
  /// - Throws: When the bytes are no message. Errors of the call itself are answered to the client.
  func begin(_ message: UnsafeBufferPointer<UInt8>, from connection: VarlinkConnection) throws(TransportError) {
    let header = try CallHeader(reading: message)
    let ticket = CallTicket(header, connection, isStream: handlers[header.method]?.requiresMore == true)
    do throws(VarlinkError) {
      let handler = try handler(of: header)
      try handler.begin(ticket, header.parameters.map { UnsafeBufferPointer(rebasing: message[$0]) })
    } catch {
      _ = ticket.answer(Wire.failure(error), isLast: true)
    }
  }

  private func handler(of header: CallHeader) throws(VarlinkError) -> VarlinkInterface.Handler {
    guard let handler = handlers[header.method] else { throw unknown(header.method) }
    // No method here upgrades its connection to another protocol.
    if header.upgrade { throw .methodNotImplemented(header.method) }
    // A oneway call that asks for more has no receiver of the replies, and would never end.
    if handler.requiresMore, !header.more || header.oneway { throw .expectedMore() }
    return handler
  }

  private func unknown(_ method: String) -> VarlinkError {
    let dot = method.lastIndex(of: ".")
    let interface = dot.map { String(method[..<$0]) } ?? ""
    guard let description = interfaces[interface], let dot else { return .interfaceNotFound(interface) }
    let isDescribed = description.method(named: String(method[method.index(after: dot)...])) != nil
    return isDescribed ? .methodNotImplemented(method) : .methodNotFound(method)
  }
}
