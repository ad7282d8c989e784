public import Foundation
import NightjarWire
import Synchronization

/// Schedules work that an app does later, in the background (Apple's `BGTaskScheduler`). There is one, ``shared``.
///
/// An app registers a launch handler for an identifier while it is launched, and submits requests with that identifier
/// at any time. A request survives the app, the daemon and a reboot, until its task has run or it is cancelled.
/// Identifiers are listed under `BGTaskSchedulerPermittedIdentifiers` in the app's `Info.plist`.
public final class BGTaskScheduler: NSObject, Sendable {
  /// The scheduler of this app.
  public static let shared = BGTaskScheduler(permitted: declared) { Link.shared }

  /// The launch handler of an identifier, and its queue.
  // Unchecked: the handler is called on its queue alone, as the app asked by registering it.
  fileprivate struct Registration: @unchecked Sendable {
    let queue: DispatchQueue
    let handler: (BGTask) -> Void
  }

  fileprivate struct State: Sendable {
    /// The identifiers that may be registered.
    var permitted: Set<String>
    var registrations: [String: Registration] = [:]
    /// Whether the app has launched, and nothing can be registered any more.
    var isClosed = false
    /// The tasks that have not begun, by their numbers.
    var arrived: [Int64: Arrived] = [:]
    /// The running tasks, by the numbers with which they began.
    var tasks: [Int64: Running] = [:]
  }

  /// A task whose time has come and that has not begun: the main thread is busy, as while the app launches.
  fileprivate struct Arrived: Sendable {
    let identifier: String
    /// Whether the app has submitted another request with its identifier meanwhile.
    var isSuperseded = false
  }

  /// A running task.
  fileprivate struct Running: Sendable {
    let task: BGTask
    /// The number under which the daemon knows it: a later daemon may have asked for it anew.
    var number: Int64
    /// Whether the app has submitted another request with its identifier since it began. A later daemon knows only that
    /// one, and asks for it.
    var isSuperseded = false
    /// The task of that request, if its time has come: it runs as soon as this one has ended.
    var next: AppInterface.PerformTask?
    /// Whether that one is superseded, too.
    var isNextSuperseded = false
  }

  private let state: Mutex<State>
  private let link: @Sendable () -> Link

  init(permitted: Set<String>, link: @escaping @Sendable () -> Link) {
    self.link = link
    state = Mutex(State(permitted: permitted))
  }

