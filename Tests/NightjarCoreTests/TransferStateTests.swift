import NightjarModel
import Testing

@testable import NightjarCore

private let point = ResumePoint(offset: 5, validator: .entityTag("\"a\""), length: 10)
private let request = TransferRequest.made(1)
private let here = Circumstances(bounds: Fixed(Limits()), entropy: 0, now: Age(.seconds(100)))
private let firstDelay = here.limits.retry.delay(afterFailures: 1, entropy: here.entropy)

private func state(_ phase: TransferState.Phase) -> TransferState { TransferState(phase: phase, attempts: 3) }

@Suite struct `The machine of a transfer` {
  @Test(
    arguments: [
      .progressed(count: 3, expected: 10), .checkpointed(point), .finished(ok, oneFile), .failed(lost, retryAfter: nil),
      .unanswered(lost), .stopped,
    ] as [TransferFact])
  func `ignores a fact about any attempt but the newest`(fact: TransferFact) {
    var state = state(.running)

    let older = state.learn(fact, ofAttempt: 2, for: request, here)
    let newer = state.learn(fact, ofAttempt: 4, for: request, here)

    #expect(!older && !newer)
    #expect(state == TransferState(phase: .running, attempts: 3))
  }

  @Test(
    arguments: [
      .queued, .waiting(until: .zero, lost), .delivering(ok, oneFile), .undelivered(until: nil, ok, oneFile, lost),
      .ended(.failed(lost), at: .zero), .ended(.succeeded(ok, oneFile), at: .zero),
    ] as [TransferState.Phase])
  func `ignores every late fact about an attempt that is settled`(phase: TransferState.Phase) {
    let facts: [TransferFact] = [
      .progressed(count: 3, expected: 10), .checkpointed(point), .finished(ok, oneFile),
      .failed(lost, retryAfter: nil), .unanswered(lost), .stopped,
    ]
    for fact in facts {
      var state = state(phase)

      let hasChanged = state.learn(fact, ofAttempt: 3, for: request, here)

      #expect(!hasChanged)
      #expect(state.phase == phase)
    }
  }

  @Test(arguments: [.running, .stopping] as [TransferState.Phase])
  func `is over once the last byte is there, even if it was just being stopped`(phase: TransferState.Phase) {
    var state = state(phase)

    _ = state.learn(.finished(ok, oneFile), ofAttempt: 3, for: request, here)

    #expect(state.phase == .ended(.succeeded(ok, oneFile), at: here.now))
  }

  @Test(arguments: [.running, .stopping] as [TransferState.Phase])
  func `is over once what may have been carried out, and must not be twice, was not answered`(
    phase: TransferState.Phase
  ) {
    var state = state(phase)

    _ = state.learn(.unanswered(lost), ofAttempt: 3, for: request, here)

    #expect(state.phase == .ended(.failed(lost), at: here.now))
  }

  @Test(arguments: [.stopped, .failed(lost, retryAfter: nil)] as [TransferFact])
  func `stands in the queue again once it has stopped`(fact: TransferFact) {
    var state = state(.stopping)

    _ = state.learn(fact, ofAttempt: 3, for: request, here)

    #expect(state.phase == .queued)
    #expect(state.failures == 0)
  }

  @Test func `waits after a passing failure, and the longer by what the server wishes`() {
    var state = state(.running)

    _ = state.learn(.failed(lost, retryAfter: .minutes(7)), ofAttempt: 3, for: request, here)

    #expect(state.phase == .waiting(until: here.now + .minutes(7) + firstDelay, lost))
  }

  @Test func `waits no longer than a bound, whatever the server wishes`() {
    var state = state(.running)

    _ = state.learn(.failed(lost, retryAfter: .days(400)), ofAttempt: 3, for: request, here)

    #expect(state.phase == .waiting(until: here.now + .hours(24) + firstDelay, lost))
  }

  @Test(
    arguments: [.badURL, .tooManyRedirects, .badRedirect, .sourceChanged, .cannotReadSource] as [TransferFailure.Code])
  func `is over after a failure that another attempt would not mend`(code: TransferFailure.Code) {
    var state = state(.running)
    let failure = TransferFailure(code, "made up")

    _ = state.learn(.failed(failure, retryAfter: nil), ofAttempt: 3, for: request, here)

    #expect(state.phase == .ended(.failed(failure), at: here.now))
  }

  @Test func `takes a broken answer a few times before it counts`() {
    var state = state(.running)
    let broken = TransferFailure(.badServerResponse, "made up")
    var tries = 0

    while !state.isEnded, tries < 100 {
      state.phase = .running
      _ = state.learn(.failed(broken, retryAfter: nil), ofAttempt: 3, for: request, here)
      tries += 1
    }

    #expect(tries == here.limits.doubtfulFailuresMax + 1)
  }

  @Test func `takes a broken answer a few times, however many other failures came before`() {
    var state = state(.running)
    let broken = TransferFailure(.badServerResponse, "made up")

    for failure in Array(repeating: lost, count: 10) + [broken, broken, lost, broken] {
      state.phase = .running
      _ = state.learn(.failed(failure, retryAfter: nil), ofAttempt: 3, for: request, here)
    }

    #expect(state.phase == .waiting(until: here.now + here.limits.retry.delayMax, broken))
    #expect(state.doubts == 1)
  }

  @Test func `forgets earlier failures when more bytes are safe, and only then`() {
    var state = TransferState(phase: .running, attempts: 3, failures: 4, resume: point)

    _ = state.learn(.checkpointed(point), ofAttempt: 3, for: request, here)
    let before = state.failures
    let further = ResumePoint(offset: 6, validator: point.validator, length: 10)
    _ = state.learn(.checkpointed(further), ofAttempt: 3, for: request, here)

    #expect(before == 4)
    #expect(state.failures == 0)
    #expect(state.resume == further)
  }

