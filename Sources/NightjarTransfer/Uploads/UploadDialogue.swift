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
  let method: String
  let versions: [UploadVersion]
  private(set) var step: Step
  private(set) var resource: UploadResource?
  /// Who names the resource in an answer to the present request, as far as somebody answers for it.
  var namer: String?
  /// The version that the server is known to speak.
  private var spoken: UploadVersion?
  /// How much of the file the server says that it has.
  var reach: UploadReach
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

  /// Takes in what settles the doubt: the upload was not carried out, or this is the answer to it.
  mutating func settleDoubt() { mayBeDone = false }
}

// MARK: - Going on

extension UploadDialogue {
  /// The present request came to nothing and is to be made again: where the server can go on, it is asked how far it
  /// is.
  mutating func broken() {
    if resource != nil { step = .inquire }
  }

  /// Whether a version is spoken here, and the server has not refused it.
  func mayOffer(_ version: UploadVersion) -> Bool { versions.contains(version) && !refused.contains(version) }

  /// Offers another version than the one that the server has refused, or none.
  mutating func offer(_ other: UploadVersion?, insteadOf version: UploadVersion) {
    refused.insert(version)
    step = .create(other)
  }

  /// Begins with the first so many bytes only.
  mutating func createPart(_ version: UploadVersion, count: Int64) { step = .createPart(version, count: count) }

  /// Takes the server's upload resource from an answer of the version that was offered.
  ///
  /// Nothing is ever sent in the clear to where it was to go encrypted. A server that would take next to nothing at a
  /// time counts as one that cannot go on.
  mutating func adopt(_ head: AnswerHead, at address: WebAddress) -> Bool {
    guard !isAway, let offered, head.uploadVersion == offered, let location = head.headers[field: "Location"],
      let url = Self.place(location, from: address), !reach.isTrifle(head.uploadAppendMax ?? length, from: 0)
    else { return false }
    resource = UploadResource(url: url, version: offered, appendMax: head.uploadAppendMax, namer: namer)
    spoken = offered
    return true
  }

  /// Goes on where the server's upload resource has moved to; false if that is nowhere.
  mutating func follow(_ head: AnswerHead, from address: WebAddress) -> Bool {
    guard let location = head.headers[field: "Location"], let url = Self.place(location, from: address) else {
      return false
    }
    // Only he who answers for the place may answer for the next one, too.
    if resource?.namer != address.origin.text { resource?.namer = nil }
    resource?.url = url
    return true
  }

  /// Sends no more than so many bytes with one request from now on.
  mutating func limitParts(to most: Int64) { resource?.appendMax = most }

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

  /// Believes the server that it has so much, if that is more than before and no more than it was sent.
  @discardableResult
  mutating func grow(to offset: Int64?) -> Bool {
    guard let offset, let stretch, offset > self.offset, offset <= stretch.upperBound else { return false }
    reach.advance(to: offset)
    return true
  }

  /// Sends what follows the bytes that the server has.
  mutating func goOn() {
    let rest = length - offset
    step = .append(offset..<(offset + min(rest, resource?.appendMax ?? rest)))
  }

  /// Asks how far the server is; if that is of no use, `other` is to be done.
  mutating func inquire(orTake other: Consequence) -> Consequence { inquires() ? .next : other }

  /// What a server says about a part is no answer to the upload: whoever waits for that would take it for the end.
  mutating func inquire(orBeginAgain failure: TransferFailure) -> Consequence {
    inquires() ? .next : beginAgain(failure)
  }

  /// Asks how far the server is, unless that has not helped before.
  private mutating func inquires() -> Bool {
    guard reach.doubt(), resource != nil else { return false }
    step = .inquire
    return true
  }

  /// Forgets the upload resource, so that the next attempt begins at the first byte.
  mutating func forget() { (resource, reach) = (nil, UploadReach(of: length)) }

  /// Begins at the first byte, if the server cannot have carried the upload out; once in an attempt.
  mutating func beginAgain(_ failure: TransferFailure) -> Consequence {
    guard !mayBeDone else { return .unanswered(failure) }
    forget()
    guard !hasBegunAgain else { return .fail(failure, retryAfter: nil) }
    hasBegunAgain = true
    step = .create(spoken ?? versions.first)
    return .next
  }
}
