import NightjarCore
public import NightjarModel

/// The transfers on a stage. The supervisor decides when an attempt begins and stops; here it takes the time that its
/// bytes take. The bytes themselves are up to the player of the servers, who answers ``Cue/requested(_:)`` and stores
/// what has arrived.
extension Stage {
  /// The part of a file that a server answers with.
  public struct Arrival: Hashable, Sendable {
    /// The offset in the whole at which it begins.
    public var offset: Int64
    /// How long the whole is.
    public var length: Int64
    /// The validator of its version; without one it cannot be resumed.
    public var validator: Validator?

    /// The part from an offset on.
    public init(offset: Int64, length: Int64, validator: Validator?) {
      precondition(0...length ~= offset, "an answer of \(length) bytes cannot begin at byte \(offset)")
      (self.offset, self.length, self.validator) = (offset, length, validator)
    }
  }

  /// Bytes that each transfer moves per second, those of requests and of answers; at least one.
  public var bytesPerSecond: Int64 {
    get { moves.bytesPerSecond }
    set { moves.bytesPerSecond = max(newValue, 1) }
  }

  /// Gives an attempt an interim answer of the server. Nothing happens if it was stopped meanwhile.
  public mutating func inform(_ id: TransferID, attempt: Int, _ words: Response) {
    guard moves.isUnderWay(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .informed(words))])
  }

  /// Tells that an attempt's server asks to be left alone for a while. Nothing happens if it was stopped meanwhile.
  public mutating func throttle(_ id: TransferID, attempt: Int, for wish: Duration) {
    guard moves.isUnderWay(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .throttled(for: wish))])
  }

  /// Answers the request of an attempt: bytes come from now on. Nothing happens if it was stopped meanwhile.
  public mutating func answer(_ id: TransferID, attempt: Int, with arrival: Arrival) {
    post(moves.answer(id, attempt: attempt, arrival, at: awake))
  }

  /// Ends an attempt: what has arrived lies in a file. Nothing happens if it was stopped meanwhile.
  public mutating func finish(_ id: TransferID, attempt: Int, _ response: Response, _ file: StagedFile) {
    guard moves.end(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .finished(response, file))])
  }

  /// Fails an attempt. Nothing happens if it was stopped meanwhile.
  public mutating func fail(
    _ id: TransferID, attempt: Int, _ failure: TransferFailure, retryAfter: Duration? = nil
  ) {
    guard moves.end(id, attempt: attempt) else { return }
    post([.transfer(id, attempt: attempt, .failed(failure, retryAfter: retryAfter))])
  }

  /// When the next event of an attempt is due; nil while the device sleeps.
  var nextMove: Int64? { isAsleep ? nil : moves.next.map { max($0 + now - awake, now) } }

  /// Carries out the events of attempts that are due.
  mutating func moveOn() {
    guard !isAsleep, moves.next != nil else { return }
    let news = moves.news(at: awake)
    cues += news.cues
    post(news.events)
  }

  /// Adds cues for the transfers that have ended.
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
