import Foundation
import FoundationNetworking
import Synchronization

/// The body that a task in this process sends.
enum LocalBody: @unchecked Sendable {  // Unchecked: a stream is handed on once and never used by us.
  /// The request's own body, if it has one.
  case request
  case data(Data)
  case file(URL)
  /// The stream of the request, or one that the delegate is asked for.
  case stream

  /// Whether a body is sent with a request.
  func isSent(with request: URLRequest) -> Bool {
    guard case .request = self else { return true }
    return request.httpBody != nil || request.httpBodyStream != nil
  }
}

/// The receiver of a task's results.
enum LocalHearer: Sendable {
  /// The delegate of the task or of the session.
  case delegate
  /// A completion handler for the whole answer in memory.
  case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
  /// A completion handler for the answer in a file; with `keepsFile` the caller keeps the file.
  case file(keepsFile: Bool, @Sendable (URL?, URLResponse?, (any Error)?) -> Void)
  /// A sequence of bytes.
  case feed(ByteFeed)

  var isDelegate: Bool { if case .delegate = self { true } else { false } }

  /// Whether it receives only the whole answer.
  var wantsWhole: Bool {
    switch self {
    case .data, .file: true
    case .delegate, .feed: false
    }
  }
}

/// How a task in this process begins.
enum LocalStart: Sendable {
  case fresh
  /// With the remnant of an earlier download.
  case goingOn(LocalRemnant)
  /// It fails when it is resumed.
  case impossible(SessionFailure)
}

/// An event of a task in this process.
enum LocalEvent: Sendable {
  case answered(URLResponse)
  /// The server has sent an interim response.
  case informed(HTTPURLResponse)
  /// A download with resume data goes on at `offset`; the whole has `expected` bytes.
  case resumed(HTTPURLResponse, offset: Int64, expected: Int64?)
  /// The server has sent a challenge.
  case challenged(LocalCredentials.Question)
  case received(Data)
  /// Bytes moved; the newest counts are in the task.
  case progressed
  case redirected(HTTPURLResponse, URLRequest, @Sendable (URLRequest?) -> Void)
  case needsStream(@Sendable (LocalStream) -> Void)
  case ended((any Error)?)

  /// The head of an answer or of a redirect.
  var head: HTTPURLResponse? {
    switch self {
    case .answered(let response): response as? HTTPURLResponse
    case .redirected(let response, _, _): response
    case .informed, .resumed, .challenged, .received, .progressed, .needsStream, .ended: nil
    }
  }

  /// Whether the app is asked for an answer, which may come later.
  var asks: Bool {
    switch self {
    case .answered, .challenged, .redirected, .needsStream: true
    case .informed, .resumed, .received, .progressed, .ended: false
    }
  }
}

/// A stream on its way from a delegate to its reader.
struct LocalStream: @unchecked Sendable {  // Unchecked: only the one that it was handed to uses it.
  let stream: InputStream?
}

/// A task in this process, with FoundationNetworking's task for it and the events that wait to be delivered.
struct LocalTask {
  var task: URLSessionTask
  let body: LocalBody
  let hearer: LocalHearer
  var foreign: FoundationNetworking.URLSessionTask?
  /// The present request, as the next redirect builds on it: without the session's cookies, which depend on the URL.
  var current: URLRequest?
  /// The number of redirects that led to the present request.
  var redirects = 0
  var inbox = Fifo<LocalEvent>()
  /// Whether an event is being delivered; no other one is delivered meanwhile.
  private var isTelling = false
  /// The number of the delivery; the end of an earlier one is late.
  private(set) var turn = 0
  /// Whether a delegate method has returned without having answered yet.
  private var isWaiting = false
  var hasProgress = false
  /// The bytes for a completion handler.
  var collected = Data()
  /// The file of a download.
  var sink: FileSink?
  var record = LocalMetrics()
  var parting = LocalParting()
  var credentials = LocalCredentials()
  /// Why the task fails, if the reason is not FoundationNetworking's.
  var trouble: SessionFailure?
  /// The remnant that it resumes, until it has begun.
  var remnant: LocalRemnant?
  /// Whether the whole has to be asked for, since the server did not answer a request for the rest.
  var wantsWhole = false
  /// Callers that have cancelled it and wait for its resume data.
  var keepers: [@Sendable (Data?) -> Void] = []
  var isConcluded = false
  /// Whether its end is being delivered.
  private var isEnding = false
  /// The timer of its resource timeout.
  var limit: LocalLimit?
  /// Whether the head of the answer to the present request has arrived.
  var hasHead = false

  init(_ task: URLSessionTask, _ body: LocalBody, _ hearer: LocalHearer, _ start: LocalStart) {
    (self.task, self.body, self.hearer) = (task, body, hearer)
    switch start {
    case .fresh: break
    case .goingOn(let remnant): self.remnant = remnant
    case .impossible(let why): trouble = why
    }
  }

  /// Appends an event to the inbox. Data is joined with waiting data, and progress with waiting progress, so that a
  /// slow delegate costs no more memory than the bytes themselves.
  mutating func note(_ event: LocalEvent) {
    switch event {
    case .progressed:
      guard !hasProgress else { return }
      hasProgress = true
    case .received(let new):
      if case .received(let waiting)? = inbox.last, waiting.count + new.count <= LinkLimits.chunkBytes {
        inbox.replaceLast(with: .received(waiting + new))
        return
      }
    case .answered, .informed, .resumed, .challenged, .redirected, .needsStream, .ended: break
    }
    inbox.append(event)
  }