  private static var declared: Set<String> {
    Set(Bundle.own?.object(forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers") as? [String] ?? [])
  }

  /// Registers the launch handler for an identifier. Register all before `didFinishLaunching` returns: the app may be
  /// launched into the background to run a task.
  ///
  /// - Parameters:
  ///   - identifier: The identifier. As on iOS, the process ends if it is registered twice, or after the app has
  ///     launched.
  ///   - queue: The queue on which the handler is called, and the expiration handler of its task. Nil for a background
  ///     queue; code of the main actor passes `.main`.
  ///   - launchHandler: Does the work or begins it, and calls ``BGTask/setTaskCompleted(success:)``.
  /// - Returns: False if the identifier is not in `BGTaskSchedulerPermittedIdentifiers`; it is not registered then.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    let registration = Registration(queue: queue ?? .global(), handler: launchHandler)
    return state.withLock { state in
      guard !state.isClosed else { Misuse.lateRegistration.happened() }
      guard state.permitted.contains(identifier) else {
        Console.warn("BGTaskScheduler: \(Self.undeclared(identifier))")
        return false
      }
      guard state.registrations.updateValue(registration, forKey: identifier) == nil else {
        Misuse.registered(identifier)
      }
      return true
    }
  }

  /// Submits a request to run a task later. It replaces a pending request with the same identifier.
  ///
  /// Waits for the daemon, which answers in milliseconds. When this returns, the request is durable.
  ///
  /// - Throws: ``Error``, and nothing is submitted: `notPermitted` if the identifier or the background mode is not
  ///   declared, `tooManyPendingTaskRequests` for a second refresh request or an eleventh processing request,
  ///   `unavailable` if Background App Refresh is off. Also `unavailable` if no daemon answers within five seconds; a
  ///   daemon that was connected before may still accept the request then.
  public func submit(_ taskRequest: BGTaskRequest) throws {
    guard state.withLock({ $0.permitted.contains(taskRequest.identifier) }) else {
      throw Error(.notPermitted, Self.undeclared(taskRequest.identifier))
    }
    let link = link()
    guard link.attach() != nil else { throw Error(.unavailable, "no daemon answers") }
    guard link.standing.backgroundRefresh else {
      throw Error(.unavailable, "Background App Refresh is off for this app: `nightjar settings` shows and changes it")
    }
    // Before the daemon knows of it, since it may then ask for it at any time.
    let superseded = state.withLock { $0.supersede(taskRequest.identifier) }
    guard let answer = link.submit(taskRequest.wire) else { throw Error(.unavailable, "no daemon answers") }
    if case .refused(let refusal) = answer {
      state.withLock { $0.reinstate(superseded) }
      throw Error(refusal)
    }
  }

  /// Cancels the pending request with an identifier. A task that has begun goes on.
  public func cancel(taskRequestWithIdentifier identifier: String) { link().cancelRequests(identifier) }

  /// Cancels all pending requests. Tasks that have begun go on.
  public func cancelAllTaskRequests() { link().cancelRequests(nil) }

  /// Calls the handler on any thread with copies of the pending requests. There are none if there has been no daemon
  /// since the process began; if it has gone, its successor is waited for. The handler may submit and cancel requests.
  public func getPendingTaskRequests(completionHandler: @escaping ([BGTaskRequest]) -> Void) {
    let (link, handler) = (link(), ListHandler(call: completionHandler))
    link.listRequests { list in link.callBack { handler.call(list.map(\.request)) } }
  }

  /// Returns copies of the pending requests, as ``getPendingTaskRequests(completionHandler:)`` does.
  public func pendingTaskRequests() async -> [BGTaskRequest] {
    let link = link()
    let found = await withCheckedContinuation { found in link.listRequests { found.resume(returning: $0) } }
    return found.map(\.request)
  }

  // MARK: Calls of the daemon

  /// Ends registration: the app has launched.
  func close() { state.withLock { $0.isClosed = true } }

  /// Forgets all registrations: another life of the app begins in this process, and may register these identifiers. The
  /// launch handlers are released outside the lock, since what is released with them may call the scheduler.
  package func reopen(permitting names: Set<String>) {
    let old = state.withLock { state in
      defer { state = State(permitted: names) }
      return state
    }
    withExtendedLifetime(old) {}
  }

  /// Notes on any thread that the time of a request has come: its task is run as soon as the main thread is served.
  func arrived(_ asked: AppInterface.PerformTask) {
    state.withLock { $0.arrived[asked.number] = Arrived(identifier: asked.identifier) }
  }

  /// Runs the task of a request whose time has come. A later daemon asks once more for one that still runs: it goes on,
  /// and its end is told under the later number. If the app has submitted its request anew meanwhile, that is what is
  /// asked for: it runs when the present one has ended, or when its own time is nearly up.
  func run(_ asked: AppInterface.PerformTask, link: Link) {
    let (course, isSuperseded): (State.Course?, Bool) = state.withLock { state in
      let isSuperseded = state.arrived.removeValue(forKey: asked.number)?.isSuperseded ?? false
      return (state.renumber(asked, isSuperseded: isSuperseded), isSuperseded)
    }
    switch course {
    case nil: begin(asked, isSuperseded: isSuperseded, link: link)
    case .goesOn(let former): link.forgetTask(former)
    case .waits(let former): if let former { link.forgetTask(former) }
    }
  }

  private func begin(
    _ asked: AppInterface.PerformTask, isSuperseded: Bool = false, isLate: Bool = false, link: Link
  ) {
    guard let registration = state.withLock({ $0.registrations[asked.identifier] }) else {
      Console.warn("BGTaskScheduler: no launch handler is registered for \(asked.identifier), so its task has failed")
      return link.finishTask(asked.number, success: false)
    }
    let task = task(asked, on: registration.queue, link: link)
    state.withLock {
      $0.tasks[asked.number] = Running(task: task, number: asked.number, isSuperseded: isSuperseded)
    }
    if isLate { task.expire() }
    registration.queue.async {
      registration.handler(task)
      task.launched()
    }
  }

  /// The time of a task is nearly up. One that waits for the end of another begins and is told so at once, so that the
  /// app may submit it anew, and the other comes to its end.
  func expire(_ number: Int64, link: Link) {
    let (running, isOfNext) = state.withLock { $0.expire(number) }
    running?.task.expire()
    if isOfNext, let running { beginNext(after: running, isLate: true, link: link) }
  }

  private func beginNext(after running: Running, isLate: Bool = false, link: Link) {
    guard let next = running.next else { return }
    begin(next, isSuperseded: running.isNextSuperseded, isLate: isLate, link: link)
  }

  private func task(_ asked: AppInterface.PerformTask, on queue: DispatchQueue, link: Link) -> BGTask {
    let finish: @Sendable (Bool) -> Void = { success in
      AppLife.onMain {  // Where numbers change, too: the end goes to the one that counts.
        let running = self.state.withLock { $0.tasks.removeValue(forKey: asked.number) }
        UIApplication.shared.endBackgroundWork()
        link.finishTask(running?.number ?? asked.number, success: success)
        if let running { self.beginNext(after: running, link: link) }
      }
    }
    return switch asked.kind {
    case .refresh: BGAppRefreshTask(asked.identifier, on: queue, finish: finish)
    case .processing: BGProcessingTask(asked.identifier, on: queue, finish: finish)
    }
  }

  private static func undeclared(_ identifier: String) -> String {
    "\(identifier) does not stand in BGTaskSchedulerPermittedIdentifiers of the app's Info.plist"
  }
}

extension BGTaskScheduler.State {
  /// What becomes of the call for a task whose identifier is that of one that runs.
  fileprivate enum Course {
    /// It is the running one, which had this number.
    case goesOn(former: Int64)
    /// It waits for the end of the running one, in place of what had this number.
    case waits(former: Int64?)
  }

