import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NightjarModel
import Synchronization

/// One attempt at one transfer, from the opening of its file to its one terminal fact.
///
/// An attempt lives on one event loop at a time: that of the origin it talks to, so it moves when a redirect leads to
/// another one. It ends in two steps. ``end(_:)`` settles how; then, as soon as no file job is under way, it winds up:
/// what came is synced, the file is closed, and the terminal fact is reported. A disk may take its time for that;
/// meanwhile progress is still reported.
///
/// `@unchecked Sendable`: everything that changes is touched on `place.loop` only, except `place`, which has its lock.
final class Attempt: @unchecked Sendable {
  /// How an attempt ended.
  enum Ending {
    case finished(Response)
    case failed(TransferFailure, retryAfter: Duration?, Keeping)
    case unanswered(TransferFailure)
    case asked(Question)
    case stopped(Keeping)
  }

  /// What the next attempt may go on from.
  enum Keeping {
    /// All that came, synced once more.
    case all
    /// What was last reported safe. After a failed sync a later one proves nothing, and on a disk that others have
    /// filled the rest is in the way.
    case checkpoint
    /// Nothing: the server is found to have lied about these bytes.
    case nothing
  }

  /// What the rest of the present answer is for.
  enum Hearing {
    /// The head is still to come.
    case head
    /// The body goes to the file; at its end the transfer is finished.
    case body(Response)
    /// The body is of no use; at its end this happens.
    case unwanted(Next)
  }

  enum Next {
    case ask, question(Challenge), fail(TransferFailure, retryAfter: Duration?), giveUp(TransferFailure),
      finish(Response)
  }

  /// How the request may still be made.
  struct Asking {
    /// Whether the rest may be asked for; not once a server has answered such a request with nonsense.
    var forRest = true
    /// Whether the rest is asked for with `If-Range`; not once a server has sent the whole of the same version.
    var conditionally = true
    /// Whether the whole is fetched once more because it did not have the checksum that the client gave.
    var isSecondFetch = false
    /// How often a kept connection turned out to be dead.
    var staleRetries = 0
  }

  private struct Place {
    var loop: any EventLoop
    var stop: Ending?
  }

  let order: TransferOrder
  let tools: Tools
  let report: (TransferFact) -> Void
  let onEnd: (Attempt) -> Void
  /// The bounds on bytes per second that it keeps to.
  let rates: [RateLimit]
  let proxies: ProxyChoice
  private let place: Mutex<Place>

  // Where it asks, and what it shows there.
  var itinerary: Itinerary
  /// The route of the present request.
  private(set) var route: Route?
  var credentials: Credentials
  /// The credentials for the proxy.
  var proxyCredentials: Credentials
  var asking = Asking()
  /// The page that is asked for in place of what has led to it.
  var page: UploadResource?
  private var wantsToAsk = false
  private var cancelLease: (() -> Void)?

  // What it hears.
  var exchange: Exchange?
  var hearing = Hearing.head
  /// Whether the head of the present answer was reported.
  var hasToldAnswer = false
  /// Decodes the present answer's body; nil for a plain one.
  var decoder: BodyDecoder?
  /// How many informational answers (1xx) were reported.
  var informations = 0
  var measuring: Measuring

  // The file of a download, or of the answer to an upload.
  var part: StagedPart?
  /// Whether the file is being emptied, so that nothing may be written to it.
  var isRestarting = false
  /// Whether bytes of a coded body wait for another turn of the event loop to be unfolded.
  var isUnfolding = false
  /// The answer that ended while the file was being emptied, or while bytes before its end were unfolded or written.
  var endedEarly: Response?
  var isSyncing = false
  /// The last offset reported. If the file then turns out to hold less, that must be reported as well.
  var reported: Int64
  /// Jobs under way on the file threads. The attempt does not wind up meanwhile.
  var jobs = 0