  /// Whether the task has ended, whether that was delivered or not.
  private var hasEnded: Bool {
    isConcluded || isEnding || inbox.elements.contains { if case .ended = $0 { true } else { false } }
  }

  /// Notes that the task has taken too long; false if it has ended or is about to.
  mutating func timeOut() -> Bool {
    guard trouble == nil, !hasEnded, task.state == .running || task.state == .suspended else { return false }
    trouble = SessionFailure(.timedOut, "the task took longer than its session's timeoutIntervalForResource")
    return true
  }

  /// Drops FoundationNetworking's task for a suspension, if its request may be sent again, and returns it. An answer
  /// about a redirect is no longer awaited.
  mutating func part() -> FoundationNetworking.URLSessionTask? {
    guard isRepeatable, !hasEnded else { return nil }
    inbox.replace(with: inbox.elements.filter { if case .redirected = $0 { false } else { true } })
    defer { (foreign, parting.isParted, redirects) = (nil, foreign != nil || parting.isParted, 0) }
    return foreign
  }

  /// Whether the request may be sent twice: it is a GET or HEAD without a body.
  private var isRepeatable: Bool {
    guard case .request = body, let request = task.originalRequest else { return false }
    return request.isReading && request.httpBody == nil && request.httpBodyStream == nil
  }

  /// Filters an event of FoundationNetworking before it is noted; nil if it is not delivered.
  mutating func sift(_ event: LocalEvent) -> LocalEvent? {
    switch event {
    case .answered(let response):
      if let words = response.asInformation { return .informed(words) }
      hasHead = true
      let question = credentials.read(response)
      parting.isBarred = question != nil && parting.count > 0
      if let question { return .challenged(question) }
      let offset = Int64(parting.count)
      switch parting.read(response, hasFile: sink != nil) {
      case .tell: return event
      case .goOn: return nil
      case .resumed(let length):
        guard let response = response as? HTTPURLResponse else { return nil }
        return .resumed(response.showingWhole(length), offset: offset, expected: length)
      case .askForWhole:
        wantsWhole = true
        return nil
      case .beginAnew:
        sink?.beginAnew()
        return event
      case .lost:
        trouble = SessionFailure(.networkConnectionLost, "the server's answer changed while the task was suspended")
        return nil
      }
    case .received(let data):
      let new = parting.take(data)
      return new.isEmpty ? nil : .received(new)
    case .redirected(let response, _, let answer): return siftRedirect(response, answer)
    case .ended(let error): return error == nil && !hasHead ? siftEnd() : event
    case .informed, .resumed, .challenged, .progressed, .needsStream: return event
    }
  }

  /// Filters an end without a head: FoundationNetworking reports neither a redirect that leads nowhere nor the head of
  /// one that was refused.
  private mutating func siftEnd() -> LocalEvent? {
    if let redirect = foreign?.answer as? HTTPURLResponse, redirect.leadsNowhere {
      trouble = redirect.nowhere
      return nil
    }
    if let response = foreign?.answer, let head = sift(.answered(response)) { note(head) }
    return wantsWhole ? nil : .ended(nil)
  }

  /// Takes the next event to deliver, if none is being delivered.
  mutating func next() -> LocalEvent? {
    guard !isTelling, let event = inbox.popFirst() else { return nil }
    (isTelling, turn) = (true, turn + 1)
    if case .progressed = event { hasProgress = false }
    if case .ended = event { isEnding = true }
    return event
  }

  /// Notes the end of a delivery; false if it is late.
  mutating func told(in turn: Int) -> Bool {
    guard isTelling, turn == self.turn else { return false }
    (isTelling, isWaiting) = (false, false)
    return true
  }

  /// Notes that a delegate method has returned; if its delivery is not over, its answer is awaited.
  mutating func wait(in turn: Int) {
    guard isTelling, turn == self.turn else { return }
    isWaiting = true
    if task.state == .canceling { end() }
  }

  /// Ends the task as cancelled. The end is the next event: waiting events are dropped, and no answer is awaited.
  mutating func end() {
    if isWaiting { (isTelling, isWaiting) = (false, false) }
    inbox.replace(with: [.ended(URLError(.cancelled))])
  }

  /// Forgets what a request has brought that is sent again, but not the bytes of earlier requests. Returns
  /// FoundationNetworking's task.
  mutating func beginAnew() -> FoundationNetworking.URLSessionTask? {
    defer { (foreign, isEnding) = (nil, false) }
    if parting.isBarred {
      (parting.isBarred, parting.isParted) = (false, false)
      inbox.replace(with: inbox.elements.filter { if case .ended = $0 { false } else { true } })
    } else {
      inbox = Fifo()
      (hasProgress, parting, collected) = (false, LocalParting(), Data())
      sink?.beginAnew()
    }
    return foreign
  }

  /// Makes the task a download; undelivered bytes become the beginning of its file.
  mutating func become(_ download: URLSessionDownloadTask, into sink: FileSink) {
    (task, self.sink) = (download, sink)
    let waiting = Array(inbox.elements)
    inbox.replace(with: waiting.filter { if case .received = $0 { false } else { true } })
    for case .received(let data) in waiting { sink.write(data) }
    note(.progressed)
  }
}
