import Dispatch
import Synchronization

/// Finds the addresses of names, on threads that nothing else waits for.
///
/// To look a name up takes as long as its servers take, which may be minutes, and cannot be called off. So a name is looked
/// up once for all who wait for it, also for those who come after others have lost patience: however often it is dialled, it
/// holds one thread. Names beyond the bound on threads wait for their turn.
///
/// No thread is waited for at the end. It holds nothing but this, and goes when its look-up returns.
final class NameLookups: Sendable {
  typealias Answer = Result<NameResolver.Found, any Error>
  typealias Waiter = @Sendable (Answer) -> Void

  /// Who waits for a name.
  struct Ticket: Sendable {
    let host: String
    fileprivate let number: Int
  }

  fileprivate struct Asker: Sendable {
    let number: Int
    let then: Waiter
  }

  fileprivate struct State: Sendable {
    /// Who waits for each name that is being looked up, perhaps nobody any more, or has yet to be.
    var asked: [String: [Asker]] = [:]
    /// Names that have yet to be looked up, the first first.
    var queue: [String] = []
    /// Up to which ticket somebody waited when the look-up of a name began.
    var begunAt: [String: Int] = [:]
    var threads = 0
    var tickets = 0
  }

  private let threadsMax: Int
  private let lookUp: NameResolver.LookUp
  private let state = Mutex(State())

  /// - Parameters:
  ///   - threadsMax: How many names may be looked up at a time.
  ///   - lookUp: How that is done.
  init(threadsMax: Int, lookUp: @escaping NameResolver.LookUp) {
    (self.threadsMax, self.lookUp) = (threadsMax, lookUp)
  }

  /// Asks for the addresses of a name. `then` is called once, from any thread, unless the wait is given up before.
  func ask(for host: String, then: @escaping Waiter) -> Ticket {
    let (ticket, mustStart) = state.withLock { state in
      state.tickets += 1
      if state.asked[host] == nil { state.queue.append(host) }
      state.asked[host, default: []].append(Asker(number: state.tickets, then: then))
      let mustStart = !state.queue.isEmpty && state.threads < threadsMax
      if mustStart { state.threads += 1 }
      return (Ticket(host: host, number: state.tickets), mustStart)
    }
    if mustStart { start() }
    return ticket
  }

  /// Waits no longer. Harmless once there was an answer.
  func giveUp(_ ticket: Ticket) {
    state.withLock { state in
      state.asked[ticket.host]?.removeAll { $0.number == ticket.number }
      guard state.asked[ticket.host]?.isEmpty == true, let place = state.queue.firstIndex(of: ticket.host) else {
        return  // What is under way goes on: others may come for it.
      }
      state.queue.remove(at: place)
      state.asked[ticket.host] = nil
    }
  }

  /// A queue has a thread of its own while there is something to do.
  private func start() {
    DispatchQueue(label: "nightjar.names").async { [self] in
      while let host = next() {
        let answer = Answer { try lookUp(host) }
        for waiter in state.withLock({ $0.settle(host, by: answer) }) { waiter.then(answer) }
      }
    }
  }

  private func next() -> String? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.threads -= 1
        return nil
      }
      let host = state.queue.removeFirst()
      state.begunAt[host] = state.tickets
      return host
    }
  }
}

extension NameLookups.State {
  /// Who is told of an answer. Who came after the look-up had begun is not told that it has failed, which may be for the network
  /// that there was then: it is looked up anew for them.
  fileprivate mutating func settle(_ host: String, by answer: NameLookups.Answer) -> [NameLookups.Asker] {
    let (all, begun) = (asked.removeValue(forKey: host) ?? [], begunAt.removeValue(forKey: host) ?? 0)
    guard case .failure = answer else { return all }
    let later = all.filter { $0.number > begun }
    if !later.isEmpty {
      asked[host] = later
      queue.append(host)
    }
    return all.filter { $0.number <= begun }
  }
}
