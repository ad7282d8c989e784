import NightjarModel

/// What is said, request by request, to get one file to a server that may be able to go on after a cut.
///
/// The draft *Resumable Uploads for HTTP* (draft-ietf-httpbis-resumable-upload) as its client, without any network: it
/// is handed the heads of answers, and says what to ask next. The first request is the ordinary one with a few more
/// fields ("optimistic creation"), so a server that knows nothing of it sees an ordinary upload. One that does
/// announces an upload resource with 104 before its final answer; from then on a cut costs what was not yet
/// acknowledged.
///
/// The newest version is offered first. A server that speaks only older ones refuses the request and names its own,
/// which is offered then; one that ignores the number takes an ordinary upload.
struct UploadDialogue: Hashable, Sendable {
  /// The length of the file.
  let length: Int64
  /// That of the upload itself: it says whether it may be carried out twice.
  private let method: String
  private let versions: [UploadVersion]
  private(set) var step: Step
  private(set) var resource: UploadResource?
  /// Who names the resource in an answer to the present request, as far as somebody answers for it.
  var namer: String?
  /// The version that the server is known to speak.
  private var spoken: UploadVersion?
  private var reach: UploadReach
  private var refused: Set<UploadVersion> = []
  private var hasBegunAgain = false
  /// Whether all of what must not be carried out twice has left, and nothing said since shows that it was not done.
  private var mayBeDone = false

  /// - Parameters:
  ///   - versions: The versions to be spoken, the one to be offered first; none for ordinary uploads only.
  ///   - resume: What is remembered of earlier attempts.
  init(length: Int64, method: String = "PUT", versions: [UploadVersion], resume: ResumePoint?) {
    (self.length, self.method, self.versions, reach) = (length, method, versions, UploadReach(of: length))
    step = .create(versions.first)
    guard let resume, let resource = resume.upload, let version = resource.version, versions.contains(version) else {
      return
    }
    (self.resource, spoken, step) = (resource, version, .inquire)
    mayBeDone = resume.offset >= length && !AnswerHead.isRepeatable(method)
    if !mayBeDone { reach = UploadReach(of: length, offset: min(resume.offset, length)) }
  }

  /// Whether the draft is spoken at all, so that where the upload goes on concerns nobody else.
  var isSpoken: Bool { !versions.isEmpty }

  /// Bytes that the server has acknowledged.
  var offset: Int64 { reach.offset }

  /// The bytes of the file that go with the present request; nil if none is to have a body.
  var stretch: Range<Int64>? {
    switch step {
    case .create: 0..<length
    case .createPart(_, let count): 0..<count
    case .inquire: nil
    case .append(let range): range
    }
  }

  /// Whether the present request goes to the upload resource rather than where the client wants the file.
  var isAway: Bool {
    switch step {
    case .create, .createPart: false
    case .inquire, .append: true
    }
  }

  /// Whether the present request brings the end of the file, so that its answer is the answer to the upload.
  var isAtEnd: Bool { if case .append(let range) = step { range.upperBound == length } else { false } }

  /// What is to be remembered; an upload that may have been carried out is remembered as one of which all has arrived.
  var point: ResumePoint {
    ResumePoint(offset: mayBeDone ? length : offset, validator: nil, length: length, upload: resource)
  }

  /// Takes in that another request with a part of the file begins: the one before it was refused, or did not bring the
  /// end.
  mutating func begins() { if stretch != nil { mayBeDone = false } }

  /// Takes in that every byte of the present request has left.
  mutating func allHasLeft() { mayBeDone = stretch?.upperBound == length && !AnswerHead.isRepeatable(method) }
}

// MARK: - Hearing

extension UploadDialogue {
  /// Takes in an interim answer. One without the version that was offered is no concern of ours.
  mutating func inform(_ head: AnswerHead, at address: WebAddress) -> News {
    guard head.status == 104 else { return .none }
    let isNew = resource == nil && adopt(head, at: address)
    let hasGrown = resource != nil && grow(to: head.uploadOffset)
    if isNew, isTooMuch {
      step = .inquire
      return .tooMuch
    }
    return isNew || hasGrown ? .acknowledged : .none
  }

