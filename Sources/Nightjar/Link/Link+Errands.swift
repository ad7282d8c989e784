import NightjarWire
import Synchronization

/// What the link knows of the app's work in the background: fetches, and tasks that were put off.
struct ErrandBook {
  /// Waits for the list of the requests.
  typealias Lister = @Sendable ([AppInterface.BackgroundRequest]) -> Void

  /// Who hears that there is something to do; nil in a program, which does neither.
  var handler: (@Sendable (Errand) -> Void)?
  /// Numbers of the fetches and tasks that the app is at, so that none is begun twice.
  var fetches: Set<Int64> = []
  var tasks: Set<Int64> = []
  /// Who waits to learn whether a request is taken, in the order of the calls.
  var submitters = Fifo<@Sendable (Answer) -> Void>()
  /// Who waits for the list of the requests, in the order of the calls.
  var listers = Fifo<Lister>()

  /// Whether the app has to hear of it.
  mutating func begin(_ errand: Errand) -> Bool {
    switch errand {
    case .fetch(let number, _): fetches.insert(number).inserted
    case .task(let task): tasks.insert(task.number).inserted
    case .expiry(let number): tasks.contains(number)
    }
  }

  /// The daemon has answered a call about them.
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
  /// Who hears, on any thread, that there is something to do.
  func onErrand(_ handler: @escaping @Sendable (Errand) -> Void) {
    state.withLock { $0.errands.handler = handler }
  }

  /// The daemon has something for the app to do. A process without an app has nobody to do it.
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

  /// Says how long at least the app wants to go without a fetch; nil for ever.
  func setFetchInterval(_ seconds: Double?) { ask(.setFetchInterval(.init(seconds: seconds))) }

  /// Says what came of a fetch: after everything that the app has asked for so far.
  func finishFetch(_ number: Int64, _ outcome: AppInterface.FinishFetch.Outcome) {
    state.withLock { $0.calls.append($0.errands.end(fetch: number, outcome)) }
    flush()
  }

  /// Says that a task is done, or given up: after everything that the app has asked for so far.
  func finishTask(_ number: Int64, success: Bool) {
    state.withLock { $0.calls.append($0.errands.end(task: number, success: success)) }
    flush()
  }

  /// Puts a task off, and waits until the daemon has taken it or said no. Nil if no daemon has answered in time; it may
  /// take it later then, if it was there before.
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

  /// Takes a request back, or all.
  func cancelRequests(_ identifier: String?) { ask(.cancelRequests(.init(identifier: identifier))) }

  /// Calls back with the requests that are pending, on any thread; with none where there is no daemon. Where there has been
  /// one, it waits for the next.
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
  /// Whether there is no daemon, and was none as long as this process has been there.
  var isAlone: Bool { phase == .down && attachment == nil }

  /// There is no daemon: whoever waits for a list has waited in vain, and it is not asked for any more. Hands back what tells
  /// them so.
  mutating func giveUpListing() -> [@Sendable () -> Void] {
    calls.withdraw { $0 == .listRequests || $0 == .listNotifications }
    defer { (errands.listers, notices.askers) = (Fifo(), Fifo()) }
    let (listers, askers) = (errands.listers.elements, notices.askers.elements)
    return listers.map { lister in { @Sendable in lister([]) } } + askers.map { asker in { @Sendable in asker([]) } }
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
  /// The refusal in words for whoever looks into the app's log.
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
