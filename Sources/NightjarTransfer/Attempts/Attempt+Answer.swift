import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NightjarModel

/// What an attempt makes of a server's answer.
extension Attempt: ExchangeOwner {
  func exchangeInformed(_ head: HTTPResponseHead) -> Bool {
    moved()
    let head = AnswerHead(head)
    measureInformation(head)
    pass(on: head)
    return learn(head)
  }

  /// Tells what the server has said before its answer. After 101 none is to come; where an upload goes on is a secret,
  /// unless it is the client that speaks the draft.
  private func pass(on head: AnswerHead) {
    guard head.status != 101, informations < tools.settings.informationalToldMax else { return }
    informations += 1
    var response = head.response(from: shownURL)
    if head.status == 104, dialogue?.isSpoken == true {
      response.headers.removeAll { $0.name.lowercased() == "location" }
    }
    report(.informed(response))
  }

  func exchangeSent(isLast: Bool) {
    moved()
    if isLast { noteDeparture() } else { report(finalProgress: false) }
  }

  func exchangeAnswered(_ head: HTTPResponseHead) {
    moved()
    let head = AnswerHead(head)
    measureAnswer(head)
    answer.coversWhole = hasSentAll
    if let proxy = route?.readingProxy {
      if head.status == 407 { return heed(head, of: proxy) }
      proxyCredentials.satisfied(.proxy(proxy, before: itinerary.address.origin))
    }
    tellThrottling(head)
    itinerary.takeCookies(head)
    if head.status == 401, demand(head) { return }
    if (200...299).contains(head.status) { credentials.satisfied(.server(itinerary.address.origin)) }
    if dialogue?.isAway == true, !leadsToPage(head) { return hear(head) }
    if Itinerary.isRedirect(head.status), let location = head.headers[field: "Location"] {
      return redirect(head, location)
    }
    // Where an upload can be gone on with, its dialogue knows what is to be sent again. After one part of a file there
    // is nothing to be had from an answer that is none.
    let isPatient = order.retriesServerErrors || manner.asksForNextPart
    if isPatient, dialogue?.resource == nil, isToRepeat(head) { return busy(head) }
    if order.request.isUpload {
      hear(head)
    } else if order.request.options.showsAnswer {
      end(.asked(.answer(head.response(from: itinerary.address.text))))
    } else {
      let plan = BodyPlan(
        head, asked: restPoint, from: itinerary.address.provenance, isConditional: manner.isConditional,
        isResumable: order.request.isResumable, host: host)
      follow(plan, head)
    }
  }

  func exchangeReceived(_ bytes: ByteBuffer) {
    guard case .body = answer.hearing, ending == nil else { return }
    moved()
    meter(bytes.readableBytes)
    measure { $0.responseBodyBytes += Int64(bytes.readableBytes) }
    do {
      try take(bytes)
    } catch {
      failInBody(error)
    }
  }

  func exchangePaused() {
    guard !isRestarting, ending == nil, !isDirect else { return }
    do { try flush() } catch { fail(error) }
  }

  func exchangeEnded() {
    let isFinal = mayBeDone
    exchange = nil
    measureEnd()
    switch answer.hearing {
    case .head:
      let failure = TransferFailure(.badServerResponse, "\(host) ended an answer that it had not begun")
      isFinal ? failUnanswered(failure) : fail(failure)
    case .body(let response): finish(response)
    case .unwanted(let next): proceed(to: next)
    }
  }

  func exchangeBroke(_ error: any Error) {
    if retryOnFreshConnection(after: error) { return requestAgain() }
    let isFinal = mayBeDone && exchange?.isRefused != true && !error.isRefusal
    exchange = nil
    measureEnd()
    switch (answer.hearing, error) {
    case (.unwanted(let next), _): proceed(to: next)  // The head was all that was needed.
    case (.body, let end as NIOHTTP2Errors.StreamClosed): failInBody(.ending(end, host))
    case (.body, _): failInBody(.reading(error, host: host, isAnswered: true))
    case (.head, _) where isFinal: failUnanswered(.reading(error, host: host, proxy: route?.proxy))
    case (.head, _): diagnose(error)
    }
  }