  /// Takes in the head of a final answer.
  ///
  /// - Parameters:
  ///   - retries: Whether a busy server is left alone and asked again later.
  ///   - asksForOffset: Whether one that is asked for the offset is, too, where the upload could begin again.
  ///   - hasAll: Whether the last byte of the file had been sent by then.
  mutating func hear(
    _ head: AnswerHead, at address: WebAddress, retries: Bool, asksForOffset: Bool = true, hasAll: Bool = true
  ) -> Consequence {
    let heard = Heard(head: head, address: address, retries: retries, asksForOffset: asksForOffset, hasAll: hasAll)
    // A final answer settles the doubt, unless it is a gateway's: the server behind it may have carried the upload out.
    // So may one that knows nothing of the upload when it is only told of its end.
    let isForgotten = stretch?.isEmpty == true && [404, 410].contains(head.status)
    if step != .inquire, !isForgotten, !head.isBusy || head.isBusy(for: method) { mayBeDone = false }
    let goesOn = retries && canGoOn(after: heard)
    return switch step {
    case .create where goesOn, .createPart where goesOn: busy(heard)
    case .create(let version): created(heard, version)
    case .createPart(_, let count): createdPart(heard, count)
    case .inquire: inquired(heard)
    case .append(let range): appended(heard, range)
    }
  }

  /// A final answer, and how it is to be taken.
  private struct Heard {
    let head: AnswerHead
    /// Who has given it.
    let address: WebAddress
    let retries: Bool
    let asksForOffset: Bool
    let hasAll: Bool

    func refusal(_ what: String) -> TransferFailure {
      TransferFailure(.badServerResponse, "\(address.host) \(what)")
    }
  }

  /// Whether a server that is busy has begun with the upload: it can be gone on with then, and nothing is done twice.
  /// But 500 may be what came of the whole, if that was sent: asked for the offset, it would then only say that it has
  /// every byte.
  private func canGoOn(after heard: Heard) -> Bool {
    guard resource != nil, heard.head.isBusy else { return false }
    return switch heard.head.isUploadComplete {
    case true?: false
    case false?: true
    case nil: !heard.hasAll || heard.head.status != 500
    }
  }

  private mutating func created(_ heard: Heard, _ version: UploadVersion?) -> Consequence {
    guard let version else { return .answer }
    let head = heard.head
    if (400...499).contains(head.status), resource == nil {
      if let other = head.uploadVersion, other != version, versions.contains(other), !refused.contains(other) {
        refused.insert(version)
        step = .create(other)
        return .next
      }
      if head.namesOtherVersion(than: versions) {
        step = .create(nil)
        return .next
      }
      if head.status == 413, head.uploadVersion == version, let most = head.uploadAppendMax, most < length,
        !reach.isTrifle(most, from: 0)
      {
        step = .createPart(version, count: most)
        return .next
      }
    }
    guard (200...299).contains(head.status), head.isUploadComplete == false, resource != nil else {
      return processed(heard)
    }
    return inquire(orBeginAgain: heard.refusal("answers a whole upload as if it were a part"))
  }

  private mutating func createdPart(_ heard: Heard, _ count: Int64) -> Consequence {
    guard (200...299).contains(heard.head.status) else { return processed(heard) }
    if resource == nil { _ = adopt(heard.head, at: heard.address) }
    guard resource != nil else {
      return .fail(heard.refusal("takes the file in parts and does not say where the rest goes"), retryAfter: nil)
    }
    grow(to: heard.head.uploadOffset ?? count)
    goOn()
    return .next
  }

