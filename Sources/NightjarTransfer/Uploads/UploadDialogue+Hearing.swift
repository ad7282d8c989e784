import NightjarModel

/// What the dialogue makes of answers: each step has one function that takes in the final answer to it.
extension UploadDialogue {
  /// Takes in an interim answer. One without the version that was offered is no concern of ours.
  mutating func inform(_ head: AnswerHead, at address: WebAddress) -> News {
    guard head.status == 104 else { return .none }
    let isNew = resource == nil && adopt(head, at: address)
    let hasGrown = resource != nil && grow(to: head.uploadOffset)
    if isNew, isTooMuch {
      broken()
      return .tooMuch
    }
    return isNew || hasGrown ? .acknowledged : .none
  }

  /// Whether the present request sends more than the server takes with one.
  private var isTooMuch: Bool {
    guard let most = resource?.appendMax, let stretch else { return false }
    return Int64(stretch.count) > most
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
    if step != .inquire, !isForgotten, !head.isBusy || head.isBusy(for: method) { settleDoubt() }
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
      if let other = head.uploadVersion, other != version, mayOffer(other) {
        offer(other, insteadOf: version)
        return .next
      }
      if head.namesOtherVersion(than: versions) {
        offer(nil, insteadOf: version)
        return .next
      }
      if head.status == 413, head.uploadVersion == version, let most = head.uploadAppendMax, most < length,
        !reach.isTrifle(most, from: 0)
      {
        createPart(version, count: most)
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
    if offset < length { settleDoubt() }
    if let most = head.uploadAppendMax { limitParts(to: most) }
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
    limitParts(to: most)
    goOn()
    return .next
  }

  private mutating func moved(_ heard: Heard) -> Consequence {
    guard reach.doubt(), follow(heard.head, from: heard.address) else {
      return beginAgain(heard.refusal("sends an upload to nowhere"))
    }
    return .next
  }

  private func busy(_ heard: Heard) -> Consequence {
    let (host, status) = (heard.address.host, heard.head.status)
    let failure = TransferFailure(.serverBusy, "\(host) answered \(status) to a part of an upload")
    return .fail(failure, retryAfter: heard.head.retryAfter)
  }
}