  // The file of an upload.
  var source: SourceFile?
  /// Where the source lies; nil for the file threads' own mount.
  var sourceMount: FileSystems.Mount?
  /// Calls under way on the source's lane. The end does not wait for them: they may never return.
  var looks = 0
  var upload = UploadCourse()
  /// The dialogue with the server of an upload.
  var dialogue: UploadDialogue?
  /// Where redirects have led an upload, while requests go to its upload resource.
  var home: Itinerary?
  /// What was last reported as acknowledged by the server, and when.
  var acknowledged: ResumePoint?
  var acknowledgedAt: NIODeadline
  var reply = ReplyKeeping()

  // How time passes.
  var watch: StallWatch
  var travel = Travel()
  var pace: ProgressPace
  var timers = Timers()
  var throttle = Throttle()

  // The end.
  var ending: Ending?
  var isWindingUp = false

  /// - Throws: What is wrong with the request itself.
  init(
    _ order: TransferOrder, tools: Tools, report: @escaping @Sendable (TransferFact) -> Void,
    onEnd: @escaping @Sendable (Attempt) -> Void
  ) throws(TransferFailure) {
    try order.request.checkSendable()
    itinerary = try Itinerary(order.request, redirectsMax: tools.settings.redirectsMax)
    (credentials, proxyCredentials) = (Credentials(order, own: itinerary.own), Credentials(order))
    (self.order, self.tools, self.report, self.onEnd) = (order, tools, report, onEnd)
    let own = order.request.options.bytesPerSecondMax.map(RateLimit.init(bytesPerSecond:))
    rates = [own, tools.rateLimit].compactMap(\.self)
    proxies = ProxyChoice(own: order.request.options.proxies, common: tools.settings.proxies)
    let loop = tools.loop(for: itinerary.address.origin)
    measuring = Measuring(anchor: WallAnchor(loop.now))
    place = Mutex(Place(loop: loop))
    watch = StallWatch(limit: TimeAmount(order.request.requestTimeout), at: loop.now)
    pace = ProgressPace(interval: TimeAmount(tools.settings.progressInterval))
    reported = order.resume?.offset ?? 0
    (acknowledged, acknowledgedAt) = (order.resume, loop.now)
  }

  var loop: any EventLoop { place.withLock { $0.loop } }
  var host: String { itinerary.address.host }
  /// The URL that may be told. That of an upload resource is a secret: whoever knows it can change the upload.
  var shownURL: String { (home ?? itinerary).address.text }
  /// Whether its end was asked for.
  var isStopped: Bool { place.withLock { $0.stop != nil } }

  /// Begins. Callable from anywhere, once.
  func start() { loop.execute { self.prepare() } }

  /// Asks for the end. Callable from anywhere, any number of times.
  func stop(keeps: Bool) {
    let loop = place.withLock { place in
      place.stop = .stopped(keeps ? .all : .checkpoint)
      return place.loop
    }
    loop.execute { self.heedStop() }
  }

  /// Settles how the attempt ends; the first call counts.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    cancelLease?()
    cancelLease = nil
    exchange?.abandon()
    exchange = nil
    timers.sync?.cancel()
    throttle.timer?.cancel()
    moved()
    armStallTimer()  // Progress is reported until the files are safe and closed.
    goOnIfIdle()
  }

  func fail(_ failure: TransferFailure, retryAfter: Duration? = nil, _ keeping: Keeping? = nil) {
    guard !isCarriedOut(before: failure) else { return failUnanswered(failure) }
    let isInTheWay = failure.code == .diskFull && part?.file.isShort(of: tools.settings.freeSpaceMin) == true
    end(.failed(failure, retryAfter: retryAfter, keeping ?? (isInTheWay ? .checkpoint : .all)))
  }

  /// Asks again, once the file jobs of the request before are done.
  func askAgain() {
    upload.isCutShort = true
    wantsToAsk = true
    loop.execute { self.goOnIfIdle() }
  }

  /// Does what had to wait for the files. If the attempt has moved to another loop meanwhile, that loop sees to it.
  func goOnIfIdle() {
    guard loop.inEventLoop, jobs == 0 else { return }
    if ending != nil { return windUp() }
    guard wantsToAsk, looks == 0 else { return }
    wantsToAsk = false
    ask()
  }
}

