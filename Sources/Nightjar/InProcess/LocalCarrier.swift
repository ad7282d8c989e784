import Foundation
import FoundationNetworking
import NightjarWire
import Synchronization

/// Carries out the tasks of a default or ephemeral session in this process, over a session of FoundationNetworking.
///
/// FoundationNetworking's events arrive on a queue of its own and are put in the task's inbox. Each task has one
/// delegate call at a time on the session's delegate queue; the next is made when the last has been answered. So a
/// delegate that is slow, or calls a completion handler late, receives all events in order, which FoundationNetworking
/// does not promise.
final class LocalCarrier: Carrier {
  /// Held for as long as it takes to change a value. Nothing is written to the disk meanwhile: see ``FileSink``.
  let state = Mutex(LocalState())
  /// Held while FoundationNetworking is called, so that its calls about a task are in order. Its callbacks may take it,
  /// on a queue that no call of ours waits for.
  let acting = Mutex(())
  /// The session that loads.
  let foreign: FoundationNetworking.URLSession
  let settings: URLSessionConfiguration

  init(_ settings: URLSessionConfiguration) {
    _ = Self.sweep
    self.settings = settings
    let (ear, queue) = (LocalEar(), OperationQueue())
    queue.maxConcurrentOperationCount = 1
    queue.name = "dev.nightjar.LocalCarrier"
    foreign = FoundationNetworking.URLSession(
      configuration: settings.foreign, delegate: ear, delegateQueue: queue)
    ear.carrier = self
  }

  deinit { foreign.finishTasksAndInvalidate() }

  /// Clears an app's own temporary folder, once in each of its lives. Other programs share theirs with everybody.
  private static let sweep: Void = {
    let (environment, folder) = (ProcessInfo.processInfo.environment, NSTemporaryDirectory())
    guard environment["NIGHTJAR_APP"] != nil, let home = environment["CFFIXED_USER_HOME"], folder.hasPrefix(home + "/")
    else { return }
    FileSink.sweep(folder)
    LocalRemnant.sweep(folder)
  }()

  func open(_ session: URLSession) {}

  func newTask(of session: URLSession) -> (identifier: Int, facts: TaskFacts) {
    let number: Int? = state.withLock { state in
      guard state.stage == .valid else { return nil }
      defer { state.nextTask += 1 }
      return state.nextTask
    }
    guard let number else { Misuse.invalidated.happened() }
    return (number, TaskFacts())
  }

  /// Keeps a new task, and tells the delegate of it before the task is returned to the app, as on iOS.
  func keep(_ task: URLSessionTask, _ body: LocalBody, _ hearer: LocalHearer, _ start: LocalStart) {
    state.withLock { $0.tasks[task.taskIdentifier] = LocalTask(task, body, hearer, start) }
    task.toldDelegate?.urlSession(task.session, didCreateTask: task)
  }

  func tellTasks(of session: URLSession, _ then: @escaping @Sendable ([URLSessionTask]) -> Void) {
    then(state.withLock { $0.tasks.sorted { $0.key < $1.key }.map(\.value.task) })
  }

  func resume(_ task: URLSessionTask) { carryOut(task) { $0.resume() } }
  func suspend(_ task: URLSessionTask) { carryOut(task) { $0.suspend() } }
  func cancel(_ task: URLSessionTask) { carryOut(task) { $0.cancel() } }

