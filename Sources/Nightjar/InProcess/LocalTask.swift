import Foundation
import FoundationNetworking
import Synchronization

/// What a task in this process sends.
enum LocalBody: @unchecked Sendable {  // Unchecked: a stream is handed on once and never used by us.
  /// The request's own body, if it has one.
  case request
  case data(Data)
  case file(URL)
  /// From the stream of the request, or one that the delegate is asked for.
  case stream

  /// Whether anything goes along with a request.
  func isSent(with request: URLRequest) -> Bool {
    guard case .request = self else { return true }
    return request.httpBody != nil || request.httpBodyStream != nil
  }
}

/// Who hears what comes of a task.
enum LocalHearer: Sendable {
  /// The delegate of the task or of the session.
  case delegate
  /// A completion handler that wants the whole answer in memory.
  case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
  /// A completion handler that wants it in a file; with `keepsFile` the file is the caller's afterwards.
  case file(keepsFile: Bool, @Sendable (URL?, URLResponse?, (any Error)?) -> Void)
  /// A sequence of bytes.
  case feed(ByteFeed)

  var isDelegate: Bool { if case .delegate = self { true } else { false } }

  /// Whether it has no use for a part.
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
  /// With what an earlier one has left.
  case goingOn(LocalRemnant)
  /// It ends when it is resumed.
  case impossible(SessionFailure)
}

/// Something that happened to a task in this process.
enum LocalEvent: Sendable {
  case answered(URLResponse)
  /// The server has said something before its answer.
  case informed(HTTPURLResponse)
  /// The rest of what resume data has the beginning of follows, from this byte on; the whole is so long.
  case resumed(HTTPURLResponse, offset: Int64, expected: Int64?)
  /// The server wants to know who asks.
  case challenged(LocalCredentials.Question)
  case received(Data)
  /// Bytes moved; the newest figures stand in the task's record.
  case progressed
  case redirected(HTTPURLResponse, URLRequest, @Sendable (URLRequest?) -> Void)
  case needsStream(@Sendable (LocalStream) -> Void)
  case ended((any Error)?)

  /// The head of an answer, be it the last or a redirect.
  var head: HTTPURLResponse? {
    switch self {
    case .answered(let response): response as? HTTPURLResponse
    case .redirected(let response, _, _): response
    case .informed, .resumed, .challenged, .received, .progressed, .needsStream, .ended: nil
    }
  }

  /// Whether the app may be asked for an answer, which may take its time.
  var asks: Bool {
    switch self {
    case .answered, .challenged, .redirected, .needsStream: true
    case .informed, .resumed, .received, .progressed, .ended: false
    }
  }
}

/// A stream on its way from a delegate to whoever reads it.
struct LocalStream: @unchecked Sendable {  // Unchecked: only the one that it was handed to uses it.
  let stream: InputStream?
}

/// A task in this process: what it is to FoundationNetworking, and what waits to be told.
struct LocalTask {
  var task: URLSessionTask
  let body: LocalBody
  let hearer: LocalHearer
  var foreign: FoundationNetworking.URLSessionTask?
  /// The request that is under way as a redirect takes it along: without the session's cookies, which depend on where to.
  var current: URLRequest?
  /// How many redirects have led there.
  var redirects = 0
  var inbox = Fifo<LocalEvent>()
  /// Whether something is being told; nothing else is meanwhile.
  private var isTelling = false
  /// Which telling that is; what an earlier one still has to say is late.
  private(set) var turn = 0
  /// Whether the app was asked something, and whoever asked it has returned without an answer.
  private var isWaiting = false
  var hasProgress = false
  /// What has come in for a completion handler.
  var collected = Data()
  /// Where a download's bytes go.
  var sink: FileSink?
  var record = LocalMetrics()
  var parting = LocalParting()
  var credentials = LocalCredentials()
  /// Why it ends, where FoundationNetworking does not know.
  var trouble: SessionFailure?
  /// What it goes on with, until it is begun.
  var remnant: LocalRemnant?
  /// Whether the whole has to be asked for, since the server did not answer a request for the rest.
  var wantsWhole = false
  /// Who has cancelled it and wants to know what it leaves.
  var keepers: [@Sendable (Data?) -> Void] = []
  var isConcluded = false
  /// Whether its end is being told.
  private var isEnding = false
  /// What ends it if it takes too long.
  var limit: LocalLimit?
  /// Whether the head of the answer to the request that is under way has come.
  var hasHead = false

