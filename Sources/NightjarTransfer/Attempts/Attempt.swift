import Logging
import NIOCore
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

  /// How the request may still be made.
  struct Manner {
    /// Whether the rest may be asked for; not once a server has answered such a request with nonsense.
    var wantsRest = true
    /// Whether the rest is asked for with `If-Range`; not once a server has sent the whole of the same version.
    var isConditional = true
    /// Whether the whole is fetched once more because it did not have the checksum that the client gave.
    var isSecondFetch = false
    /// Whether what is asked for goes on with an answer that has come in part.
    var asksForNextPart = false
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
  var route: Route?
  var credentials: Credentials
  /// The credentials for the proxy.
  var proxyCredentials: Credentials
  var manner = Manner()
  /// The page that is asked for in place of what has led to it.
  var page: UploadResource?
  private var mustRequestAgain = false
  var cancelLease: (() -> Void)?

  // What it hears.
  var exchange: Exchange?
  var answer = PresentAnswer()
  /// How many informational answers (1xx) were reported.
  var informations = 0
  var measuring: Measuring

  // The file of a download, or of the answer to an upload.
  var part: StagedPart?
  /// Whether the file is being emptied, so that nothing may be written to it.
  var isRestarting = false
  var syncing = Syncing()
  /// The last offset reported. If the file then turns out to hold less, that must be reported as well.
  var reported: Int64
  /// Jobs under way on the file threads. The attempt does not wind up meanwhile.
  var jobs = 0

  // The file of an upload.
  var source = UploadSource()
  var upload = UploadCourse()
  /// The dialogue with the server of an upload.
  var dialogue: UploadDialogue?
  /// Where redirects have led an upload, while requests go to its upload resource.
  var home: Itinerary?
  var acknowledgements: AcknowledgementPace
  var reply = ReplyKeeping()

  // How time passes.
  var movement: Movement
  var pace: ProgressPace
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
    movement = Movement(limit: TimeAmount(order.request.requestTimeout), at: loop.now)
    pace = ProgressPace(interval: TimeAmount(tools.settings.progressInterval))
    reported = order.resume?.offset ?? 0
    acknowledgements = AcknowledgementPace(tools.settings, last: order.resume, at: loop.now)
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

  /// Goes on where the origin of the next request is talked to.
  func move(to there: any EventLoop) {
    precondition(jobs == 0 && source.looks == 0 && exchange == nil, "an attempt moves with empty hands")
    movement.disarm()
    throttle.timer?.cancel()
    throttle = Throttle()
    place.withLock { $0.loop = there }
    there.execute {
      self.heedStop()
      self.sendRequest()
    }
  }

  private func heedStop() {
    let (isHere, stop) = place.withLock { ($0.loop.inEventLoop, $0.stop) }
    guard isHere, let stop else { return }
    if case .stopped(.all) = stop, ending == nil, endAnswered() { return }
    end(stop)
  }

  /// Settles how the attempt ends; the first call counts.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    cancelLease?()
    cancelLease = nil
    exchange?.abandon()
    exchange = nil
    syncing.disarm()
    throttle.timer?.cancel()
    moved()
    armStallTimer()  // Progress is reported until the files are safe and closed.
    goOnIfIdle()
  }

  func fail(_ failure: TransferFailure, retryAfter: Duration? = nil, _ keeping: Keeping? = nil) {
    guard !isCarriedOut else { return failUnanswered(failure) }
    let isInTheWay = failure.code == .diskFull && part?.file.isShort(of: tools.settings.freeSpaceMin) == true
    end(.failed(failure, retryAfter: retryAfter, keeping ?? (isInTheWay ? .checkpoint : .all)))
  }

  /// Makes the request again, once the file jobs of the request before are done.
  func requestAgain() {
    upload.isCutShort = true
    mustRequestAgain = true
    loop.execute { self.goOnIfIdle() }
  }

  /// Does what had to wait for the files. If the attempt has moved to another loop meanwhile, that loop sees to it.
  func goOnIfIdle() {
    guard loop.inEventLoop, jobs == 0 else { return }
    if ending != nil { return windUp() }
    guard mustRequestAgain, source.looks == 0 else { return }
    mustRequestAgain = false
    sendRequest()
  }
}
