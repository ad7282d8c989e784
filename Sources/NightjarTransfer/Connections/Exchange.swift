import NIOCore
import NIOHTTP1
import NIOHTTP2

/// One request and its answer on a channel: an HTTP/1.1 connection, used again and again, or an HTTP/2 stream.
///
/// It is the last handler of its channel, so that it can hold back the channel's reads while its owner has enough.
final class Exchange: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// How far the answer to the present request has come.
  private enum Hearing {
    case nothing, head, body, end
    /// It has ended, and its end is told only once the rest of the request has left or the connection breaks.
    case heldEnd
    /// It is settled. Whatever else comes is no part of it.
    case surplus
  }

  /// How far the present request has come on its way out.
  private enum Sending: Comparable {
    case nothing
    /// The head is being handed to the channel.
    case head
    case body
    /// The end was handed to the channel.
    case end
    /// It has left, to its end: the server may have heard all of it.
    case left
  }

  /// Called when the connection can take another request; `false` when it cannot and closes.
  var onFree: (_ isReusable: Bool) -> Void = { _ in }
  /// Whether an earlier request has used this connection, which the server may since have closed.
  var isReused = false
  /// Keeps further requests off its connection, if that is one which requests share: nothing has moved on it for too
  /// long.
  var distrust: () -> Void = {}
  /// Until when its connection was not read, for too much waits of others on it; nil if it always was.
  var withheldUntil: () -> NIODeadline? = { nil }
  /// Why its connection was closed, where that is known.
  var fault: () -> (any Error)? = { nil }
  /// Whether the server has said, as it went away, that it has not taken up the stream with this number.
  var isPassedOver: (HTTP2StreamID) -> Bool = { _ in false }
  /// What there is to know of its connection.
  var facts: LineFacts?

  private let informationalMax: Int
  private let drainMax: Int
  private var owner: (any ExchangeOwner)?
  private var context: ChannelHandlerContext?
  private var hearing = Hearing.nothing
  private var sending = Sending.nothing
  private var hasBody = false
  private var keepsAlive = false
  /// Whether sending goes on after the answer has ended: only if the server takes the body (2xx), and has not said that
  /// it closes (RFC 9112, section 9.5). One that wants no more of a stream resets it (RFC 9113, section 8.1).
  private var sendsAll = false
  private var informations = 0
  private var drained: Int?
  private var isPaused = false
  private var heldRead = false
  /// Whether a turn of reading takes less than usual.
  private(set) var readsLess = false
  /// Whether the server has refused the request in HTTP/2 and wants it in HTTP/1.1 (RFC 9113, section 7).
  private(set) var wantsHTTP1 = false
  /// Whether the server has not taken the request up in HTTP/2: it has refused it, or gone away before (RFC 9113,
  /// section 8.7).
  private(set) var isRefused = false

  init(informationalMax: Int, drainMax: Int) { (self.informationalMax, self.drainMax) = (informationalMax, drainMax) }

  /// Sends a request's head and, unless pieces follow, all of it.
  func begin(_ owner: any ExchangeOwner, head: HTTPRequestHead, body: ByteBuffer?, piecesFollow: Bool) {
    precondition(self.owner == nil, "an exchange serves one owner at a time")
    (self.owner, hearing, sending, informations, drained) = (owner, .nothing, .nothing, 0, nil)
    (keepsAlive, sendsAll) = (false, false)
    hasBody = piecesFollow || body != nil
    guard let context else { return part { $0.exchangeBroke(ExchangeError.closedEarly) } }
    sending = .head
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    sending = .body
    guard self.owner != nil else { return }  // The head was refused, and nothing may follow.
    if let body { write(body, context) { [weak self] _, isLast in self?.owner?.exchangeSent(isLast: isLast) } }
    if piecesFollow { context.flush() } else { endRequest() }
  }

  /// Sends one piece of the body, and tells of each slice of it that has left.
  ///
  /// The end of the request goes with its last piece: NIOHTTP2 1.46 stops the process when an end that comes alone
  /// waits for the connection's window while the server takes back more of the stream's than is left.
  func send(_ piece: ByteBuffer, endsRequest: Bool, left: @escaping (_ count: Int, _ isLast: Bool) -> Void) {
    guard let context else { return }
    write(piece, context, left)
    if endsRequest { endRequest() } else { context.flush() }
  }

  /// What is so long that a slow link still moves it within any sensible timeout.
  private static let sliceSize = 64 << 10

  /// All but the last slice are flushed: TLS tells that bytes have left only for a whole flush.
  private func write(
    _ piece: ByteBuffer, _ context: ChannelHandlerContext, _ left: @escaping (_ count: Int, _ isLast: Bool) -> Void
  ) {
    var rest = piece
    while let slice = rest.readSlice(length: min(Self.sliceSize, rest.readableBytes)), slice.readableBytes > 0 {
      let (count, isLast) = (slice.readableBytes, rest.readableBytes == 0)
      let gone = context.eventLoop.makePromise(of: Void.self)
      gone.futureResult.assumeIsolated().whenSuccess { left(count, isLast) }
      context.write(wrapOutboundOut(.body(.byteBuffer(slice))), promise: gone)
      if !isLast { context.flush() }
    }
  }

  /// Sends the end of the request; once it is sent, nothing.
  func endRequest() {
    guard sending < .end else { return }
    sending = .end
    guard let context else { return }
    let gone = context.eventLoop.makePromise(of: Void.self)
    gone.futureResult.assumeIsolated().whenComplete { [weak self] in self?.requestEnded($0) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: gone)
  }

  private func requestEnded(_ result: Result<Void, any Error>) {
    if case .success = result { sending = .left }
    if hearing == .heldEnd, owner != nil { finish() }
  }

  /// Whether the present request has left, to its end: the server may have heard all of it.
  var hasRequestLeft: Bool { sending == .left }

  /// Ends with an answer that has come whole, and sends no more of the request; false if there is no such answer.
  func cutShort() -> Bool {
    guard hearing == .heldEnd, owner != nil else { return false }
    keepsAlive = false
    finish()
    return true
  }

  /// Lets go of the owner, who hears nothing more, and closes unless the answer is complete.
  func abandon() {
    guard owner != nil else { return }
    (owner, keepsAlive) = (nil, false)
    close()
  }

  /// Closes an exchange that was leased and is not needed any more.
  func decline() { close() }

  /// Reads the rest of the answer without handing it over; ends early, closing, if there is much of it.
  func ignoreBody() { drained = 0 }

  /// Bounds what one turn of reading from the connection takes. An HTTP/2 stream shares its connection's reads and goes
  /// by its window instead.
  func readAtMost(_ size: Int, isSlow: Bool) {
    guard let options = lineOptions else { return }
    readsLess = isSlow
    let reads: UInt = isSlow ? 1 : 4
    let allocator: any RecvByteBufferAllocator =
      isSlow ? ShortReads(size: size) : FixedSizeRecvByteBufferAllocator(capacity: size)
    try? options.setOption(.maxMessagesPerRead, value: reads)
    try? options.setOption(.recvAllocator, value: allocator)
  }

  /// Bounds what has been read before its owner can say that it has enough.
  func readOnceATurn() {
    guard let options = lineOptions else { return }
    readsLess = true
    try? options.setOption(.maxMessagesPerRead, value: 1)
  }

  /// Whether its connection is its own, and not an HTTP/2 stream. What comes while such a stream is held back costs
  /// NIOHTTP2 many times its size, so it is not for an owner who often has enough.
  var isOwnLine: Bool { lineOptions != nil }

  /// How far what its connection was handed has come; nil if nobody knows.
  var lineProgress: LineProgress? {
    guard let channel = context?.channel else { return nil }
    return LineProgress(of: isOwnLine ? channel : channel.parent ?? channel)
  }

  /// The options of a connection that is the exchange's own.
  private var lineOptions: (any NIOSynchronousChannelOptions)? {
    context?.channel is any SocketOptionProvider ? context?.channel.syncOptions : nil
  }

  /// Stops reading from the network. What was read already still comes.
  func pause() { isPaused = true }

  /// Goes on reading.
  func resume() {
    isPaused = false
    guard heldRead else { return }
    heldRead = false
    context?.read()
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func read(context: ChannelHandlerContext) {
    if isPaused { heldRead = true } else { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard owner != nil else { return close() }  // Nobody asked.
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head)
    case .body(let bytes): receive(bytes)
    case .end: hearing = .end
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if hasEnded { finishOrHold() } else { owner?.exchangePaused() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    keepsAlive = false
    switch hearing {
    // A stream closes once its request has ended, too, which is told a little later: see ``requestEnded(_:)``.
    case .heldEnd where sending >= .end: break
    case .end, .heldEnd: finish()
    case .nothing: fail(fault() ?? ExchangeError.closedEarly)
    case .head, .body, .surplus: fail(ExchangeError.closedEarly)  // The answer itself is not what is wrong.
    }
    onFree(false)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard owner != nil else { return close() }
    keepsAlive = false  // Should an answer have ended, it was the last: nobody else must get what is about to close.
    if let closed = error as? NIOHTTP2Errors.StreamClosed {
      wantsHTTP1 = closed.errorCode == .http11Required
      isRefused = closed.errorCode == .refusedStream || isPassedOver(closed.streamID)
    }
    switch (hearing, error) {
    case (_, HTTPParserError.invalidHeaderToken) where sending == .head: fail(ExchangeError.unsendable)
    case (.heldEnd, _): finish()  // What comes after it is no part of it.
    case (.end, is HTTPParserError), (.end, is NIOHTTPDecoderError): fail(ExchangeError.moreThanAnnounced)
    case (.end, _): finish()
    case (_, _): fail(error)
    }
    context.close(promise: nil)
  }

  private func receive(_ head: HTTPResponseHead) {
    guard head.status.code >= 100 else { return fail(ExchangeError.noStatus) }
    guard head.status.code != 101 else { return fail(ExchangeError.switchedProtocols) }
    guard head.status.code >= 200 else { return receive(information: head) }
    // Who has not taken a body may have answered without reading it, and then reads nothing that follows it, either.
    let isTaken = head.status.code < 300
    (hearing, keepsAlive) = (.head, head.isKeepAlive && (!hasBody || isTaken))
    sendsAll = hasBody && isTaken && (head.isKeepAlive || head.version.major > 1)
    owner?.exchangeAnswered(head)
  }

  private func receive(information head: HTTPResponseHead) {
    informations += 1
    guard informations <= informationalMax else { return fail(ExchangeError.endlessInformation) }
    if owner?.exchangeInformed(head) == true { informations = 0 }
  }

  private func receive(_ bytes: ByteBuffer) {
    hearing = .body
    guard let drained else {
      owner?.exchangeReceived(bytes)
      return
    }
    self.drained = drained + bytes.readableBytes
    guard drained + bytes.readableBytes > drainMax else { return }
    keepsAlive = false
    finish()
  }

  private var hasEnded: Bool { hearing == .end || hearing == .heldEnd }

  private func finishOrHold() {
    hearing = sendsAll && !hasRequestLeft && drained == nil ? .heldEnd : .end
    if hearing == .end { finish() }
  }

  private func finish() {
    let isOver = hasRequestLeft && hasEnded
    let isReusable = keepsAlive && isOver
    (hearing, isReused) = (.surplus, true)
    resume()
    let owner = self.owner.take()
    // A stream that has ended on both sides is about to close by itself. Closed by us it would be reset, and servers
    // count that.
    if isReusable { onFree(true) } else if isOwnLine || !isOver { close() }
    owner?.exchangeEnded()
  }

  private func fail(_ error: any Error) {
    hearing = .surplus
    let owner = self.owner.take()
    close()
    owner?.exchangeBroke(error)
  }

  /// Closes the connection, and gives it up before: over TLS it is closed only once the other side says so, too.
  private func close() {
    isPaused = false
    onFree(false)
    context?.close(promise: nil)
  }

  private func part(_ tell: (any ExchangeOwner) -> Void) { self.owner.take().map(tell) }
}

extension Optional {
  /// The value, which is nil from then on.
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}
