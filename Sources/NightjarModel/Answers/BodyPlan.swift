/// What is to be done with the body of a download's final answer.
package enum BodyPlan: Hashable, Sendable {
  /// It is the rest that was asked for; the whole is so long.
  case append(wholeLength: Int64)
  /// It is only the beginning of that rest, and what follows has to be requested once more; the whole is so long.
  case appendBeginning(wholeLength: Int64)
  /// It is the file from its first byte. Without a validator it cannot be resumed later.
  case begin(validator: Validator?, length: Int64?)
  /// There is no rest: the file was complete already.
  case complete(wholeLength: Int64)
  /// The server still has the same version and sent all of it, as some do whatever `If-Range` says. Ask for the rest
  /// without that condition, and check the version of what comes.
  case requestPlainly
  /// The answer does not fit what was asked for; ask for the whole.
  case requestWhole(reason: String)
  /// It breaks HTTP.
  case refuse(TransferFailure)
}

extension BodyPlan {
  /// Reads the head of an answer.
  ///
  /// A part is appended only if its `Content-Range` begins where we stand, agrees with the length that we know, and
  /// nothing says that it belongs to another version. It need not run to the end (RFC 9110, section 15.3.7), but then
  /// its `Content-Length` must say the same, and it must be worth a request. It must also come from where the bytes are
  /// from that it is appended to (``Provenance``). A 200 in answer to a range is the file from its first byte, whether
  /// it changed or the server does not know ranges.
  ///
  /// - Parameters:
  ///   - asked: The point from which the rest was asked for; nil if the whole was.
  ///   - provenance: Where the answer comes from; nil if nobody redirects.
  ///   - isConditional: Whether `If-Range` went along. If not, a part has to prove its version.
  ///   - isResumable: Whether a later request for the rest would mean the same resource: a plain GET of ours.
  package init(
    _ head: AnswerHead, asked: ResumePoint?, from provenance: Provenance? = nil, isConditional: Bool = true,
    isResumable: Bool, host: String
  ) {
    let isElsewhere = asked?.isElsewhere(than: provenance) ?? false
    switch (head.status, asked) {
    case (206, _?) where isElsewhere, (416, _?) where isElsewhere:
      self = .requestWhole(reason: "an answer from elsewhere than the bytes so far")
    case (206, let asked?): self = Self.part(head, asked: asked, isConditional: isConditional)
    case (200, let asked?) where isConditional && !isElsewhere && Self.isWorthRequestingPlainly(head, asked):
      self = .requestPlainly
    case (206, nil) where isResumable:
      self = .refuse(TransferFailure(.badServerResponse, "\(host) answered with a part though the whole was asked for"))
    case (416, let asked?): self = Self.unsatisfiable(head, asked: asked)
    case (200, _):
      self = .begin(validator: isResumable && !head.isCoded ? head.validator : nil, length: head.contentLength)
    case (201..<300, _?) where head.status != 203, (304, _?), (412, _?):
      self = .requestWhole(reason: "\(head.status) instead of the rest")
    case (_, _): self = .begin(validator: nil, length: head.contentLength)
    }
  }

  /// Whether a whole answer is of the very version that is being resumed, and so much has come that saving it is worth
  /// a request.
  private static func isWorthRequestingPlainly(_ head: AnswerHead, _ asked: ResumePoint) -> Bool {
    asked.offset > worthwhileMin && !head.isCoded && head.validator == asked.validator
      && head.headers[field: "Accept-Ranges"]?.lowercased() != "none"
      && (asked.length == nil || head.contentLength == nil || head.contentLength == asked.length)
  }

  private static let worthwhileMin: Int64 = 64 << 10

  private static func part(_ head: AnswerHead, asked: ResumePoint, isConditional: Bool) -> BodyPlan {
    let type = head.headers[field: "Content-Type"]?.lowercased() ?? ""
    guard !type.hasPrefix("multipart/byteranges") else { return .requestWhole(reason: "several parts instead of one") }
    guard let range = head.contentRange, let positions = range.positions else {
      return .requestWhole(reason: "a part without a readable Content-Range")
    }
    guard positions.lowerBound == asked.offset, let total = range.total, positions.upperBound < total else {
      return .requestWhole(reason: "another range than the one asked for")
    }
    guard asked.length == nil || asked.length == total else {
      return .requestWhole(reason: "another length than before")
    }
    let isRest = positions.upperBound == total - 1
    guard isRest && head.contentLength == nil || head.contentLength == Int64(positions.count) else {
      return .requestWhole(reason: "a Content-Length that does not fit the Content-Range")
    }
    guard isRest || positions.count >= worthwhileMin else { return .requestWhole(reason: "hardly more than nothing") }
    guard !head.isCoded, isSameVersion(head, as: asked.validator, isConditional: isConditional) else {
      return .requestWhole(reason: "a part of another version")
    }
    return isRest ? .append(wholeLength: total) : .appendBeginning(wholeLength: total)
  }

  private static func unsatisfiable(_ head: AnswerHead, asked: ResumePoint) -> BodyPlan {
    let isWhole = head.contentRange?.total == asked.offset
    let isKnown = asked.length.map { $0 == asked.offset } ?? (head.validator == asked.validator)
    return isWhole && isKnown && !contradicts(head, asked.validator)
      ? .complete(wholeLength: asked.offset) : .requestWhole(reason: "there is nothing beyond what came so far")
  }

  /// A 206 must carry the entity tag (RFC 9110, section 15.3.7), so a missing one is not trusted; `Last-Modified` may
  /// be left out where `If-Range` went along.
  private static func isSameVersion(_ head: AnswerHead, as validator: Validator?, isConditional: Bool) -> Bool {
    switch validator {
    case .entityTag(let tag)?: head.headers[field: "ETag"] == tag
    case .lastModified(let date)?:
      isConditional ? !contradicts(head, validator) : head.headers[field: "Last-Modified"] == date
    case nil: false
    }
  }

  private static func contradicts(_ head: AnswerHead, _ validator: Validator?) -> Bool {
    switch validator {
    case .entityTag(let tag)?: head.headers[field: "ETag"].map { $0 != tag } ?? false
    case .lastModified(let date)?: head.headers[field: "Last-Modified"].map { $0 != date } ?? false
    case nil: false
    }
  }
}