  /// Gives the running task of this kind and identifier another number, or has the call for a newer request wait for
  /// its end. Nil if there is none. One that was told that its time is up does not count: an app that forgets to
  /// complete it would never get another.
  fileprivate mutating func renumber(_ asked: AppInterface.PerformTask, isSuperseded: Bool) -> Course? {
    let alike = tasks.first { _, running in
      let isRefresh = running.task is BGAppRefreshTask
      return running.task.identifier == asked.identifier && isRefresh == (asked.kind == .refresh)
        && !running.task.isExpired
    }
    guard let (first, running) = alike else { return nil }
    guard !running.isSuperseded else {
      tasks[first]?.next = asked
      tasks[first]?.isNextSuperseded = isSuperseded
      return .waits(former: running.next?.number)
    }
    tasks[first]?.number = asked.number
    return .goesOn(former: running.number)
  }

  /// Notes that a request with this identifier is submitted. Returns the tasks for which that is new, whether they run
  /// or have yet to begin.
  fileprivate mutating func supersede(_ identifier: String) -> [Int64] {
    let alike = tasks.filter { $0.value.task.identifier == identifier }
    for (first, running) in alike {
      tasks[first]?.isSuperseded = true
      tasks[first]?.isNextSuperseded = running.next != nil
    }
    let waiting = arrived.filter { $1.identifier == identifier && !$1.isSuperseded }.map(\.key)
    for number in waiting { arrived[number]?.isSuperseded = true }
    return alike.filter { !$0.value.isSuperseded }.map(\.key) + waiting
  }

  /// Notes that the request was refused.
  fileprivate mutating func reinstate(_ olds: [Int64]) {
    for old in olds {
      tasks[old]?.isSuperseded = false
      arrived[old]?.isSuperseded = false
    }
  }

  /// The running task whose time is up: that of this number, or the one for whose end that waits, which does so no
  /// more.
  fileprivate mutating func expire(_ number: Int64) -> (BGTaskScheduler.Running?, isOfNext: Bool) {
    guard let (first, running) = tasks.first(where: { $1.number == number || $1.next?.number == number }) else {
      return (nil, false)
    }
    guard running.number != number else { return (running, false) }
    tasks[first]?.next = nil
    return (running, true)
  }
}

/// Carries a handler through the link.
// Unchecked: it is called once, as its owner asked by handing it over.
private struct ListHandler: @unchecked Sendable {
  let call: ([BGTaskRequest]) -> Void
}

extension BGTaskScheduler.Error {
  /// The error for a request that the daemon has refused.
  fileprivate init(_ refusal: Refusal) {
    switch refusal {
    case .notDeclared: self.init(.notPermitted, refusal.complaint)
    case .limitReached: self.init(.tooManyPendingTaskRequests, refusal.complaint)
    case .notAttached, .sessionInUse, .sessionNotOpen, .noSuchTask, .sessionHasTasks, .invalidRequest, .noServer,
      .other:
      self.init(.unavailable, refusal.complaint)
    }
  }
}
