import NightjarWire
import Synchronization

/// The link's record of the app's errands: fetches and requested tasks.
struct ErrandBook {
  /// Receives the list of pending requests.
  typealias Lister = @Sendable ([AppInterface.BackgroundRequest]) -> Void

  /// Called for each errand; nil in a program, which has none.
  var handler: (@Sendable (Errand) -> Void)?
  /// The numbers of the fetches and tasks in progress, so that none is begun twice.
  var fetches: Set<Int64> = []
  var tasks: Set<Int64> = []
  /// Callers that wait for the answer to a submitted request, in the order of the calls.
  var submitters = Fifo<@Sendable (Answer) -> Void>()
  /// Callers that wait for the list of requests, in the order of the calls.
  var listers = Fifo<Lister>()

  /// Notes an errand. False if it is known already, or if it is the expiry of a task that has ended.
  mutating func begin(_ errand: Errand) -> Bool {
    switch errand {
    case .fetch(let number, _): fetches.insert(number).inserted
    case .task(let task): tasks.insert(task.number).inserted
    case .expiry(let number): tasks.contains(number)
    }
  }

  /// Handles the daemon's answer to a call about errands.
  mutating func heard(_ call: Call, _ answer: Answer) -> Hearing {
    switch call {
    case .submit:
      guard let submitter = submitters.popFirst() else { return Hearing() }
      return Hearing(asks: [{ submitter(answer) }])
    case .listRequests:
      guard let lister = listers.popFirst() else { return Hearing() }
      let list = if case .requests(let list) = answer { list } else { [AppInterface.BackgroundRequest]() }
      return Hearing(asks: [{ lister(list) }])
    default:
      guard case .refused(let refusal) = answer else { return Hearing() }
      return Hearing(asks: [{ Console.warn(refusal.complaint) }])
    }
  }
}

extension Link {
  /// Sets the handler of errands, which is called on any thread.
  func onErrand(_ handler: @escaping @Sendable (Errand) -> Void) {
    state.withLock { $0.errands.handler = handler }
  }

  /// Passes an errand to the app. A process without an app declines it.
  func sent(_ errand: Errand) {
    let (isNew, handler) = state.withLock { ($0.errands.begin(errand), $0.errands.handler) }
    guard isNew else { return }
    if let handler { handler(errand) } else { decline(errand) }
  }

  private func decline(_ errand: Errand) {
    state.withLock { state in
      switch errand {
      case .fetch(let number, _): state.calls.append(state.errands.end(fetch: number, .failed))
      case .task(let task): state.calls.append(state.errands.end(task: task.number, success: false))
      case .expiry: break
      }
    }
    flushSoon()
  }

  /// Sets the minimum interval of fetches; nil for no fetches.
  func setFetchInterval(_ seconds: Double?) { ask(.setFetchInterval(.init(seconds: seconds))) }

  /// Reports the result of a fetch, after everything that the app has asked for so far.
  func finishFetch(_ number: Int64, _ outcome: AppInterface.FinishFetch.Outcome) {
    state.withLock { $0.calls.append($0.errands.end(fetch: number, outcome)) }
    flush()
  }

  /// Reports the end of a task, after everything that the app has asked for so far.
  func finishTask(_ number: Int64, success: Bool) {
    state.withLock { $0.calls.append($0.errands.end(task: number, success: success)) }
    flush()
  }

  /// Forgets the number of a task that goes on under a later one.
  func forgetTask(_ number: Int64) { state.withLock { _ = $0.errands.tasks.remove(number) } }

  /// Submits a request, and waits until the daemon has accepted or refused it. Nil if no daemon has answered in time;
  /// one that was connected before may still accept it later.
  func submit(_ request: AppInterface.BackgroundRequest) -> Answer? {
    guard attach() != nil else { return nil }
    let answer = Awaited<Answer>()
    state.withLock { state in
      state.errands.submitters.append { answer.take($0) }
      state.calls.append(.submit(.init(request: request)))
    }
    flush()
    return answer.wait(atMost: patience)
  }

  /// Cancels a request, or all if the identifier is nil.
  func cancelRequests(_ identifier: String?) { ask(.cancelRequests(.init(identifier: identifier))) }

  /// Calls back with the pending requests, on any thread; with none if there has never been a daemon. If the daemon has
  /// gone, this waits for the next.
  func listRequests(_ then: @escaping ErrandBook.Lister) {
    let isAlone = state.withLock { state in
      guard !state.isAlone else { return true }
      state.errands.listers.append(then)
      state.calls.append(.listRequests)
      return false
    }
    if isAlone { return then([]) }
    start()
    flush()
  }
}

extension LinkState {
  /// Whether there is no daemon, and has been none during this process.
  var isAlone: Bool { phase == .down && attachment == nil }

  /// Withdraws the calls for lists, since there is no daemon. Returns closures that give empty lists to the waiting
  /// callers.
  mutating func giveUpListing() -> [@Sendable () -> Void] {
    calls.withdraw { $0 == .listRequests || $0 == .listNotifications }
    defer { (errands.listers, notices.askers) = (Fifo(), Fifo()) }
    let (listers, askers) = (errands.listers.elements, notices.askers.elements)
    return listers.map { lister in { @Sendable in lister([]) } } + askers.map { asker in { @Sendable in asker(.none) } }
  }
}

extension ErrandBook {
  fileprivate mutating func end(fetch number: Int64, _ outcome: AppInterface.FinishFetch.Outcome) -> Call {
    fetches.remove(number)
    return .finishFetch(.init(number: number, outcome: outcome))
  }

  fileprivate mutating func end(task number: Int64, success: Bool) -> Call {
    tasks.remove(number)
    return .finishTask(.init(number: number, success: success))
  }
}

extension Refusal {
  /// The refusal as a message for the app's log.
  var complaint: String {
    switch self {
    case .notDeclared(let mode, let hint):
      "the app does not declare the background mode \"\(mode)\" in UIBackgroundModes of its Info.plist: \(hint)"
    case .limitReached(let what, let limit): "no more than \(limit) \(what)"
    case .invalidRequest(let field, let reason): "the daemon refuses \(field): \(reason)"
    default: "the daemon refuses it: \(self)"
    }
  }
}
