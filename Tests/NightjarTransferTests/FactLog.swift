import NightjarModel
import Patience
import Synchronization

/// Remembers what an engine reports, and lets a test wait for it.
final class FactLog: Sendable {
  struct Entry: Equatable, Sendable {
    var id: TransferID
    var attempt: Int
    var fact: TransferFact
  }

  private typealias Waiter = (holds: @Sendable (Entry) -> Bool, told: AsyncStream<Entry>.Continuation)

  private struct Memory {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
    var hook: (@Sendable (Entry) -> Void)?
    var deliveries: [DeliveryFact] = []
    var deliveryWaiters: [AsyncStream<DeliveryFact>.Continuation] = []
  }

  private let memory = Mutex(Memory())

  /// Calls this with every fact while the engine waits, so that what it does comes before what the engine does next.
  func hook(_ act: @escaping @Sendable (Entry) -> Void) { memory.withLock { $0.hook = act } }

  func hear(_ entry: Entry) {
    memory.withLock { $0.hook }?(entry)
    let told = memory.withLock { memory in
      memory.entries.append(entry)
      let told = memory.waiters.filter { $0.holds(entry) }
      memory.waiters.removeAll { $0.holds(entry) }
      return told
    }
    for waiter in told { waiter.told.yield(entry) }
  }

  func hear(_ delivery: DeliveryFact) {
    let waiter = memory.withLock { memory in
      if memory.deliveryWaiters.isEmpty { memory.deliveries.append(delivery) }
      return memory.deliveryWaiters.isEmpty ? nil : memory.deliveryWaiters.removeFirst()
    }
    waiter?.yield(delivery)
  }

  /// Waits for a fact, which may have come already.
  @discardableResult
  func first(where holds: @escaping @Sendable (Entry) -> Bool) async throws -> Entry {
    try await answered { told in
      let known = memory.withLock { memory in
        let known = memory.entries.first(where: holds)
        if known == nil { memory.waiters.append((holds, told)) }
        return known
      }
      if let known { told.yield(known) }
    }
  }

  func nextDelivery() async throws -> DeliveryFact {
    try await answered { told in
      let known = memory.withLock { memory in
        if memory.deliveries.isEmpty { memory.deliveryWaiters.append(told) }
        return memory.deliveries.isEmpty ? nil : memory.deliveries.removeFirst()
      }
      if let known { told.yield(known) }
    }
  }

  func facts(of id: TransferID, attempt: Int) -> [TransferFact] {
    memory.withLock { $0.entries.filter { $0.id == id && $0.attempt == attempt }.map(\.fact) }
      .filter { $0.metrics == nil }
  }

  func metrics(of id: TransferID, attempt: Int) -> TransferMetrics? {
    memory.withLock { $0.entries.filter { $0.id == id && $0.attempt == attempt }.compactMap(\.fact.metrics).last }
  }
}

extension TransferFact {
  var isTerminal: Bool {
    switch self {
    case .finished, .failed, .unanswered, .asked, .stopped: true
    case .progressed, .informed, .throttled, .checkpointed, .measured: false
    }
  }

  var failure: TransferFailure? {
    switch self {
    case .failed(let failure, _), .unanswered(let failure): failure
    case .progressed, .informed, .throttled, .checkpointed, .measured, .finished, .asked, .stopped: nil
    }
  }

  var response: Response? {
    if case .finished(let response, _) = self { response } else { nil }
  }

  var information: Response? {
    if case .informed(let response) = self { response } else { nil }
  }

  var metrics: TransferMetrics? {
    if case .measured(let metrics) = self { metrics } else { nil }
  }

  var challenge: Challenge? {
    if case .asked(.challenge(let challenge)) = self { challenge } else { nil }
  }

  /// The bytes that it tells of as progress.
  var count: Int64 { if case .progressed(let count, _) = self { count } else { 0 } }

  var checkpoint: ResumePoint? {
    if case .checkpointed(let point) = self { point } else { nil }
  }
}

extension [TransferFact] {
  var failure: TransferFailure? { last?.failure }
  var response: Response? { last?.response }
  /// What is said of an answer whose body is lost.
  var loss: String? { response?.headers[field: "Warning"] }
  /// For how long hosts have asked to be left alone.
  var throttlings: [Duration] { compactMap { if case .throttled(let wish) = $0 { wish } else { nil } } }
  var checkpoints: [ResumePoint] { compactMap(\.checkpoint) }
  /// What servers have said before their answers, as far as it was told.
  var informations: [Response] { compactMap(\.information) }
}
