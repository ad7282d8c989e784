import Foundation
import FoundationNetworking
import NightjarWire

/// What changes about a task.
struct TaskFacts {
  /// Bytes moved one way.
  struct Bytes: Hashable {
    var count: Int64 = 0
    var expected: Int64 = NSURLSessionTransferSizeUnknown
  }

  /// Where the task is with the daemon.
  enum Stage: Hashable {
    /// Never resumed; only this process knows it.
    case created
    /// Its body is being spooled.
    case spooling
    /// Sent to the daemon, but not accepted yet.
    case asked
    /// Accepted by the daemon.
    case accepted
  }

  var state = URLSessionTask.State.suspended
  var stage = Stage.created
  /// Whether it has ever been resumed.
  var hasBegun = false
  /// How many more calls of `resume()` it takes to run.
  var suspensions = 1
  var label: String?
  var priority: Float = URLSessionTask.defaultPriority
  var earliestBeginDate: Date?
  var guessToSend = NSURLSessionTransferSizeUnknown
  var guessToReceive = NSURLSessionTransferSizeUnknown
  /// Whether bytes are wanted as they arrive; nil while neither the app has set it nor a handler or delegate decides
  /// it.
  var prefersIncrementalDelivery: Bool?
  var sent = Bytes()
  var received = Bytes()
  /// The size of the request's body, as far as it is known before it is sent.
  private var bodyLength = NSURLSessionTransferSizeUnknown
  /// The response, once it has been made.
  var ownResponse: URLResponse?
  /// The final response as the daemon reported it.
  var told: AppInterface.Response?
  /// The request after redirects; nil for the original request.
  var currentRequest: URLRequest?
  /// The request with which the delegate has replaced the original one, as far as this life knows.
  var replacement: URLRequest?
  var error: (any Error)?
  /// The task's own delegate, which is called before the session's.
  var delegate: (any URLSessionTaskDelegate)?
  /// The certificates that the delegate was last asked to judge.
  var trust: SecTrust?
  /// The metrics from the daemon.
  var metrics: WireMetrics?
  /// The body to send, until it is spooled.
  var source: SpoolSource?
  /// The remnant that it goes on with.
  var remnant: AppInterface.Remnant?
  /// The point where a download resumes, until its delegate is told of that or it begins anew. Presumed from the
  /// remnant until the daemon has answered: its events may come before its answer, and the answer may be lost.
  var resumption: Resumption?
  /// Why it cannot be sent to the daemon.
  var trouble: SessionFailure?
  /// Whether its end is known and about to be reported.
  var isEnding = false

  /// The server's response. It is made from `told` only when it is read, which is seldom.
  var response: URLResponse? {
    mutating get {
      if ownResponse == nil { ownResponse = told.flatMap(NamedResponse.init) }
      return ownResponse
    }
    set { ownResponse = newValue }
  }

  /// What has to follow a call of the app: a call to the daemon, or something in this process.
  enum Deed: Hashable {
    case enqueue, suspend, resume, cancel
    /// Spool the body first.
    case spool
    /// End the task here, since the daemon does not know it.
    case endHere
  }

  /// The size of the body: as reported, or else as the request has it.
  var expectedToSend: Int64 { sent.expected >= 0 ? sent.expected : bodyLength }

  /// Notes the size of the request's body. A task of an earlier life no longer has it, but a GET had none.
  mutating func noteBody(of request: URLRequest?, for kind: TaskKind) {
    guard kind.file == nil, let request, request.httpBodyStream == nil else { return }
    guard stage == .created || request.isReading else { return }
    bodyLength = Int64(request.httpBody?.count ?? 0)
  }

  /// Counts a `resume()`.
  mutating func resume() -> Deed? {
    guard state == .suspended else { return nil }
    suspensions -= 1
    guard suspensions == 0 else { return nil }
    (state, hasBegun) = (.running, true)
    switch stage {
    case .created:
      stage = source == nil ? .asked : .spooling
      return source == nil ? .enqueue : .spool
    case .spooling: return nil
    case .asked, .accepted: return .resume
    }
  }

  /// Notes that the body is spooled; the task is queued unless it was suspended meanwhile.
  mutating func spooled() -> Deed? {
    source = nil
    guard stage == .spooling else { return nil }
    stage = state == .running ? .asked : .created
    return state == .running ? .enqueue : nil
  }

  /// Counts a `suspend()`.
  mutating func suspend() -> Deed? {
    guard state == .running || state == .suspended else { return nil }
    suspensions += 1
    guard state == .running else { return nil }
    state = .suspended
    return stage == .spooling ? nil : .suspend
  }

  /// Begins to cancel the task.
  mutating func cancel() -> Deed? {
    guard state == .running || state == .suspended else { return nil }
    state = .canceling
    return stage == .created || stage == .spooling ? .endHere : .cancel
  }

  /// Where a download resumes, before it is certain that the server's answer is the rest.
  struct Resumption: Hashable {
    let offset: Int64
    let length: Int64?
    /// Whether the server has answered.
    var isAnswered = false

    init(_ remnant: AppInterface.Remnant) { (offset, length) = (remnant.offset, remnant.length) }
  }

  /// Notes that the daemon goes on with a remnant; false if a download's events have shown before whether it does.
  mutating func goOn(with remnant: AppInterface.Remnant, for kind: TaskKind) -> Bool {
    if kind == .download {
      guard resumption != nil || self.remnant == nil else { return false }
      let isAnswered = resumption?.isAnswered ?? false
      resumption = Resumption(remnant)
      resumption?.isAnswered = isAnswered
    }
    _ = take(remnant.offset, of: remnant.length, for: kind)
    return true
  }

  /// Notes how many bytes are there: with fewer than at the beginning it has begun anew.
  mutating func noteCount(_ count: Int64) {
    if let resumption, count < resumption.offset { self.resumption = nil }
  }

  /// Takes the point where it resumes, once a count shows that the rest of the file arrives; nil the second time.
  mutating func takeResumption(at count: Int64) -> Resumption? {
    noteCount(count)
    guard let resumption, resumption.isAnswered || count > resumption.offset else { return nil }
    self.resumption = nil
    if received.count < resumption.offset { _ = take(resumption.offset, of: resumption.length, for: .download) }
    return resumption
  }

  /// The bytes that have moved, as last reported.
  func bytes(for kind: TaskKind) -> Bytes {
    switch kind {
    case .download, .data: received
    case .upload: sent
    }
  }

  /// Takes new counts, and returns how many bytes are new.
  mutating func take(_ count: Int64, of expected: Int64?, for kind: TaskKind) -> (new: Int64, bytes: Bytes) {
    switch kind {
    case .download, .data: Self.take(count, of: expected, into: &received)
    case .upload: Self.take(count, of: expected, into: &sent)
    }
  }

  /// Takes new counts of the bytes sent.
  mutating func take(sent count: Int64, of expected: Int64?) -> (new: Int64, bytes: Bytes) {
    Self.take(count, of: expected, into: &sent)
  }

  private static func take(_ count: Int64, of expected: Int64?, into bytes: inout Bytes) -> (new: Int64, bytes: Bytes) {
    let new = count - bytes.count
    bytes = Bytes(count: count, expected: expected ?? bytes.expected)
    return (new, bytes)
  }
}
