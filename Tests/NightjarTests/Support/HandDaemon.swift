import Foundation
import NightjarWire
import Synchronization

@testable import Nightjar

/// A daemon made by hand: it answers calls as the real one does, says what a test wants said, and goes away on demand.
///
/// Nothing in it takes time: pauses between attempts to dial pass when a test says so.
// Unchecked: the condition guards everything that changes.
final class HandDaemon: Transport, @unchecked Sendable {
  private let condition = NSCondition()
  private let speaker = DispatchQueue(label: "hand-made daemon")
  private var receive: (@Sendable (Fact) -> Void)?
  private var isUp: Bool
  private var isSilent = false
  private var pauses: [@Sendable () -> Void] = []
  /// Answers that are on their way for as long as a test likes; nil when none are held back.
  private var heldBack: [Answer]?
  /// The call from whose answer on they are held back next.
  private var isToBeHeld: ((Call) -> Bool)?
  private var heard: [Call] = []
  private var refusals: [(isMeant: (Call) -> Bool, refusal: Refusal)] = []
  private var book: [String: Ledger] = [:]
  private var remnant: AppInterface.Remnant?
  private var standing: AppInterface.Standing?
  private var notifications: [AppInterface.Notification] = []
  private var shown: [AppInterface.ShownNotification] = []
  private var requests: [AppInterface.BackgroundRequest] = []
  /// Tests that wait for calls without holding their thread.
  private var waiters: [Waiter] = []
  private let isBackground: Bool
  /// The notification by which a person has launched the app.
  private let notified: AppInterface.Notified?

  /// What the daemon has written down about a session.
  private struct Ledger {
    var nextTask: Int64 = 1
    var tasks: [Int64: AppInterface.Task] = [:]
    var waiting: [AppInterface.Ended] = []
  }

  /// A test that waits for so many calls of a kind.
  private struct Waiter {
    let count: Int
    let isMeant: (Call) -> Bool
    let deadline: DispatchWorkItem
    let done: CheckedContinuation<Void, Never>
  }

  init(isUp: Bool = true, isBackground: Bool = false, notified: AppInterface.Notified? = nil) {
    (self.isUp, self.isBackground, self.notified) = (isUp, isBackground, notified)
  }

