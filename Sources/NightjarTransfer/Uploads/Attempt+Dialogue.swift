import NIOCore
import NightjarModel

/// How an attempt at an upload carries out the steps of its dialogue, and reports what the server has acknowledged.
extension Attempt {
  /// Begins the dialogue, where the request can carry one: the client itself may speak the draft with its own fields.
  func openDialogue() {
    guard let length = source.length else { return }
    guard !turnsToPage() else { return upload.sent = length }
    let names = itinerary.headers.map { $0.name.lowercased() }
    let isOurs = !names.contains { $0.hasPrefix("upload-") } && !["GET", "HEAD"].contains(itinerary.method)
    let versions = isOurs ? tools.settings.uploadVersions : []
    dialogue = UploadDialogue(
      length: length, method: itinerary.method, versions: versions, resume: order.resume)
  }

  /// The part of the file that goes with the present request.
  var stretch: Range<Int64>? { dialogue?.stretch ?? source.length.map { 0..<$0 } }

  /// Points the itinerary at the address of the present step; false if that is no valid address.
  func headForUpload() -> Bool {
    guard let dialogue else { return true }
    home?.takeCookies(of: itinerary)
    guard dialogue.isAway, let resource = dialogue.resource else {
      if let home { (itinerary, self.home) = (home, nil) }
      self.dialogue?.namer = itinerary.namer
      if !itinerary.sendsBody { self.dialogue = nil }  // A redirect has led to a page.
      return true
    }
    do {
      let (base, there) = (home ?? itinerary, try WebAddress(resource.url))
      let method = dialogue.stretch == nil ? "HEAD" : "PATCH"
      (home, itinerary) = (base, base.visiting(there, namedBy: resource.namer, method: method))
      return true
    } catch {
      fail(error)
      return false
    }
  }

  /// Takes in an interim answer. True if the server has made progress.
  func learn(_ head: AnswerHead) -> Bool {
    guard let news = dialogue?.inform(head, at: itinerary.address), ending == nil else { return false }
    switch news {
    case .none: return false
    case .acknowledged: reportAcknowledged(isUrgent: dialogue?.offset == 0)
    case .tooMuch:
      reportAcknowledged(isUrgent: true)
      exchange?.abandon()
      exchange = nil
      requestAgain()
    }
    return true
  }

  /// Takes in the head of a final answer to an upload.
  func hear(_ head: AnswerHead) {
    let consequence =
      dialogue?.hear(
        head, at: itinerary.address, retries: order.retriesServerErrors, asksForOffset: order.asksForOffset,
        hasAll: answer.coversWhole) ?? .answer
    reportAcknowledged(isUrgent: true)
    let response = head.response(from: shownURL)
    switch consequence {
    case .answer:
      answer.saysComplete = head.isUploadComplete == true
      if head.status >= 300 { upload.isCutShort = true }  // After 2xx the server may be reading still.
      guard prepareToDecode(head) else { return }
      answer.hearing = .body(response)
    case .next: ignore(then: .requestAgain)
    case .complete:
      upload.sent = source.length ?? 0
      report(finalProgress: true)
      ignore(then: .finish(response))
    case .unanswered(let failure): ignore(then: .giveUp(failure))
    case .fail(let failure, let retryAfter): ignore(then: .fail(failure, retryAfter: retryAfter))
    }
  }

  /// Takes in that a request with a part of the file begins.
  func begins() { note { $0.begins() } }

  /// Takes in that all of the present request may have left, from now on.
  func allHasLeft() { note { $0.allHasLeft() } }

  private func note(_ change: (inout UploadDialogue) -> Void) {
    guard var dialogue else { return }
    let offset = dialogue.point.offset
    change(&dialogue)
    self.dialogue = dialogue
    if dialogue.point.offset != offset { reportAcknowledged(isUrgent: true) }
  }

  /// Reports what the server has, if that is due.
  private func reportAcknowledged(isUrgent: Bool) {
    guard let point = dialogue?.point, acknowledgements.isDue(point, isUrgent: isUrgent, at: loop.now) else { return }
    report(.checkpointed(point))
  }
}
