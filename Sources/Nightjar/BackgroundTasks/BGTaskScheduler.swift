public import Foundation
import NightjarWire
import Synchronization

/// Lets an app do work later, in the background (Apple's `BGTaskScheduler`): there is one, ``shared``.
///
/// An app registers what is to be done under a name while it is launched, and submits requests under that name whenever it likes.
/// A request survives the app, the daemon and a reboot, until its time has come or it is cancelled. Names stand in
/// `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`.
public final class BGTaskScheduler: NSObject, Sendable {
  /// The one of this app.
  public static let shared = BGTaskScheduler(permitted: declared) { Link.shared }

  /// What is done under a name.
  // Unchecked: the handler is called on its queue alone, as the app asked by registering it.
  private struct Registration: @unchecked Sendable {
    let queue: DispatchQueue
    let handler: (BGTask) -> Void
  }

  private struct State: Sendable {
    /// The names that may be registered.
    var permitted: Set<String>
    var registrations: [String: Registration] = [:]
    /// Whether the app is launched, so that nothing can be registered any more.
    var isClosed = false
    /// The tasks that the app is at.
    var tasks: [Int64: BGTask] = [:]
  }

  private let state: Mutex<State>
  private let link: @Sendable () -> Link

  init(permitted: Set<String>, link: @escaping @Sendable () -> Link) {
    self.link = link
    state = Mutex(State(permitted: permitted))
  }

  private static var declared: Set<String> {
    Set(Bundle.main.object(forInfoDictionaryKey: "BGTaskSchedulerPermittedIdentifiers") as? [String] ?? [])
  }

  /// Names what is done when the time of a request has come. Register everything before `didFinishLaunching` returns: the
  /// app is launched into the background for it.
  ///
  /// - Parameters:
  ///   - identifier: The name, once: as on iOS, the process ends at the second time, and when the app is already launched.
  ///   - queue: Where the handler is called, and the expiration handler of its task. Nil for a queue in the background; code of the main
  ///     actor takes `.main`.
  ///   - launchHandler: Does the work, or begins it, and calls ``BGTask/setTaskCompleted(success:)``.
  /// - Returns: False, and nothing is registered, if the name does not stand in `BGTaskSchedulerPermittedIdentifiers`.
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

  /// Asks that a task be done later, in the place of what was asked under the same name. Waits for the daemon, which answers in
  /// milliseconds. When it returns, the request is durable.
  ///
  /// - Throws: ``Error``, and nothing is asked: with `notPermitted` where the name or the background mode is not declared, with
  ///   `tooManyPendingTaskRequests` for a second request to refresh or an eleventh for processing, with `unavailable` where a person
  ///   has turned Background App Refresh off. Also with `unavailable` where no daemon answers within five seconds; one
  ///   that was there before may still take it then.
  public func submit(_ taskRequest: BGTaskRequest) throws {
    guard state.withLock({ $0.permitted.contains(taskRequest.identifier) }) else {
      throw Error(.notPermitted, Self.undeclared(taskRequest.identifier))
    }
    let link = link()
    guard link.attach() != nil else { throw Error(.unavailable, "no daemon answers") }
    guard link.standing.backgroundRefresh else {
      throw Error(.unavailable, "Background App Refresh is off for this app: `nightjar settings` shows and changes it")
    }
    guard let answer = link.submit(taskRequest.wire) else { throw Error(.unavailable, "no daemon answers") }
    if case .refused(let refusal) = answer { throw Error(refusal) }
  }

  /// Takes back the request of a name. What has begun goes on.
  public func cancel(taskRequestWithIdentifier identifier: String) { link().cancelRequests(identifier) }

  /// Takes back all requests. What has begun goes on.
  public func cancelAllTaskRequests() { link().cancelRequests(nil) }

  /// Calls back with copies of the requests that are pending, on any thread. None without a daemon. The handler may submit and
  /// cancel requests itself.
  public func getPendingTaskRequests(completionHandler: @escaping ([BGTaskRequest]) -> Void) {
    let (link, handler) = (link(), ListHandler(call: completionHandler))
    link.listRequests { list in link.callBack { handler.call(list.map(\.request)) } }
  }

  /// The same, returning instead of calling a handler.
  public func pendingTaskRequests() async -> [BGTaskRequest] {
    let link = link()
    let found = await withCheckedContinuation { found in link.listRequests { found.resume(returning: $0) } }
    return found.map(\.request)
  }

  // MARK: What the daemon has done

  /// The app is launched: nothing is registered any more.
  func close() { state.withLock { $0.isClosed = true } }

  /// Another life of the app begins in this process, which may register these names: what was registered is forgotten.
  package func reopen(permitting names: Set<String>) { state.withLock { $0 = State(permitted: names) } }

  /// The time of a request has come.
  func run(_ asked: AppInterface.PerformTask, link: Link) {
    guard let registration = state.withLock({ $0.registrations[asked.identifier] }) else {
      Console.warn("BGTaskScheduler: no launch handler is registered for \(asked.identifier), so its task has failed")
      return link.finishTask(asked.number, success: false)
    }
    let task = task(asked, on: registration.queue, link: link)
    state.withLock { $0.tasks[asked.number] = task }
    registration.queue.async { registration.handler(task) }
  }

  /// The time of a task is nearly up.
  func expire(_ number: Int64) { state.withLock { $0.tasks[number] }?.expire() }

  private func task(_ asked: AppInterface.PerformTask, on queue: DispatchQueue, link: Link) -> BGTask {
    let finish: @Sendable (Bool) -> Void = { [self] success in
      state.withLock { $0.tasks[asked.number] = nil }
      AppLife.onMain {
        UIApplication.shared.endBackgroundWork()
        link.finishTask(asked.number, success: success)
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

/// A handler on its way through the link.
// Unchecked: it is called once, as its owner asked by handing it over.
private struct ListHandler: @unchecked Sendable {
  let call: ([BGTaskRequest]) -> Void
}

extension BGTaskScheduler.Error {
  /// Why the daemon has refused a request.
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