  /// A body that breaks HTTP is not to be trusted from its first byte; one that merely ends early is. The answer to an
  /// upload can do without its body.
  func failInBody(_ failure: TransferFailure, _ keeping: Keeping? = nil) {
    if case .body(let response) = answer.hearing, answer.coversWhole { return finish(response, without: failure) }
    if case .body(let response) = answer.hearing, isTaken(response) { return failUnanswered(failure) }
    if let part { tell(part.count, of: part.length) }  // What came in vain counts, too.
    fail(failure, keeping ?? (failure.code == .badServerResponse ? .nothing : nil))
  }

  private func redirect(_ head: AnswerHead, _ location: String) {
    let method = (home ?? itinerary).method
    do {
      try itinerary.follow(status: head.status, location: location, answering: home?.method)
      measuring.metrics.redirects += 1
      if home != nil { (dialogue, home) = (nil, nil) }  // The whole has been answered, and nothing goes on.
      rememberPage()
      ignore(then: .requestAgain)
    } catch {
      let isTaken = answer.coversWhole && AnswerHead.becomesGet(after: head.status, method: method)
      if isTaken { loseBody(of: head, error) } else { ignore(then: .fail(error, retryAfter: nil)) }
    }
  }

  /// Reports that the host has had enough for now, which concerns whatever else waits for it. Where a redirect has led
  /// to another host, that one's wish concerns this attempt alone.
  private func tellThrottling(_ head: AnswerHead) {
    guard head.isThrottling, itinerary.isAtStart, let wish = head.retryAfter else { return }
    report(.throttled(for: wish))
  }

  private func busy(_ head: AnswerHead) {
    let wish = head.retryAfter.map { "; it asks to wait \(inWords($0))" } ?? ""
    let failure = TransferFailure(.serverBusy, "\(host) answered \(head.status)\(wish)")
    ignore(then: .fail(failure, retryAfter: head.retryAfter))
  }

  private func inWords(_ wish: Duration) -> String {
    let most = tools.settings.retryAfterMax
    return wish > most ? "more than \(most.inWords)" : wish.inWords
  }

  private func follow(_ plan: BodyPlan, _ head: AnswerHead) {
    let url = itinerary.address.text
    switch plan {
    case .append(let length), .appendBeginning(let length):
      guard prepareToDecode(head) else { return }
      part?.length = length
      part?.provenance = itinerary.address.provenance
      answer.partEnd = head.contentRange?.positions.map { $0.upperBound + 1 }
      expect(head.response(from: url, wholeLength: length))
    case .begin(let validator, let length):
      let hasBody = AnswerHead.hasBody(head.status, to: itinerary.method)
      guard !hasBody || prepareToDecode(head) else { return }
      (manner.asksForNextPart, answer.isTold) = (false, false)
      begin(validator, hasBody && answer.decoder == nil ? length : nil)
      expect(head.response(from: url))
    case .complete(let length): ignore(then: .finish(head.response(from: url, wholeLength: length)))
    case .requestWhole(let reason):
      tools.logger.debug("asking for the whole", metadata: ["transfer": "\(order.id)", "reason": "\(reason)"])
      manner.wantsRest = false
      ignore(then: .requestAgain)
    case .requestPlainly:
      manner.isConditional = false
      ignore(then: .requestAgain)
    case .refuse(let failure): ignore(then: .fail(failure, retryAfter: nil))
    }
  }

  /// Does what the end of an answer was waited for that is of no use.
  func proceed(to next: Next) {
    switch next {
    case .requestAgain: requestAgain()
    case .ask(let challenge): end(.asked(.challenge(challenge)))
    case .fail(let failure, let retryAfter): fail(failure, retryAfter: retryAfter)
    case .giveUp(let failure): failUnanswered(failure)
    case .finish(let response): finishVerified(response)
    }
  }

  func ignore(then next: Next) {
    answer.hearing = .unwanted(next)
    upload.isCutShort = true
    exchange?.ignoreBody()
  }

  func finish(_ response: Response) {
    guard !isCatchingUp else {
      answer.endedEarly = response
      return
    }
    guard answer.decoder?.isComplete ?? true else {
      return failInBody(
        TransferFailure(.connectionLost, "\(host) ended its answer in the middle of the coded body"), .nothing)
    }
    guard isComplete else {
      if let end = answer.partEnd, end == part?.count { return requestNextPart() }
      return fail(TransferFailure(.connectionLost, "\(host) ended its answer before the end of the file"))
    }
    if order.request.isUpload || pace.hasTold { report(finalProgress: true) }  // Else its end says it all.
    finishVerified(response)
  }
}