// MARK: - Asking

extension Attempt {
  /// Sends the request to the itinerary's present address, on that origin's loop.
  func ask(hasWaited: Bool = false) {
    guard ending == nil, headForUpload() else { return }
    let (origin, there) = (itinerary.address.origin, tools.loop(for: itinerary.address.origin))
    guard there === loop else { return move(to: there) }
    guard hasWaited || !putsOffAsking() else { return }
    (hearing, hasToldAnswer, decoder, isUnfolding, reply.answersWhole) = (.head, false, nil, false, false)
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

  private func move(to there: any EventLoop) {
    precondition(jobs == 0 && looks == 0 && exchange == nil, "an attempt moves with empty hands")
    disarmStallTimer()
    throttle.timer?.cancel()
    throttle = Throttle()
    place.withLock { $0.loop = there }
    there.execute {
      self.heedStop()
      self.ask()
    }
  }

  private func heedStop() {
    let (isHere, stop) = place.withLock { ($0.loop.inEventLoop, $0.stop) }
    guard isHere, let stop else { return }
    if case .stopped(.all) = stop, ending == nil, endAnswered() { return }
    end(stop)
  }

  private func leased(_ result: Result<Exchange, any Error>) {
    cancelLease = nil
    switch result {
    case .failure(let error): diagnose(error)
    case .success(let exchange):
      guard ending == nil else { return exchange.decline() }
      self.exchange = exchange
      measureConnection(exchange)
      watch.moved(at: loop.now)
      armStallTimer()
      send(on: exchange)
    }
  }

  private func send(on exchange: Exchange) {
    let sendsFile = source != nil && itinerary.sendsBody
    let body = itinerary.sendsBody && !sendsFile ? order.request.body : []
    let hasLength = itinerary.sendsBody || ["POST", "PUT", "PATCH"].contains(itinerary.method)
    let length = sendsFile ? stretch.map { Int64($0.count) } : hasLength ? Int64(body.count) : nil
    var head = HTTPRequestHead(itinerary, rest: restPoint, isConditional: asking.conditionally, bodyLength: length)
    for field in dialogue?.fields ?? [] { head.headers.replaceOrAdd(name: field.name, value: field.value) }
    showCredentials(in: &head)
    measureRequest(head, bodyLength: sendsFile ? nil : Int64(body.count))
    if rate != nil || exchange.readsLess { exchange.readAtMost(readSize, isSlow: rate != nil) }
    travel = Travel()
    if sendsFile || !body.isEmpty, let line = exchange.lineProgress {
      travel.begins(line, isOwnLine: exchange.isOwnLine)
    }
    exchange.begin(self, head: head, body: body.isEmpty ? nil : ByteBuffer(bytes: body), piecesFollow: sendsFile)
    watchTravel()
    if sendsFile { beginUpload() }
  }

  /// Where the rest of the file begins, if it may be asked for.
  var restPoint: ResumePoint? { asking.forRest && order.request.isResumable ? part?.resumePoint : nil }

  /// Prepares to ask again on another connection, without reporting anything. False if that would not help.
  func retryOnFreshConnection(after error: any Error) -> Bool {
    guard let exchange, let route, case .head = hearing else { return false }
    let pool = tools.pool(for: route.origin)
    if exchange.wantsHTTP1, !route.isHTTP1Only {
      pool.keepToHTTP1(route.origin)  // It will not answer in HTTP/2, whatever the method.
    } else if mayBeStale(exchange), exchange.isRefused || !error.isOfAnswer {
      asking.staleRetries += 1
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
    exchange.isReused && asking.staleRetries < tools.settings.staleRetriesMax
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