  // MARK: What the library sees

  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line {
    let (stands, standing) = condition.withLock {
      if isUp { self.receive = receive }
      return (isUp, self.standing)
    }
    guard stands else { throw LineDropped(detail: "nobody listens") }
    let attached = AppInterface.Attached(
      app: "dev.nightjar.Test", life: 1, background: isBackground, standing: standing, notified: notified)
    speak(.attached(attached), to: receive)
    return HandLine(daemon: self)
  }

  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void) { change { pauses.append(then) } }

  fileprivate func take(_ call: Call) -> Bool {
    change {
      guard isUp, let receive else { return false }
      heard.append(call)
      if !isSilent, let answer = answer(call) { send(answer, to: call, receive) }
      return true
    }
  }

  private func send(_ answer: Answer, to call: Call, _ receive: @escaping @Sendable (Fact) -> Void) {
    if isToBeHeld?(call) == true { (heldBack, isToBeHeld) = ([], nil) }
    if heldBack == nil { speak(.answered(answer), to: receive) } else { heldBack?.append(answer) }
  }

  // MARK: What a test does

  /// The answer to the next call of a kind is given at once, and arrives when the test says so, with all that follow.
  func holdAnswers(from isMeant: @escaping (Call) -> Bool) { change { isToBeHeld = isMeant } }

  /// Lets the answers arrive.
  func releaseAnswers() {
    change {
      for answer in heldBack ?? [] { if let receive { speak(.answered(answer), to: receive) } }
      heldBack = nil
    }
  }

  /// The line drops; nobody listens until `comeBack`.
  func goAway() {
    let receive = change {
      defer { (isUp, self.receive) = (false, nil) }
      return self.receive
    }
    if let receive { speak(.dropped(LineDropped(detail: "gone")), to: receive) }
  }

  /// Listens again, and lets the pause before the next attempt pass.
  func comeBack() {
    change { (isUp, isSilent) = (true, false) }
    passPause()
  }

  /// Listens again, for a life that has not dialled yet.
  func comeBackQuietly() { change { (isUp, isSilent) = (true, false) } }

  /// Lets the pause pass that the library takes between attempts, once it takes one.
  func passPause(file: StaticString = #fileID, line: UInt = #line) {
    wait("a pause", file, line) { !$0.pauses.isEmpty }
    let pauses = change {
      defer { self.pauses = [] }
      return self.pauses
    }
    for pause in pauses { pause() }
  }

  /// From now on calls are taken and not answered.
  func fallSilent() { change { isSilent = true } }

  /// Whoever attaches is told that the badge shows this.
  func show(badge: Int64) {
    stand(.init(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: badge))
  }

  /// Whoever attaches is told this standing.
  func stand(_ standing: AppInterface.Standing) { change { self.standing = standing } }

  /// A notification lies in the notification centre.
  func lay(_ notification: AppInterface.Notification, firedAt: Int64) {
    change { shown.insert(.init(notification: notification, firedAt: firedAt), at: 0) }
  }

  /// Cancelled tasks leave this, until it is used up.
  func leave(_ remnant: AppInterface.Remnant?) { change { self.remnant = remnant } }

  /// The next calls of a kind are refused, once.
  func refuse(with refusal: Refusal, _ isMeant: @escaping (Call) -> Bool) {
    change { refusals.append((isMeant, refusal)) }
  }

  /// Says something to the life that is attached.
  func say(_ fact: Fact, file: StaticString = #fileID, line: UInt = #line) {
    guard let receive = change({ self.receive }) else {
      preconditionFailure("nobody is there to be told \(fact)", file: file, line: line)
    }
    speak(fact, to: receive)
  }

  /// Returns when everything that was said has been heard.
  func hush() { speaker.sync {} }

  /// Something ended while no app was there, or ends now: told when the session is opened, and now if it is.
  func end(_ event: AppInterface.Ended, now: Bool = true) {
    change { book[event.session, default: Ledger()].waiting.append(event) }
    if now, condition.withLock({ receive != nil }) { say(.ended(event)) }
  }

  /// A session has had tasks in an earlier life of the app.
  func remember(_ tasks: [AppInterface.Task], of session: String, nextTask: Int64) {
    change {
      book[session, default: Ledger()].nextTask = nextTask
      for task in tasks { book[session]?.tasks[task.task] = task }
    }
  }

  /// Loses everything it knew, as when its database is removed.
  func forgetEverything() { change { book = [:] } }

  /// Everything that reached the socket, in order.
  var calls: [Call] { condition.withLock { heard } }

  /// The tasks that were queued, in order, repetitions included.
  var enqueued: [AppInterface.NewTask] { calls.compactMap(\.enqueued) }

  /// Waits until enough calls of a kind have come; hands them back.
  @discardableResult
  func waitForCalls(
    _ count: Int = 1, file: StaticString = #fileID, line: UInt = #line, _ isMeant: @escaping (Call) -> Bool
  ) -> [Call] {
    wait("\(count) calls", file, line) { $0.heard.filter(isMeant).count >= count }
    return calls.filter(isMeant)
  }

  /// The same, leaving the thread to others: for what only goes on if the main thread is free.
  @discardableResult
  func untilCalls(
    _ count: Int = 1, file: StaticString = #fileID, line: UInt = #line, _ isMeant: @escaping (Call) -> Bool
  ) async -> [Call] {
    let deadline = DispatchWorkItem { [self] in
      preconditionFailure("waited in vain for \(count) calls, heard only \(calls)", file: file, line: line)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: deadline)
    await withCheckedContinuation { done in
      change { waiters.append(Waiter(count: count, isMeant: isMeant, deadline: deadline, done: done)) }
    }
    return calls.filter(isMeant)
  }

  /// Waits until what a link knows fulfils a condition.
  func waitUntil(
    _ link: Link, file: StaticString = #fileID, line: UInt = #line, _ isTrue: (LinkState) -> Bool
  ) {
    wait("the link", file, line) { _ in link.state.withLock { isTrue($0) } }
  }

  // MARK: How it answers

  private func answer(_ call: Call) -> Answer? {
    if let index = refusals.firstIndex(where: { $0.isMeant(call) }) {
      return .refused(refusals.remove(at: index).refusal)
    }
    switch call {
    case .openSession(let asked): return opened(asked.session)
    case .listTasks(let asked): return listed(asked)
    case .enqueue(let asked): return accepted(asked)
    case .acknowledge(let asked):
      for number in asked.numbers { forget(number) }
      return .done
    case .cancelKeeping: return .left(remnant)
    case .cancel(let asked): return book[asked.session]?.tasks[asked.task] == nil ? .refused(.noSuchTask) : .done
    case .closeSession(let asked):
      book[asked.session] = nil
      return .done
    case .suspend, .resume, .update, .reportDamage, .answer, .finishEvents, .forgetDecisions, .entered, .beginTask,
      .endTask, .setView, .ignoreSnapshot, .setFetchInterval, .finishFetch, .finishTask:
      return .done
    case .submit(let asked):
      requests.removeAll { $0.identifier == asked.request.identifier }
      requests.append(asked.request)
      return .done
    case .cancelRequests(let asked):
      requests.removeAll { asked.identifier == nil || $0.identifier == asked.identifier }
      return .done
    case .listRequests: return .requests(requests.sorted { $0.identifier < $1.identifier })
    case .schedule(let asked):
      if asked.replace == true { notifications = [] }
      let names = asked.notifications.compactMap(\.identifier)
      if !names.isEmpty { cancel(.init(identifiers: names)) }
      notifications += asked.notifications
      return .done
    case .cancelNotifications(let asked):
      cancel(asked)
      return .done
    case .listNotifications: return .notifications(.init(notifications: notifications, shown: shown))
    case .setBadge, .takeNotification: return .done
    }
  }

  private func cancel(_ asked: AppInterface.CancelNotifications.Parameters) {
    if asked.only != .shown { notifications.removeAll { asked.means($0) } }
    if asked.only != .scheduled { shown.removeAll { asked.means($0.notification) } }
  }

  private func opened(_ session: String) -> Answer {
    let ledger = book[session, default: Ledger()]
    book[session] = ledger
    if let receive { for event in ledger.waiting { speak(.ended(event), to: receive) } }
    return .opened(.init(nextTask: ledger.nextTask, taskCount: Int64(ledger.tasks.count)))
  }

  private func listed(_ asked: AppInterface.ListTasks.Parameters) -> Answer {
    let tasks = (book[asked.session]?.tasks ?? [:]).values.filter { $0.task > asked.after }.sorted { $0.task < $1.task }
    return .listed(.init(tasks: Array(tasks.prefix(2)), complete: tasks.count <= 2))
  }

  private func accepted(_ asked: AppInterface.Enqueue.Parameters) -> Answer {
    let task = asked.task
    let next = max(book[asked.session]?.nextTask ?? 1, task.task + 1)
    book[asked.session]?.nextTask = next
    let resumed = remnant.flatMap { $0.token == task.remnant ? $0 : nil }
    if book[asked.session]?.tasks[task.task]?.key != task.key {
      book[asked.session]?.tasks[task.task] = AppInterface.Task(
        task: task.task, key: task.key, direction: task.direction, method: task.method, url: task.url,
        headers: task.headers, label: task.label ?? "", file: task.file, priority: task.priority ?? 0.5,
        state: .running, count: resumed?.offset ?? 0, options: task.options)
    }
    return resumed.map { .resumed($0) } ?? .done
  }

  private func forget(_ number: Int64) {
    for session in book.keys {
      for event in book[session]?.waiting.filter({ $0.number == number }) ?? [] {
        book[session]?.tasks[event.task] = nil
      }
      book[session]?.waiting.removeAll { $0.number == number }
    }
  }

  // MARK: Waiting

  /// Says something on the thread that speaks for the daemon; whoever waits looks again afterwards.
  private func speak(_ fact: Fact, to receive: @escaping @Sendable (Fact) -> Void) {
    speaker.async {
      receive(fact)
      self.change {}
    }
  }

  @discardableResult
  private func change<R>(_ deed: () -> R) -> R {
    condition.withLock {
      defer {
        condition.broadcast()
        releaseWaiters()
      }
      return deed()
    }
  }

  private func releaseWaiters() {
    let isOver = { (waiter: Waiter) in self.heard.count(where: waiter.isMeant) >= waiter.count }
    let over = waiters.filter(isOver)
    waiters.removeAll(where: isOver)
    for waiter in over {
      waiter.deadline.cancel()
      waiter.done.resume()
    }
  }

  private func wait(_ what: String, _ file: StaticString, _ line: UInt, until isDone: (HandDaemon) -> Bool) {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      while !isDone(self) {
        precondition(Date() < end, "waited in vain for \(what), heard only \(heard)", file: file, line: line)
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01))  // A link changes, too, without our hearing of it.
      }
    }
  }
}

/// A line to the hand-made daemon.
private struct HandLine: Line {
  let daemon: HandDaemon

  func send(_ call: Call) throws(LineDropped) {
    guard daemon.take(call) else { throw LineDropped(detail: "broken pipe") }
  }

  func hangUp() {}
}

extension AppInterface.CancelNotifications.Parameters {
  fileprivate func means(_ notification: AppInterface.Notification) -> Bool {
    var keyless = notification
    keyless.key = ""
    if keys == nil, like == nil, identifiers == nil { return true }
    return keys?.contains(notification.key) == true || like?.contains(keyless) == true
      || notification.identifier.map { identifiers?.contains($0) == true } == true
  }
}
