import Foundation
import FoundationNetworking
import Synchronization

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
  private var delivery = Delivery.none
  /// The number of the delivery; the end of an earlier one is late.
  private(set) var turn = 0
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

  /// The delivery of an event. No other one is delivered meanwhile.
  private enum Delivery {
    case none
    /// The delegate's method is being called.
    case calling
    /// The method has returned without having answered yet.
    case waiting
  }

  init(_ task: URLSessionTask, _ body: LocalBody, _ hearer: LocalHearer, _ start: LocalStart) {
    (self.task, self.body, self.hearer) = (task, body, hearer)
    switch start {
    case .fresh: break
    case .goingOn(let remnant): self.remnant = remnant
    case .impossible(let why): trouble = why
    }
  }

  /// Whether it is a download that has no file yet.
  var lacksFile: Bool { task is URLSessionDownloadTask && sink == nil }

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

  /// Takes the next event to deliver, if none is being delivered.
  mutating func next() -> LocalEvent? {
    guard delivery == .none, let event = inbox.popFirst() else { return nil }
    (delivery, turn) = (.calling, turn + 1)
    if case .progressed = event { hasProgress = false }
    if case .ended = event { isEnding = true }
    return event
  }

  /// Notes the end of a delivery; false if it is late.
  mutating func told(in turn: Int) -> Bool {
    guard delivery != .none, turn == self.turn else { return false }
    delivery = .none
    return true
  }

  /// Notes that a delegate method has returned; if its delivery is not over, its answer is awaited.
  mutating func wait(in turn: Int) {
    guard delivery == .calling, turn == self.turn else { return }
    delivery = .waiting
    if task.state == .canceling { end() }
  }

  /// Ends the task as cancelled. The end is the next event: waiting events are dropped, and no answer is awaited.
  mutating func end() {
    if delivery == .waiting { delivery = .none }
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
    for case .received(let data) in waiting { sink.append(data) }
    note(.progressed)
  }
}
