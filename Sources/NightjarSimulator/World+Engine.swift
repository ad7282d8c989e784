import NightjarCore
import NightjarModel

/// The engine at work: bytes move in virtual time, and attempts fail as the faults have it.
extension World {
  mutating func start(_ order: TransferOrder) {
    let host = Self.host(of: order.request.url)
    if engine.attempts[order.id] != nil {
      fail("attempt \(order.attempt) of transfer \(order.id) starts while an older one is neither stopped nor over")
    }
    if order.attempt <= watch.attemptLast[order.id, default: 0] {
      fail("attempt \(order.attempt) of transfer \(order.id) starts a second time")
    }
    watch.attemptLast[order.id] = order.attempt
    let isResumed = order.resume?.validator != nil || order.resume?.upload != nil
    takeOver(order)
    engine.begin(
      order.id,
      Engine.Attempt(
        number: order.attempt, host: host, isLocal: host.hasPrefix("localhost"), request: order.request,
        offset: isResumed ? order.resume!.offset : 0, length: length(of: order), asks: order.asks,
        answers: order.answers))
    if engine.running > limits.runningMax { fail("\(engine.running) attempts run") }
    if engine.runningOfHost[host]! > limits.runningPerHostMax { fail("too many attempts run with \(host)") }
    checkStart(order, host)
    checkShare(of: order.request.app)
    if order.resume?.heritage != nil { say(.checkpointed(pointTakenOver(order)), of: order.id, order.attempt) }
    plan(.engineStepped(order.id, attempt: order.attempt, daemon: daemon), in: dice.draw(5...2_000))
  }

  /// The length of a body. An upload's does not change; a download's may be any, but no shorter than the bytes that
  /// came already.
  private mutating func length(of order: TransferOrder) -> Int64 {
    guard order.resume?.upload == nil else { return order.resume?.length ?? 5_000 }
    return max(1000 + dice.draw(0...9_000), order.resume?.offset ?? 0)
  }

  mutating func stop(_ id: TransferID, _ attempt: Int) {
    guard engine.attempts[id]?.number == attempt else { return }
    if dice.falls(100), engine.attempts[id]?.isSilent == false { return finish(id) }  // It was just ready.
    engine.end(id)
    guard !dice.falls(faults.engineUnrest) else { return }
    plan(.engineStopped(id, attempt: attempt, daemon: daemon), in: dice.draw(0...500))
  }

  /// Checks that no attempt goes on for a transfer that has just ended.
  mutating func checkEngine(_ changes: Changes) {
    for id in changes.transfers.keys.sorted() where engine.attempts[id] != nil {
      if disk.transfers[id]?.state.isEnded != false { fail("an attempt at transfer \(id) goes on after its end") }
    }
  }

  mutating func discard(_ id: TransferID) {
    if let record = disk.transfers[id], case .ended(.succeeded, _) = record.state.phase,
      record.request.destination == nil
    {
      fail("the file of live transfer \(id) is discarded")
    }
    if let phase = disk.transfers[id]?.state, !phase.isEnded {
      fail("the staged bytes of live transfer \(id) are discarded")
    }
    checkDiscard(id)
    engine.end(id)
    (engine.staged[id], engine.parts[id]) = (nil, nil)
  }

  /// Moves an attempt on.
  mutating func step(_ id: TransferID, _ number: Int) {
    guard let attempt = engine.attempts[id], attempt.number == number, !attempt.isSilent else { return }
    if !isOnline, !attempt.isLocal { return interrupt(id, TransferFailure(.notConnected, "no network"), nil) }
    if attempt.asks.credentials, let challenge = challenge(to: attempt) {
      engine.end(id)
      return say(.asked(.challenge(challenge)), of: id, number)
    }
    if dice.falls(faults.engineFailure) { return failByChance(id) }
    if dice.falls(faults.engineUnrest) { return misbehave(id) }
    sayWords(id, number, attempt)
    let offset = min(attempt.offset + dice.draw(500...5_000), attempt.length)
    engine.change(id) { $0.offset = offset }
    guard offset < attempt.length else { return finish(id) }
    sayProgress(id, number, offset, attempt)
    plan(.engineStepped(id, attempt: number, daemon: daemon), in: dice.draw(50...20_000))
  }

  /// Sends interim answers, as some servers do.
  private mutating func sayWords(_ id: TransferID, _ number: Int, _ attempt: Engine.Attempt) {
    guard id.rawValue % 5 == 0 else { return }
    let hint = HTTPField("Link", "</\(id).css>; rel=preload")
    say(.informed(Response(url: attempt.request.url, status: 103, headers: [hint])), of: id, number)
  }

  private mutating func sayProgress(_ id: TransferID, _ number: Int, _ offset: Int64, _ attempt: Engine.Attempt) {
    let isLengthKnown = number % 3 != 0
    let length = isLengthKnown ? attempt.length : nil
    say(.progressed(count: offset, expected: length), of: id, number)
    guard dice.falls(500) else { return }
    guard attempt.request.direction == .download else { return sayAcknowledged(id, number, offset, attempt) }
    let validator = id.rawValue % 4 == 0 ? nil : Validator.entityTag("\"\(id)\"")
    engine.parts[id] = offset
    say(.checkpointed(ResumePoint(offset: offset, validator: validator, length: length)), of: id, number)
  }

