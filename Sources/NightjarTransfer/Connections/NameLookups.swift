import Dispatch
import Synchronization

/// Finds the addresses of names, on threads that nothing else waits for.
///
/// A look-up takes as long as the name's servers take, which may be minutes, and cannot be cancelled. So a name is
/// looked up once for all that wait for it, also for those that come after others have given up: however often it is
/// dialled, it holds one thread. Names beyond the bound on threads wait for their turn.
///
/// Shutdown waits for no thread. A thread holds nothing but this object, and ends when its look-up returns.
final class NameLookups: Sendable {
  typealias Answer = Result<NameResolver.Found, any Error>
  typealias Waiter = @Sendable (Answer) -> Void

  /// One wait for a name.
  struct Ticket: Sendable {
    let host: String
    fileprivate let number: Int
  }

  fileprivate struct Asker: Sendable {
    let number: Int
    let then: Waiter
  }

  fileprivate struct State: Sendable {
    /// The askers of each name that is queued or being looked up; for the latter perhaps none any more.
    var asked: [String: [Asker]] = [:]
    /// Names that have yet to be looked up, in order.
    var queue: [String] = []
    /// The newest ticket when the look-up of a name began.
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
  /// The askers to tell of an answer. Those that came after the look-up began are not told of a failure, which may be
  /// due to the network at that time: the name is looked up anew for them.
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