  init(_ task: URLSessionTask, _ body: LocalBody, _ hearer: LocalHearer, _ start: LocalStart) {
    (self.task, self.body, self.hearer) = (task, body, hearer)
    switch start {
    case .fresh: break
    case .goingOn(let remnant): self.remnant = remnant
    case .impossible(let why): trouble = why
    }
  }

  /// Takes an event in. Data joins data that waits, and progress takes the place of progress that waits: a slow delegate
  /// costs no more memory than the bytes themselves.
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

  /// Whether its end has come, be it told or not.
  private var hasEnded: Bool {
    isConcluded || isEnding || inbox.elements.contains { if case .ended = $0 { true } else { false } }
  }

  /// Notes that it has taken too long; false if its end has come or is on its way.
  mutating func timeOut() -> Bool {
    guard trouble == nil, !hasEnded, task.state == .running || task.state == .suspended else { return false }
    trouble = SessionFailure(.timedOut, "the task took longer than its session's timeoutIntervalForResource")
    return true
  }

  /// Gives up FoundationNetworking's task, if it is one that can be begun again; hands it back. It waits for no answer
  /// about a redirect any more.
  mutating func part() -> FoundationNetworking.URLSessionTask? {
    guard isRepeatable, !hasEnded else { return nil }
    inbox.replace(with: inbox.elements.filter { if case .redirected = $0 { false } else { true } })
    defer { (foreign, parting.isParted, redirects) = (nil, foreign != nil || parting.isParted, 0) }
    return foreign
  }

  /// Whether the request may be sent twice: it asks for something and does nothing, as a POST does even without a body.
  private var isRepeatable: Bool {
    guard case .request = body, let request = task.originalRequest else { return false }
    return request.isReading && request.httpBody == nil && request.httpBodyStream == nil
  }

  /// Looks at what FoundationNetworking says before it is noted; nil if nobody needs to be told.
  mutating func sift(_ event: LocalEvent) -> LocalEvent? {
    switch event {
    case .answered(let response):
      if let words = response.asInformation { return .informed(words) }
      hasHead = true
      if let question = credentials.read(response) {
        parting.isBarred = parting.count > 0
        return .challenged(question)
      }
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

  /// Looks at an end that no head came before: FoundationNetworking keeps a redirect that leads nowhere to itself.
  private mutating func siftEnd() -> LocalEvent? {
    if let response = foreign?.answer, let head = sift(.answered(response)) { note(head) }
    return wantsWhole ? nil : .ended(nil)
  }

  /// The next thing to tell, if nothing is being told.
  mutating func next() -> LocalEvent? {
    guard !isTelling, let event = inbox.popFirst() else { return nil }
    (isTelling, turn) = (true, turn + 1)
    if case .progressed = event { hasProgress = false }
    if case .ended = event { isEnding = true }
    return event
  }

  /// A telling is over; false if nobody has waited for it any more.
  mutating func told(in turn: Int) -> Bool {
    guard isTelling, turn == self.turn else { return false }
    (isTelling, isWaiting) = (false, false)
    return true
  }

  /// The app was asked something, and has not answered unless the telling is over.
  mutating func wait(in turn: Int) {
    guard isTelling, turn == self.turn else { return }
    isWaiting = true
    if task.state == .canceling { end() }
  }

  /// It is cancelled. That comes next: what waits to be told is not, and no answer is waited for.
  mutating func end() {
    if isWaiting { (isTelling, isWaiting) = (false, false) }
    inbox.replace(with: [.ended(URLError(.cancelled))])
  }

  /// Forgets everything that came of a request that is sent once more; hands back FoundationNetworking's task. What
  /// requests before it have brought stays.
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

  /// From here on it is a download; what has come and was not told is the beginning of its file.
  mutating func become(_ download: URLSessionDownloadTask, into sink: FileSink) {
    (task, self.sink) = (download, sink)
    let waiting = Array(inbox.elements)
    inbox.replace(with: waiting.filter { if case .received = $0 { false } else { true } })
    for case .received(let data) in waiting { sink.write(data) }
    note(.progressed)
  }
}