  /// Reports how much of an upload the server has, if it is resumable.
  private mutating func sayAcknowledged(_ id: TransferID, _ number: Int, _ offset: Int64, _ attempt: Engine.Attempt) {
    guard id.rawValue % 3 != 0 else { return }
    let resource = UploadResource(url: "https://\(attempt.host)/uploads/\(id)", version: .eight)
    let point = ResumePoint(offset: offset, validator: nil, length: attempt.length, upload: resource)
    say(.checkpointed(point), of: id, number)
  }

  /// Ends an attempt whose last byte has come.
  private mutating func finish(_ id: TransferID) {
    guard let attempt = engine.end(id) else { return }
    let file = engine.stage(id, size: attempt.length, isDamaged: dice.falls(faults.damage))
    let status = dice.pick([200, 200, 200, 206, 404])
    let response = Response(url: attempt.request.url, status: status, headers: [HTTPField("ETag", "\"\(id)\"")])
    say(.finished(response, file), of: id, attempt.number)
  }

  /// Fails an attempt: mostly so that another may follow, now and then so that none must.
  private mutating func failByChance(_ id: TransferID) {
    let failure = anyFailure()
    guard dice.falls(50) else { return dice.falls(100) ? throttle(id, failure) : interrupt(id, failure, nil) }
    if let attempt = engine.end(id) { say(.unanswered(failure), of: id, attempt.number) }
  }

  /// Fails an attempt whose server asks to be left alone.
  private mutating func throttle(_ id: TransferID, _ failure: TransferFailure) {
    guard let attempt = engine.attempts[id] else { return }
    say(.throttled(for: .minutes(2)), of: id, attempt.number)
    interrupt(id, failure, .minutes(2))
  }

  private mutating func interrupt(_ id: TransferID, _ failure: TransferFailure, _ retryAfter: Duration?) {
    guard let attempt = engine.end(id) else { return }
    say(.failed(failure, retryAfter: retryAfter), of: id, attempt.number)
  }

  /// Lets the server begin again, or the engine stop by itself or fall silent.
  private mutating func misbehave(_ id: TransferID) {
    let number = engine.attempts[id]!.number
    switch dice.below(3) {
    case 0:
      engine.change(id) { $0.offset = 0 }
      engine.parts[id] = 0
      engine.begunAgain.insert(id)
      say(.checkpointed(ResumePoint(offset: 0, validator: nil, length: nil)), of: id, number)
      plan(.engineStepped(id, attempt: number, daemon: daemon), in: dice.draw(50...20_000))
    case 1:
      engine.end(id)
      say(.stopped, of: id, number)
    default:
      engine.change(id) { $0.isSilent = true }
    }
  }

  /// Reports a fact, now and then twice or late.
  mutating func say(_ fact: TransferFact, of id: TransferID, _ attempt: Int) {
    report(.transfer(id, attempt: attempt, fact))
  }

  mutating func report(_ event: Event) {
    if dice.falls(faults.engineUnrest) { plan(.reported(event, daemon: daemon), in: dice.draw(0...60_000)) }
    post(event)
  }

  mutating func deliver(_ order: DeliveryOrder) {
    guard !dice.falls(faults.engineUnrest) else { return }  // No answer ever.
    plan(.delivered(order, daemon: daemon), in: dice.draw(1...3_000))
  }

  /// Ends a delivery: with success, or because a file is in the way, or because there is nothing to deliver.
  mutating func finish(_ order: DeliveryOrder) {
    let path = order.destination.path
    let isStaged = engine.staged[order.id]?.file == order.file
    let fact: DeliveryFact
    if engine.destinations[path] == order.id {
      fact = .delivered
    } else if dice.falls(faults.engineFailure) {
      fact = .failed(TransferFailure(.diskFull, "no space"))
    } else if engine.destinations[path] != nil, !order.destination.overwrites {
      fact = .failed(TransferFailure(.destinationExists, "'\(path)' exists"))
    } else if !isStaged {
      fact = .failed(TransferFailure(.cannotReadSource, "the staged file is gone"))
    } else {
      engine.destinations[path] = order.id
      fact = .delivered
    }
    report(.delivery(order.id, attempt: order.attempt, fact))
  }

  private mutating func anyFailure() -> TransferFailure {
    let passing: [TransferFailure.Code] = [
      .cannotFindHost, .cannotConnect, .notConnected, .connectionLost, .timedOut, .serverBusy, .diskFull,
      .badServerResponse, .secureConnectionFailed,
    ]
    let code = dice.falls(850) ? dice.pick(passing) : dice.pick(TransferFailure.Code.allCases)
    return TransferFailure(code, "made up")
  }

  static func host(of url: String) -> String { String(url.split(separator: "/")[1]) }
}
