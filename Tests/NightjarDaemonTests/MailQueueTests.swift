import NightjarCore
import NightjarModel
import Synchronization
import Testing

@testable import NightjarDaemon

/// What waits while nobody takes it.
@Suite struct MailQueueTests {
  private var queue = MailQueue()
  private let stopped = TransferFact.stopped

  private mutating func tell(_ id: Int64, attempt: Int = 1, _ fact: TransferFact) {
    queue.append(.event(.transfer(TransferID(id), attempt: attempt, fact)))
  }

  private mutating func progress(_ id: Int64, attempt: Int = 1, _ count: Int64) {
    tell(id, attempt: attempt, .progressed(count: count, expected: nil))
  }

  /// What is taken, in words.
  private mutating func taken(_ max: Int = .max, bodyBytesMax: Int = .max) -> [String] {
    queue.take(max, bodyBytesMax: bodyBytesMax).map { item in
      if case .event(.called(.enqueue(let request, _, _), _, _)) = item { return "body of \(request.body.count)" }
      guard case .event(.transfer(let id, let attempt, let fact)) = item else { return "another" }
      if case .progressed(let count, _) = fact { return "\(id).\(attempt): \(count)" }
      if case .checkpointed(let point) = fact { return "\(id).\(attempt): \(point.offset) safe" }
      return "\(id).\(attempt): end"
    }
  }

  @Test mutating func `how far a transfer is waits once, with its latest word, before its end`() {
    for count in 1...10_000 {
      progress(1, Int64(count))
      progress(2, Int64(2 * count))
    }
    #expect(queue.count == 2)
    tell(1, stopped)

    #expect(taken() == ["1.1: 10000", "2.1: 20000", "1.1: end"])
  }

  @Test mutating func `how much of it is safe waits once, too, however long nothing is taken`() {
    for count in 1...10_000 {
      progress(1, Int64(2 * count))
      tell(1, .checkpointed(ResumePoint(offset: Int64(count), validator: nil, length: nil)))
    }
    #expect(queue.count == 2)
    tell(1, stopped)
    tell(1, attempt: 2, .checkpointed(ResumePoint(offset: 5, validator: nil, length: nil)))

    #expect(taken() == ["1.1: 20000", "1.1: 10000 safe", "1.1: end", "1.2: 5 safe"])
  }

  @Test mutating func `a word after the end, or of the next attempt, comes after it`() {
    progress(1, 5)
    tell(1, stopped)
    progress(1, attempt: 2, 6)
    progress(1, attempt: 3, 7)

    #expect(taken() == ["1.1: 5", "1.1: end", "1.2: 6", "1.3: 7"])
  }

  @Test mutating func `a batch ends with the body that makes it large, so that no commit is larger`() {
    for bytes in [0, 3, 4, 5, 0] { enqueue(bytes) }
    #expect(queue.bodyBytes == 12)

    #expect(taken(bodyBytesMax: 7) == ["body of 0", "body of 3", "body of 4"])
    #expect(queue.bodyBytes == 5)
    #expect(taken(bodyBytesMax: 1) == ["body of 5"])
    #expect(taken(bodyBytesMax: 1) == ["body of 0"])
    #expect(queue.bodyBytes == 0)
  }

  private mutating func enqueue(_ bytes: Int) { queue.append(.event(enqueueing([UInt8](repeating: 7, count: bytes)))) }

  private func enqueueing(_ body: [UInt8]) -> Event {
    let request = TransferRequest(
      key: RequestKey(high: 7, low: 1), app: AppID("a"), url: "https://a.example", body: body)
    return .called(.enqueue(request, isSuspended: false), by: Caller(app: AppID("a"), pid: 1), Ticket(1))
  }

  @Test func `a mailbox that is full of bodies says so long before it is full of calls, and hands them out in parts`() {
    let mailbox = Mailbox()
    let told = Mutex<[Bool]>([])
    mailbox.whenPressureChanges { isFull in told.withLock { $0.append(isFull) } }
    let event = enqueueing([UInt8](repeating: 7, count: 1 << 20))

    for _ in 1..<64 { mailbox.post(event) }
    let before = told.withLock { $0 }
    mailbox.post(event)
    mailbox.finish()
    let batches = [mailbox.take()?.count, mailbox.take()?.count]

    #expect(before.isEmpty)
    #expect(batches == [16, 16])
    #expect(told.withLock { $0 } == [true, false])
  }

  @Test mutating func `what was taken is not changed any more`() {
    queue.append(.event(.awoke))
    for id in 1...6 { progress(Int64(id), 1) }
    let first = taken(3)
    progress(1, 2)
    progress(6, 2)

    #expect(first == ["another", "1.1: 1", "2.1: 1"])
    #expect(taken(2) == ["3.1: 1", "4.1: 1"])
    progress(5, 3)
    #expect(taken() == ["5.1: 3", "6.1: 2", "1.1: 2"])
    #expect(queue.count == 0)
  }
}
