import NightjarCore
public import NightjarModel

/// The transfers on a stage. The supervisor decides when an attempt begins and stops; here it takes the time that its bytes
/// take. The bytes are the affair of whoever plays the servers: asked by ``Cue/requested(_:)`` they answer, and lay down what
/// has arrived.
extension Stage {
  /// What is to come of a server's answer.
  public struct Arrival: Hashable, Sendable {
    /// The byte of the whole with which it begins.
    public var offset: Int64
    /// How long the whole is.
    public var length: Int64
    /// What names its version; without one it cannot be gone on with.
    public var validator: Validator?

    /// What comes from a byte on.
    public init(offset: Int64, length: Int64, validator: Validator?) {
      precondition(0...length ~= offset, "an answer of \(length) bytes cannot begin at byte \(offset)")
      (self.offset, self.length, self.validator) = (offset, length, validator)
    }
  }

  /// Bytes that a transfer moves in a second, those of its request and those of its answer; at least one.
  public var bytesPerSecond: Int64 {
    get { moves.bytesPerSecond }
    set { moves.bytesPerSecond = max(newValue, 1) }
  }

  /// The server says something to an attempt that has asked it, before it answers. Nothing happens if it was stopped meanwhile.
  public mutating func inform(_ id: TransferID, attempt: Int, _ words: Response) {
    guard moves.isUnderWay(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .informed(words))])
  }

  /// The server answers an attempt that has asked it: bytes come from now on. Nothing happens if it was stopped meanwhile.
  public mutating func answer(_ id: TransferID, attempt: Int, with arrival: Arrival) {
    post(moves.answer(id, attempt: attempt, arrival, at: awake))
  }

  /// What has arrived lies in a file. Nothing happens if the attempt was stopped meanwhile.
  public mutating func finish(_ id: TransferID, attempt: Int, _ response: Response, _ file: StagedFile) {
    guard moves.end(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .finished(response, file))])
  }

  /// An attempt comes to nothing. Nothing happens if it was stopped meanwhile.
  public mutating func fail(
    _ id: TransferID, attempt: Int, _ failure: TransferFailure, retryAfter: Duration? = nil
  ) {
    guard moves.end(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .failed(failure, retryAfter: retryAfter))])
  }

  /// When something comes of an attempt that is under way; nil while the device sleeps.
  var nextMove: Int64? { isAsleep ? nil : moves.next.map { max($0 + now - awake, now) } }

  /// Lets come of the attempts what is due.
  mutating func moveOn() {
    guard !isAsleep, moves.next != nil else { return }
    let news = moves.news(at: awake)
    cues += news.cues
    post(news.events)
  }

  /// Tells of the transfers that have ended.
  mutating func noteEnds(_ changes: Changes) {
    guard !changes.transfers.isEmpty else { return }
    for id in changes.transfers.keys.sorted() {
      let state: TransferState? =
        switch changes.transfers[id] {
        case .added(let record), .revised(let record): record.state
        case .changed(let state): state
        case .removed, nil: nil
        }
      if case .ended(let outcome, _) = state?.phase { cues.append(.transferEnded(id, outcome)) }
    }
  }

  /// The clock that counts the time awake, in milliseconds.
  var awake: Int64 { moment.awake.wholeMilliseconds }
}
