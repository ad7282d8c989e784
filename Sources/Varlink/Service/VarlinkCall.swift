import Synchronization

/// A call that a handler was given: answer it now or later, from any thread.
///
/// It is answered exactly once, with ``reply(_:continues:)`` or ``fail(_:)``; a client that asked for more may be sent
/// any number of replies with `continues: true` first. Answering after that is a mistake of the program and stops it.
/// If all references are dropped without an answer, the connection is closed, since no later call could ever be
/// answered. A oneway call needs no answer, and any answer is dropped.
public final class VarlinkCall<Parameters: Sendable, Reply: Encodable>: Sendable {
  /// What the client sent, checked against the interface.
  public let parameters: Parameters
  let ticket: CallTicket
  private let excuse: VarlinkInterface.Excuse?

  init(_ parameters: Parameters, _ ticket: CallTicket, excuse: VarlinkInterface.Excuse?) {
    self.parameters = parameters
    self.ticket = ticket
    self.excuse = excuse
  }

  /// The connection of the caller.
  public var connection: VarlinkConnection { ticket.connection }
  /// The full name of the method.
  public var method: String { ticket.method }
  /// Whether the client takes more than one reply.
  public var wantsMore: Bool { ticket.wantsMore }
  /// Whether the client wants no reply at all.
  public var isOneway: Bool { ticket.isOneway }

  /// Answers.
  ///
  /// - Parameter continues: Whether more replies will follow; only for a call that ``wantsMore``.
  /// - Returns: False when the client has gone, or was dropped because it does not read.
  @discardableResult
  public func reply(_ reply: Reply, continues: Bool = false) -> Bool {
    precondition(!continues || wantsMore || isOneway, "\(method) was called without more and takes one reply")
    do {
      let bytes = try Wire.reply(reply, continues: continues)
      // An excuse does not end a stream, since its handler would go on to reply.
      if let excuse, !continues, bytes.count - 1 > connection.limits.messageBytesMax {
        return fail(excuse(connection.limits.messageBytesMax))
      }
      return ticket.answer(bytes, isLast: !continues)
    } catch {
      return ticket.abandon(TransportError(.unencodable, "a reply to \(method): \(Wire.reason(error))"))
    }
  }

  /// Answers a method whose reply has no parameters.
  @discardableResult
  public func reply() -> Bool where Reply == NoParameters {
    reply(NoParameters())
  }

  /// Answers with an error, which ends the call.
  ///
  /// - Returns: False when the client has gone.
  @discardableResult
  public func fail(_ error: VarlinkError) -> Bool {
    ticket.answer(Wire.failure(error), isLast: true)
  }

  /// Bytes of replies to this call and to earlier ones that the client has not read.
  ///
  /// A stream should send less, or nothing, while this grows. Replies to later calls do not count, since they wait for
  /// the end of the stream.
  public var unsentBytes: Int { ticket.unsentBytes }

  /// Calls `then` once, on the service's thread, when ``unsentBytes`` is 0; soon, if it is already.
  ///
  /// It is not called if the client goes away first, and never for a oneway call.
  public func whenWritable(_ then: @escaping @Sendable () -> Void) {
    ticket.whenWritable(then)
  }

  /// Calls `then` once if the client goes away before the last reply; at once if it has gone already.
  ///
  /// It runs on the service's thread, or on the calling thread if the client has gone already. For a oneway call it is
  /// never called.
  public func onHangUp(_ then: @escaping @Sendable () -> Void) {
    ticket.onHangUp(then)
  }
}

/// The part of a call that does not depend on its types.
final class CallTicket: Sendable {
  let connection: VarlinkConnection
  let method: String
  let wantsMore: Bool
  let isOneway: Bool
  private let number: UInt64?  // Nil if it has no place in the reply queue.
  private let isComplete = Atomic<Bool>(false)

  /// - Parameter isStream: Whether the method has no last reply.
  init(_ header: CallHeader, _ connection: VarlinkConnection, isStream: Bool) {
    self.connection = connection
    (method, wantsMore, isOneway) = (header.method, header.more, header.oneway)
    number = connection.openCall(isOneway: header.oneway, isStream: isStream && header.more)
  }

  deinit {
    if number == nil {
      connection.endUnplacedCall()
    } else if !isComplete.load(ordering: .acquiring) {
      connection.abandonCall(TransportError(.closed, "a call to \(method) was dropped without an answer"))
    }
  }

  func answer(_ bytes: [UInt8], isLast: Bool) -> Bool {
    guard let number else { return isOneway }
    if isLast { isComplete.store(true, ordering: .releasing) }
    return connection.send(bytes, for: number, isLast: isLast, method: method)
  }

  /// Gives up a call whose answer cannot be sent, and with it the connection, since no later call can be answered.
  func abandon(_ reason: TransportError) -> Bool {
    isComplete.store(true, ordering: .releasing)
    connection.abandonCall(reason)
    return false
  }

  var unsentBytes: Int { number.map { connection.unsentBytes(upTo: $0) } ?? 0 }

  func whenWritable(_ then: @escaping @Sendable () -> Void) {
    if let number { connection.whenWritable(upTo: number, then) }
  }

  func onHangUp(_ then: @escaping @Sendable () -> Void) {
    if isOneway { return }
    if let number { connection.onHangUp(of: number, then) } else { then() }
  }
}
