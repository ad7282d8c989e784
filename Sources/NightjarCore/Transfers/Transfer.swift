import NightjarModel

/// A transfer in memory: its record, which is durable, and the rest, which need not be.
struct Transfer: Sendable {
  var record: TransferRecord
  let lane: Lanes.Lane
  /// Bytes moved, as the engine last reported; after a restart, the bytes that were safe.
  var count: Int64
  var expected: Int64?
  /// The head of the answer whose body is coming, or came in the last attempt; forgotten by a crash of the daemon.
  var answer: Response?
  /// When the engine last reported on this attempt.
  var heard: Age
  /// Whether its earliest begin is yet to come. Once it has come, that holds while the daemon lives, even if the clock
  /// is set back.
  var isEarly: Bool
  /// Whether the date was not known when it was taken up: its earliest begin may have come long before it is seen to.
  let wasUndated: Bool
  /// What its app has decided about it; forgotten by a crash of the daemon.
  var answers: [Answered] = []
  /// How many decisions its session's keyring had taken in when the attempt began.
  var answersKnown = 0

  init(_ record: TransferRecord, at now: Age, wall: Timestamp) {
    self.record = record
    lane = Lanes.Lane(host: Host(ofURL: record.request.url), app: record.request.app)
    count = record.state.resume?.offset ?? 0
    expected = record.state.resume?.length
    heard = now
    (isEarly, wasUndated) = (record.request.isEarly(at: wall), !wall.isDated)
    if let (_, file) = record.state.result { count(theWhole: file) }
  }

  /// Takes in that its answer is there. Of a download that is the whole file. The engine has told before how much of an
  /// upload has left: an answer may come first.
  mutating func finish(with file: StagedFile) {
    if request.direction == .download { count(theWhole: file) }
  }

  /// Counts the whole file as moved, whether or not that was reported before.
  mutating func count(theWhole file: StagedFile) {
    count = wholeCount(file)
    expected = expected ?? count
  }

  /// Bytes moved by the time it has succeeded: all of the file that came, or of the file that was sent.
  func wholeCount(_ file: StagedFile) -> Int64 {
    switch request.direction {
    case .download: file.stamp.size
    case .upload(_, let stamp): stamp.size
    }
  }

  var id: TransferID { record.id }
  var request: TransferRequest { record.request }
  var state: TransferState { record.state }

  /// Whether it stands in its lane.
  var isInLine: Bool { state.phase == .queued && !state.isSuspended && !isEarly }

  /// What it needs of the device.
  var needs: Needs { Needs(of: request, on: lane.host) }

  /// Its session's bound for one host, or the default one; nil where it is no lower than the bound for all transfers.
  /// What an app has queued without a session counts as one session.
  func share(_ limits: Limits) -> Lanes.Share? {
    let max = request.options.connectionsPerHostMax ?? limits.runningPerSessionAndHostMax
    return max < limits.runningPerHostMax ? Lanes.Share(session: request.session ?? "", max: max) : nil
  }

  /// Where it stands while it waits for its turn.
  func stand(_ limits: Limits) -> Lanes.Stand {
    let line = Lanes.Line(needs: needs, share: share(limits), isFresh: isFresh)
    return Lanes.Stand(lane: lane, line: line, priority: request.priority)
  }

  /// Until when it is kept, once it is over.
  func keptUntil(_ limits: Limits) -> Age? {
    if case .ended(_, let at) = state.phase { at + limits.keptFor } else { nil }
  }

  /// Bytes that it has in the staging area: of a download under way as many as it will have, where that is known; of an
  /// upload the answer, once that is there. A server may announce more than any disk holds, so this is bounded: the sum
  /// over all transfers must not overflow.
  var stagedBytes: Int64 {
    guard !clearsItself, request.direction == .download || state.result != nil else { return 0 }
    switch state.phase {
    case .running, .stopping: return min(max(count, expected ?? 0, 0), Self.stagedBytesMax)
    case .queued, .waiting, .asking: return max(state.resume?.offset ?? 0, 0)
    case .delivering(_, let file), .undelivered(_, _, let file, _): return file.stamp.size
    case .ended(.succeeded(_, let file), _): return request.destination == nil ? file.stamp.size : 0
    case .ended(.failed, _): return 0
    }
  }

  /// The size of the largest file that ext4 knows.
  private static var stagedBytesMax: Int64 { 1 << 44 }

  /// The transfers under whose names its bytes may lie in the staging area.
  var files: [TransferID] { state.resume?.heritage.map { [id, $0] } ?? [id] }

  /// Whether its files in the staging area are still needed: not once it has failed or was delivered elsewhere.
  var needsFiles: Bool {
    switch state.phase {
    case .queued, .running, .stopping, .waiting, .asking, .delivering, .undelivered: true
    case .ended(.succeeded, _): request.destination == nil
    case .ended(.failed, _): false
    }
  }

  /// How many bytes of its staged file it can go on with; nil for all of them, once the file has come whole.
  var usableBytes: Int64? {
    switch state.phase {
    case .queued, .running, .stopping, .waiting, .asking:
      if let resume = state.resume, resume.validator != nil { resume.offset } else { 0 }
    case .delivering, .undelivered, .ended(.succeeded, _): nil
    case .ended(.failed, _): 0
    }
  }

  /// Whether it is a download of which nothing lies in the staging area yet, and whose file somebody has to collect.
  var isFresh: Bool { request.direction == .download && (state.resume?.offset ?? 0) == 0 && !clearsItself }

  /// Whether the daemon itself takes its file out of the staging area, so that the bound on what its app has there,
  /// which is for files that nobody collects, is not for this one. The disk has a guard of its own.
  private var clearsItself: Bool { request.session == nil && request.destination != nil }

  /// Whether its app is to be asked before it begins: a task that is put off before its first attempt.
  var isToAskFirst: Bool { isEarly && request.session != nil && state.attempts == 0 }

  /// Whether its session still has to wait for it.
  var isRunning: Bool { !state.isEnded && !state.isSuspended }
}

extension TransferRequest {
  /// Whether its earliest begin is yet to come.
  func isEarly(at wall: Timestamp) -> Bool { options.earliestBegin.map { wall < $0 } ?? false }
}