  func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void) {
    guard state.withLock({ $0.tasks[task.taskIdentifier]?.keep(then) }) == true else { return then(nil) }
    cancel(task)
  }

  func changed(_ task: URLSessionTask, _ change: TaskChange) {
    if case .priority(let priority) = change { foreignTask(of: task)?.priority = priority }
  }

  func invalidate(_ session: URLSession, cancelling: Bool) {
    guard !session.isShared else { return }
    let tasks: [URLSessionTask] = state.withLock { state in
      if state.stage == .valid { state.stage = .finishing(session) }
      return state.tasks.values.map(\.task).sorted { $0.taskIdentifier < $1.taskIdentifier }
    }
    if cancelling { for task in tasks { cancel(task) } }
    closeIfDone()
  }

  func reset(_ session: URLSession, _ then: @escaping @Sendable () -> Void) {
    settings.forgetEverything()
    session.delegateQueue.addCall(then)
  }

  // MARK: The app's calls

  private func carryOut(_ task: URLSessionTask, _ wish: (inout TaskFacts) -> TaskFacts.Deed?) {
    acting.withLock { _ in
      guard let deed = task.facts.withLock({ wish(&$0) }) else { return }
      switch deed {
      case .enqueue:
        limit(task)
        start(task)
      case .suspend: state.withLock { $0.part(task.taskIdentifier) }?.cancel()
      case .resume: goOn(task)
      case .spool: preconditionFailure("a task in this process is written down: \(task)")
      case .cancel, .endHere: end(task)
      }
    }
    task.watch.lookAgain()
    pump(task.taskIdentifier)
  }

  /// Cancels a task, even if its whole answer has arrived.
  private func end(_ task: URLSessionTask) {
    state.withLock { $0.end(task.taskIdentifier) }?.cancel()
  }

  /// FoundationNetworking's present task for a task.
  func foreignTask(of task: URLSessionTask) -> FoundationNetworking.URLSessionTask? {
    state.withLock { $0.tasks[task.taskIdentifier]?.foreign }
  }

  /// Ends a task as cancelled, even if the whole refusal has arrived meanwhile.
  func giveUp(_ task: URLSessionTask) {
    let theirs = state.withLock { $0.beginAnew(task.taskIdentifier) }
    theirs?.cancel()
    note(.ended(URLError(.cancelled)), of: task.taskIdentifier)
  }

  /// Stores a credential that the server has accepted, for the session's other tasks.
  func keepCredential(of task: URLSessionTask) {
    guard let kept = state.withLock({ $0.tasks[task.taskIdentifier]?.credentials.takeKept() }) else { return }
    settings.urlCredentialStorage?.keep(kept.credential, for: AskedSpace(.init(space: kept.space, previousFailures: 0)))
  }

  // MARK: FoundationNetworking's events

  /// Handles an event. Runs on FoundationNetworking's queues.
  func hear(_ event: LocalEvent, of theirs: FoundationNetworking.URLSessionTask) {
    if let head = event.head { settings.keepCookies(of: head, to: theirs.originalRequest) }
    switch state.withLock({ $0.hear(event, of: theirs.taskIdentifier) }) {
    case .noted(let number): pump(number)
    case .nothing(let number): settle(number)
    case .arrived(let sink): write(sink, for: theirs)
    case .tooLate: break
    }
  }

  /// Writes bytes that have arrived. The next event of FoundationNetworking is heard afterwards, since its queue is
  /// serial.
  private func write(_ sink: FileSink, for theirs: FoundationNetworking.URLSessionTask) {
    let isWritten = sink.catchUp()
    guard let task = state.withLock({ $0.caughtUp(theirs.taskIdentifier) }) else { return }
    if !isWritten, task.error == nil { cancel(task) }
    pump(task.taskIdentifier)
  }

  /// Notes the end of a load whose challenge FoundationNetworking would now handle itself.
  func hearLast(of theirs: FoundationNetworking.URLSessionTask) {
    let number = state.withLock { state in
      let number = state.numbers.removeValue(forKey: theirs.taskIdentifier)
      if let number { state.tasks[number]?.note(.ended(nil)) }
      return number
    }
    if let number { pump(number) }
  }

  /// Ends a task that cannot go on, or asks for the whole.
  private func settle(_ number: Int) {
    guard let record = state.withLock({ $0.tasks[number] }) else { return }
    if record.trouble != nil, !record.parting.isBarred { cancel(record.task) }
    if record.wantsWhole { askForWhole(record.task) }
  }

  /// Puts an event in a task's inbox.
  func note(_ event: LocalEvent, of number: Int) { state.withLock { $0.tasks[number]?.note(event) } }

  // MARK: Delegate calls

  /// Delivers the next event of a task, unless one is being delivered.
  func pump(_ number: Int) {
    guard let (telling, event, turn) = state.withLock({ $0.nextTelling(of: number) }) else { return }
    telling.task.session.delegateQueue.addCall {
      telling.run(event, by: self) { self.told(event, of: number, in: turn) }
      guard event.asks else { return }
      self.state.withLock { $0.tasks[number]?.wait(in: turn) }
      self.pump(number)
    }
  }

  private func told(_ event: LocalEvent, of number: Int, in turn: Int) {
    let isNews = state.withLock { state in
      guard state.tasks[number]?.told(in: turn) == true else { return false }
      if case .ended = event { state.forget(number) }
      return true
    }
    guard isNews else { return }
    pump(number)
    closeIfDone()
  }

  /// Turns a data task whose response has arrived into a download.
  func become(_ download: URLSessionDownloadTask) {
    let sink = FileSink()
    state.withLock { $0.tasks[download.taskIdentifier]?.become(download, into: sink) }
    sink.catchUp()
  }

  /// Ends a session that only waited for its tasks.
  private func closeIfDone() {
    let ending: URLSession? = state.withLock { state in
      guard case .finishing(let session) = state.stage, state.tasks.isEmpty else { return nil }
      state.stage = .invalid
      return session
    }
    guard let ending else { return }
    foreign.finishTasksAndInvalidate()
    ending.delegateQueue.addCall {
      ending.delegate?.urlSession(ending, didBecomeInvalidWithError: nil)
      ending.releaseDelegate()
    }
  }
}