  private mutating func inquired(_ heard: Heard) -> Consequence {
    let head = heard.head
    let asksAgain = heard.retries && (heard.asksForOffset || !AnswerHead.isRepeatable(method))
    switch head.status {
    case 200...299: return learned(heard)
    case 307, 308: return moved(heard)
    case 404, 410: return beginAgain(heard.refusal("does not know the upload any more"))
    case _ where asksAgain && (head.isBusy || [409, 423, 425].contains(head.status)): return busy(heard)
    case _ where AnswerHead.isRepeatable(method):
      return beginAgain(heard.refusal("answers \(head.status) when asked for the offset of an upload"))
    default: return .answer  // It may have the whole, which must not be carried out twice.
    }
  }

  private mutating func learned(_ heard: Heard) -> Consequence {
    let head = heard.head
    guard let offset = head.uploadOffset else {
      return beginAgain(heard.refusal("does not tell the offset of an upload"))
    }
    guard offset <= length, head.uploadLength ?? length == length else {
      return beginAgain(heard.refusal("claims to have \(offset) bytes of an upload of \(length)"))
    }
    if offset < length { mayBeDone = false }
    if let most = head.uploadAppendMax { resource?.appendMax = most }
    if let most = resource?.appendMax, reach.isTrifle(most, from: offset) {
      return beginAgain(heard.refusal("takes no more than \(most) bytes of an upload at a time"))
    }
    reach.advance(to: offset)
    if offset == length, head.isUploadComplete == true { return .complete }
    goOn()
    return .next
  }

  private mutating func appended(_ heard: Heard, _ range: Range<Int64>) -> Consequence {
    let (head, isLast) = (heard.head, range.upperBound == length)
    // It had every byte before, and wants no more.
    let refusesPart = !heard.hasAll && [400, 409, 412].contains(head.status)
    if isLast, head.isUploadComplete == true, !refusesPart { return processed(heard) }
    switch head.status {
    case 200...299 where isLast: return head.isUploadComplete == false ? incomplete(heard) : .answer
    case 200...299: return advanced(heard, over: range)
    case 307, 308: return moved(heard)
    case 404, 410: return beginAgain(heard.refusal("does not know the upload any more"))
    case 409 where head.isUploadComplete != true: return corrected(heard, sent: range.lowerBound)
    case 413: return shortened(heard, Int64(range.count))
    case 400, 409, 412: return inquire(orTake: .answer)  // What it refuses for good may be the file itself.
    case _ where heard.retries && (isLast ? canGoOn(after: heard) : head.isBusy): return busy(heard)
    default: return processed(heard)
    }
  }

  /// This is what the server makes of the whole. If it is too busy for that, only another upload helps: asked for the
  /// offset, it would say that it has every byte.
  private mutating func processed(_ heard: Heard) -> Consequence {
    guard heard.head.isBusy(for: method), heard.retries else { return .answer }
    forget()
    return busy(heard)
  }

  private mutating func advanced(_ heard: Heard, over range: Range<Int64>) -> Consequence {
    let start = range.lowerBound
    grow(to: heard.head.uploadOffset ?? range.upperBound)
    guard offset > start, !reach.isTrifle(offset - start, from: start) || reach.doubt() else {
      return inquire(orBeginAgain: heard.refusal("takes a part of an upload and has next to nothing more"))
    }
    goOn()
    return .next
  }

  /// It has the last byte, and waits for more.
  private mutating func incomplete(_ heard: Heard) -> Consequence {
    inquire(orBeginAgain: heard.refusal("takes the end of an upload and says that it is not complete"))
  }

  /// The offset that we sent is not the server's: its word counts.
  private mutating func corrected(_ heard: Heard, sent: Int64) -> Consequence {
    guard let offset = heard.head.uploadOffset, offset <= length, offset != sent, reach.doubt() else {
      return inquire(orBeginAgain: heard.refusal("does not take an upload at the offset that it tells"))
    }
    reach.correct(to: offset)
    goOn()
    return .next
  }

  /// The part was too large. Who takes ever less, and never any, has answered.
  private mutating func shortened(_ heard: Heard, _ count: Int64) -> Consequence {
    guard reach.doubt(), let most = heard.head.uploadAppendMax, most < count, !reach.isTrifle(most, from: offset) else {
      return .answer
    }
    resource?.appendMax = most
    goOn()
    return .next
  }

