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
    /// What it sends is being written down.
    case spooling
    /// Asked for, and not accepted yet.
    case asked
    /// The daemon has it.
    case accepted
  }

  var state = URLSessionTask.State.suspended
  var stage = Stage.created
  /// How many calls of `resume()` are missing.
  var suspensions = 1
  var label: String?
  var priority: Float = URLSessionTask.defaultPriority
  var earliestBeginDate: Date?
  var guessToSend = NSURLSessionTransferSizeUnknown
  var guessToReceive = NSURLSessionTransferSizeUnknown
  /// Whether it wants bytes as they come, if the app has said so or something is known of who hears of it.
  var prefersIncrementalDelivery: Bool?
  var sent = Bytes()
  var received = Bytes()
  /// The server's answer, where it is at hand.
  var ownResponse: URLResponse?
  /// The final answer as the daemon told it.
  var told: AppInterface.Response?
  /// What is loaded after redirects; nil for the original request.
  var currentRequest: URLRequest?
  /// What its delegate has put in the place of the original request, as far as this life knows.
  var replacement: URLRequest?
  var error: (any Error)?
  /// Who hears of this task before the session's delegate does.
  var delegate: (any URLSessionTaskDelegate)?
  /// What the daemon measured.
  var metrics: WireMetrics?
  /// What it sends, until that is written down.
  var source: SpoolSource?
  /// The token of what it goes on with.
  var remnant: String?
  /// Why it cannot be asked for.
  var trouble: SessionFailure?
  /// Whether its end is known and is about to be told.
  var isEnding = false

  /// The server's answer. What the daemon told becomes one when somebody looks: few do.
  var response: URLResponse? {
    mutating get {
      if ownResponse == nil { ownResponse = told.flatMap(NamedResponse.init) }
      return ownResponse
    }
    set { ownResponse = newValue }
  }

  /// What the daemon has to be asked.
  enum Deed: Hashable {
    case enqueue, suspend, resume, cancel
    /// What it sends has to be written down first.
    case spool
    /// It never heard of the task, which ends here.
    case endHere
  }

  /// Counts a `resume()`.
  mutating func resume() -> Deed? {
    guard state == .suspended else { return nil }
    suspensions -= 1
    guard suspensions == 0 else { return nil }
    state = .running
    switch stage {
    case .created:
      stage = source == nil ? .asked : .spooling
      return source == nil ? .enqueue : .spool
    case .spooling: return nil
    case .asked, .accepted: return .resume
    }
  }

  /// What it sends is written down; it is queued unless it was suspended meanwhile.
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

  /// Wants the end.
  mutating func cancel() -> Deed? {
    guard state == .running || state == .suspended else { return nil }
    state = .canceling
    return stage == .created || stage == .spooling ? .endHere : .cancel
  }

  /// What has moved, as last told.
  func bytes(for kind: TaskKind) -> Bytes {
    switch kind {
    case .download, .data: received
    case .upload: sent
    }
  }

  /// Takes new figures; hands back how many bytes are new.
  mutating func take(_ count: Int64, of expected: Int64?, for kind: TaskKind) -> (new: Int64, bytes: Bytes) {
    switch kind {
    case .download, .data: Self.take(count, of: expected, into: &received)
    case .upload: Self.take(count, of: expected, into: &sent)
    }
  }

  /// Takes new figures of what is sent.
  mutating func take(sent count: Int64, of expected: Int64?) -> (new: Int64, bytes: Bytes) {
    Self.take(count, of: expected, into: &sent)
  }

  private static func take(_ count: Int64, of expected: Int64?, into bytes: inout Bytes) -> (new: Int64, bytes: Bytes) {
    let new = count - bytes.count
    bytes = Bytes(count: count, expected: expected ?? bytes.expected)
    return (new, bytes)
  }
}
