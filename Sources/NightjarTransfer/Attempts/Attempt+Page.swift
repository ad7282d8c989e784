import NightjarModel

/// The page to which the answer to a request has led that was carried out (RFC 9110, section 15.4.4). It is remembered,
/// and asked for alone by this attempt and the next: whatever happens on the way there, the request is not made again.
extension Attempt {
  /// Heads for the page to which an earlier attempt was led; false if there was none.
  func turnsToPage() -> Bool {
    guard let page = order.resume?.upload, page.version == nil, let there = try? WebAddress(page.url) else {
      return false
    }
    itinerary = itinerary.visiting(there, namedBy: page.namer, method: "GET")
    self.page = page
    return true
  }

  /// Whether the answer to the last part of an upload redirects to a page, as the answer to a whole file may.
  func leadsToPage(_ head: AnswerHead) -> Bool {
    guard let home, dialogue?.isAtEnd == true, answer.coversWhole, head.isUploadComplete != false else { return false }
    return AnswerHead.becomesGet(after: head.status, method: home.method)
  }

  /// Reports the page that the itinerary has been led to, if the request was carried out.
  func rememberPage() {
    guard !itinerary.sendsBody, order.request.isUpload ? answer.coversWhole : isLedByDownload else { return }
    let page = UploadResource(url: itinerary.address.text, version: nil, namer: itinerary.namer)
    self.page = page
    let sent = order.request.isUpload ? upload.sent : nil
    report(.checkpointed(ResumePoint(offset: sent ?? 0, validator: nil, length: sent, upload: page)))
  }

  /// Whether a download that must not be asked for twice has led to a page, for the first time. One that needs cookies
  /// from the way would be another page in a later attempt, which has none.
  private var isLedByDownload: Bool {
    page == nil && !AnswerHead.isRepeatable(order.request.method) && AnswerHead.isRepeatable(itinerary.method)
      && !itinerary.hasCookies
  }
}