  private mutating func moved(_ heard: Heard) -> Consequence {
    guard reach.doubt(), let location = heard.head.headers[field: "Location"],
      let next = Self.place(location, from: heard.address)
    else { return beginAgain(heard.refusal("sends an upload to nowhere")) }
    // Only he who answers for the place may answer for the next one, too.
    if resource?.namer != heard.address.origin.text { resource?.namer = nil }
    resource?.url = next
    return .next
  }

  private func busy(_ heard: Heard) -> Consequence {
    let (host, status) = (heard.address.host, heard.head.status)
    let failure = TransferFailure(.serverBusy, "\(host) answered \(status) to a part of an upload")
    return .fail(failure, retryAfter: heard.head.retryAfter)
  }
}

// MARK: - Going on

extension UploadDialogue {
  /// The present request came to nothing and is to be made again: where the server can go on, it is asked how far it
  /// is.
  mutating func broken() {
    if resource != nil { step = .inquire }
  }

  /// Takes the server's upload resource from an answer of the version that was offered.
  ///
  /// Nothing is ever sent in the clear to where it was to go encrypted. A server that would take next to nothing at a
  /// time counts as one that cannot go on.
  private mutating func adopt(_ head: AnswerHead, at address: WebAddress) -> Bool {
    guard !isAway, let offered, head.uploadVersion == offered, let location = head.headers[field: "Location"],
      let url = Self.place(location, from: address), !reach.isTrifle(head.uploadAppendMax ?? length, from: 0)
    else { return false }
    resource = UploadResource(url: url, version: offered, appendMax: head.uploadAppendMax, namer: namer)
    spoken = offered
    return true
  }

  private var offered: UploadVersion? {
    switch step {
    case .create(let version): version
    case .createPart(let version, _): version
    case .inquire, .append: nil
    }
  }

  private static func place(_ location: String, from address: WebAddress) -> String? {
    guard location.utf8.count <= urlMax, let next = try? address.resolving(location),
      next.scheme == .https || address.scheme == .http
    else { return nil }
    return next.text
  }

  private static let urlMax = 4096

  private var isTooMuch: Bool {
    guard let most = resource?.appendMax, let stretch else { return false }
    return Int64(stretch.count) > most
  }

  /// Believes the server that it has so much, if that is more than before and no more than it was sent.
  @discardableResult
  private mutating func grow(to offset: Int64?) -> Bool {
    guard let offset, let stretch, offset > self.offset, offset <= stretch.upperBound else { return false }
    reach.advance(to: offset)
    return true
  }

  private mutating func goOn() {
    let rest = length - offset
    step = .append(offset..<(offset + min(rest, resource?.appendMax ?? rest)))
  }

  private mutating func inquire(orTake other: Consequence) -> Consequence { inquires() ? .next : other }

  /// What a server says about a part is no answer to the upload: whoever waits for that would take it for the end.
  private mutating func inquire(orBeginAgain failure: TransferFailure) -> Consequence {
    inquires() ? .next : beginAgain(failure)
  }

  /// Asks how far the server is, unless that has not helped before.
  private mutating func inquires() -> Bool {
    guard reach.doubt(), resource != nil else { return false }
    step = .inquire
    return true
  }

  /// Forgets the upload resource, so that the next attempt begins at the first byte.
  private mutating func forget() { (resource, reach) = (nil, UploadReach(of: length)) }

  /// Begins at the first byte, if the server cannot have carried the upload out; once in an attempt.
  private mutating func beginAgain(_ failure: TransferFailure) -> Consequence {
    guard !mayBeDone else { return .unanswered(failure) }
    forget()
    guard !hasBegunAgain else { return .fail(failure, retryAfter: nil) }
    hasBegunAgain = true
    step = .create(spoken ?? versions.first)
    return .next
  }
}
