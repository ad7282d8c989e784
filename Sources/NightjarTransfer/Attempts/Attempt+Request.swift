import NIOCore
import NIOHTTP1
import NIOHTTP2
import NightjarModel

/// How an attempt makes a request: on the right loop, by the right route, and once more where a connection was dead.
extension Attempt {
  /// Sends the request to the itinerary's present address, on that origin's loop.
  func sendRequest(hasWaited: Bool = false) {
    guard ending == nil, headForUpload() else { return }
    syncing.disarm()  // What has come is synced again with what follows.
    let (origin, there) = (itinerary.address.origin, tools.loop(for: itinerary.address.origin))
    guard there === loop else { return move(to: there) }
    guard hasWaited || !putsOffRequest() else { return }
    answer = PresentAnswer(isTold: manner.asksForNextPart && answer.isTold)
    let route: Route
    do { route = try nextRoute() } catch { return fail(error) }
    self.route = route
    beginMeasuring()
    var isServed = false
    let pool = tools.pool(for: origin)
    // A connection that is dead would take it, and who hears nothing then must not ask again.
    if !isRepeatable { pool.dropIdle(route) }
    let ticket = pool.lease(route) { [self] result in
      isServed = true
      leased(result)
    }
    guard !isServed else { return }
    cancelLease = { pool.cancel(ticket) }
    armStallTimer()
  }

  private func nextRoute() throws(TransferFailure) -> Route {
    let proxy = try proxies.proxy(for: itinerary.address)
    let minimum = order.request.options.tlsMinimum ?? .tls12
    let origin = itinerary.address.origin
    var tlsProfile = TLSProfile(order, at: origin)
    if !itinerary.showsCredentials { tlsProfile.identity = nil }
    var route = Route(origin: origin, proxy: proxy, tlsMinimum: minimum, tlsProfile: tlsProfile)
    if let proxy, proxy.kind == .http {
      proxyCredentials.own = proxy.own(before: origin)
      if route.isTunnelled { route.proxy = proxy.shown(proxyCredentials.pass(for: .proxy(proxy, before: origin))) }
    }
    // An HTTP/2 stream takes a whole window at once: a transfer that keeps to a rate, its own or that of all, needs a
    // connection of its own. An origin that speaks only HTTP/2 refuses that.
    route.isHTTP1Only = origin.isSecure && (rate != nil || tools.pool(for: origin).isKeptToHTTP1(origin))
    return route
  }

  private func leased(_ result: Result<Exchange, any Error>) {
    cancelLease = nil
    switch result {
    case .failure(let error): diagnose(error)
    case .success(let exchange):
      guard ending == nil else { return exchange.decline() }
      self.exchange = exchange
      measureConnection(exchange)
      moved()
      armStallTimer()
      send(on: exchange)
    }
  }

  private func send(on exchange: Exchange) {
    let sendsFile = source.file != nil && itinerary.sendsBody
    let body = itinerary.sendsBody && !sendsFile ? order.request.body : []
    let hasLength = itinerary.sendsBody || ["POST", "PUT", "PATCH"].contains(itinerary.method)
    let length = sendsFile ? stretch.map { Int64($0.count) } : hasLength ? Int64(body.count) : nil
    var head = HTTPRequestHead(itinerary, rest: restPoint, isConditional: manner.isConditional, bodyLength: length)
    for field in dialogue?.fields ?? [] { head.headers.replaceOrAdd(name: field.name, value: field.value) }
    showCredentials(in: &head)
    measureRequest(head, bodyLength: sendsFile ? nil : Int64(body.count))
    if rate != nil || exchange.readsLess { exchange.readAtMost(readSize, isSlow: rate != nil) }
    movement.travel = Travel()
    if sendsFile || !body.isEmpty, let line = exchange.lineProgress {
      movement.travel.begins(line, isOwnLine: exchange.isOwnLine)
    }
    exchange.begin(self, head: head, body: body.isEmpty ? nil : ByteBuffer(bytes: body), piecesFollow: sendsFile)
    watchTravel()
    if sendsFile { beginUpload() }
  }

  /// Where the rest of the file begins, if it may be asked for.
  var restPoint: ResumePoint? { manner.wantsRest && order.request.isResumable ? part?.resumePoint : nil }

  /// Asks for what follows a part that ends before the file does: a server may send less at a time than was asked for.
  /// It is asked the way that a new attempt would, since a redirect may lead to a place that is good for a short time
  /// only. What has come is made safe first: the answer may begin the file again. That comes to an end: a part that is
  /// hardly worth a request is none to ``BodyPlan``.
  func requestNextPart() {
    do {
      try part?.flush()  // A sync that is under way does not, and the rest is asked for from what is written.
      itinerary = try Itinerary(order.request, redirectsMax: tools.settings.redirectsMax)
    } catch { return fail(error) }
    sync()
    manner.asksForNextPart = true
    requestAgain()
  }

  /// Prepares to ask again on another connection, without reporting anything. False if that would not help.
  func retryOnFreshConnection(after error: any Error) -> Bool {
    guard let exchange, let route, case .head = answer.hearing else { return false }
    let pool = tools.pool(for: route.origin)
    if exchange.wantsHTTP1, !route.isHTTP1Only {
      pool.keepToHTTP1(route.origin)  // It will not answer in HTTP/2, whatever the method.
    } else if mayBeStale(exchange), exchange.isRefused || !error.isOfAnswer {
      manner.staleRetries += 1
      pool.dropIdle(route)
    } else {
      return false
    }
    dialogue?.broken()
    self.exchange = nil
    return true
  }

  /// Whether the server may have closed a kept connection just as the request was sent.
  private func mayBeStale(_ exchange: Exchange) -> Bool {
    exchange.isReused && manner.staleRetries < tools.settings.staleRetriesMax
      && AnswerHead.isRepeatable(itinerary.method)
  }
}

extension Error {
  /// Whether the server is there and has answered, though not in HTTP or with the end of the stream.
  fileprivate var isOfAnswer: Bool {
    switch self as any Error {
    case HTTPParserError.invalidEOFState: false  // It has closed.
    case is HTTPParserError, is NIOHTTP2Errors.StreamClosed: true
    default: false
    }
  }
}