  @Test func `takes bytes that cannot be gone on from for no progress`() {
    var state = TransferState(phase: .running, attempts: 3, failures: 4)

    for offset in [5, 9] as [Int64] {
      let point = ResumePoint(offset: offset, validator: nil, length: 10)
      _ = state.learn(.checkpointed(point), ofAttempt: 3, for: request, here)
    }

    #expect(state.failures == 4)
  }

  @Test func `takes bytes that it had before for no progress, and the next one for some`() {
    var state = TransferState(phase: .running, attempts: 3, failures: 4, resume: point)
    let start = ResumePoint(offset: 0, validator: nil, length: nil)
    let further = ResumePoint(offset: 6, validator: point.validator, length: 10)

    for again in [start, point] { _ = state.learn(.checkpointed(again), ofAttempt: 3, for: request, here) }
    let before = state.failures
    _ = state.learn(.checkpointed(further), ofAttempt: 3, for: request, here)

    #expect(before == 4)
    #expect(state.failures == 0)
  }

  @Test func `is tried ever more rarely, up to a bound, while nothing of what came can be kept`() {
    var (state, waits) = (TransferState(), [Duration]())

    for _ in 1...20 {
      state.phase = .queued
      state.begin()
      _ = state.learn(.progressed(count: 8 << 20, expected: nil), ofAttempt: state.attempts, for: request, here)
      _ = state.learn(.failed(lost, retryAfter: nil), ofAttempt: state.attempts, for: request, here)
      if case .waiting(let until, _) = state.phase { waits.append(until - here.now) }
    }

    #expect(waits == (0..<20).map { min(.seconds(1 << $0), here.limits.refetchDelayMax) })
    #expect(state.wasted == 20)
  }

  @Test(arguments: [(8 << 20, 8 << 20), (1000, 0)] as [(Int64, Int64)])
  func `is not tried more rarely for what can be gone on with, or for a trifle`(reached: Int64, kept: Int64) {
    var state = TransferState(phase: .running, attempts: 1, failures: 19)
    let safe = ResumePoint(offset: kept, validator: kept == 0 ? nil : point.validator, length: nil)

    _ = state.learn(.progressed(count: reached, expected: nil), ofAttempt: 1, for: request, here)
    state.resume = safe
    _ = state.learn(.failed(lost, retryAfter: nil), ofAttempt: 1, for: request, here)

    #expect(state.phase == .waiting(until: here.now + here.limits.retry.delayMax, lost))
    #expect(state.wasted == 0)
  }

  @Test func `goes on from zero when the server began again`() {
    var state = TransferState(phase: .running, attempts: 3, failures: 1, resume: point)
    let start = ResumePoint(offset: 0, validator: nil, length: nil)

    _ = state.learn(.checkpointed(start), ofAttempt: 3, for: request, here)

    #expect(state.resume == start)
    #expect(state.failures == 1)
  }

  @Test func `counts the answers of a busy server`() {
    var state = state(.running)

    _ = state.learn(
      .failed(TransferFailure(.serverBusy, "503"), retryAfter: nil), ofAttempt: 3, for: request, here)

    #expect(state.serverErrors == 1)
  }

  @Test func `measures the progress of another version of a file by that version`() {
    var state = TransferState(phase: .running, attempts: 3, failures: 4, resume: point)
    func safe(_ offset: Int64, _ state: inout TransferState) {
      let safe = ResumePoint(offset: offset, validator: offset == 0 ? nil : point.validator, length: 10)
      _ = state.learn(.checkpointed(safe), ofAttempt: state.attempts, for: request, here)
    }

    for offset in [9, 0, 1] as [Int64] { safe(offset, &state) }
    (state.phase, state.failures) = (.queued, 4)
    state.begin()
    safe(2, &state)

    #expect(state.failures == 0)
  }

  @Test func `forgets the answers of a busy server when more bytes are safe`() {
    var state = TransferState(phase: .running, attempts: 3, serverErrors: 8, resume: point)
    let further = ResumePoint(offset: 6, validator: point.validator, length: 10)

    _ = state.learn(.checkpointed(point), ofAttempt: 3, for: request, here)
    let before = state.serverErrors
    _ = state.learn(.checkpointed(further), ofAttempt: 3, for: request, here)

    #expect(before == 8)
    #expect(state.serverErrors == 0)
  }

  @Test func `with a destination delivers a good answer and fails with any other`() {
    var request = request
    request.destination = Destination(path: "/there")
    var (good, bad) = (state(.running), state(.running))

    _ = good.learn(.finished(ok, oneFile), ofAttempt: 3, for: request, here)
    let missing = Response(url: "https://a.example/1", status: 404, headers: [])
    _ = bad.learn(.finished(missing, oneFile), ofAttempt: 3, for: request, here)

    #expect(good.phase == .undelivered(until: .zero, ok, oneFile, TransferFailure(.cannotWrite, "not tried yet")))
    #expect(bad.isEnded)
  }

  @Test func `queues again what was under way when the daemon died`() {
    let was: [TransferState.Phase] = [.running, .stopping, .queued]

    let recovered = was.map { phase in
      var state = state(phase)
      state.recover()
      return state.phase
    }

    #expect(recovered == [.queued, .queued, .queued])
  }

  @Test func `hurries only what waits`() {
    var waiting = state(.waiting(until: Age(.days(1)), lost))
    var running = state(.running)

    let hurried = waiting.hurry()
    let idle = running.hurry()

    #expect(hurried && waiting.phase == .queued)
    #expect(!idle && running.phase == .running)
  }
}
