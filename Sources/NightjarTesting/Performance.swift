import Foundation
import Nightjar
import NightjarModel
import NightjarSimulator
import Synchronization

import struct FoundationNetworking.URLRequest

/// One run of a simulation: advances the time, starts the app's lives, and waits for its code.
@MainActor
final class Performance {
  private let theatre: Theatre
  private let patience: Duration
  private let permittedTasks: Set<String>
  private let server: (@Sendable (URLRequest) async -> ServerAnswer)?
  private let newDelegate: () -> any UIApplicationDelegate
  private var link: Link?
  /// Stands in for `link` between two lives.
  private var nowhere: Link?
  private var launches = 0
  private var steps: [AppHistory.Step] = []
  private var log: [String] = []
  private var observers: [any NSObjectProtocol] = []
  /// The app's container in the simulation; removed at the end.
  private let folder: String
  private var depot: Depot

  init(
    _ theatre: Theatre, patience: Duration, permittedTasks: Set<String>,
    server: (@Sendable (URLRequest) async -> ServerAnswer)?, _ newDelegate: @escaping () -> any UIApplicationDelegate
  ) {
    (self.theatre, self.patience, self.permittedTasks) = (theatre, patience, permittedTasks)
    (self.server, self.newDelegate) = (server, newDelegate)
    folder = NSTemporaryDirectory() + "nightjar-testing-\(UUID().uuidString)"
    depot = Depot(in: folder + "/staging")
  }

  func run() async throws(CancellationError) -> AppHistory {
    observe()
    defer { cleanUp() }
    repeat {
      await listen()
      if Task.isCancelled { throw CancellationError() }
    } while theatre.change { $0.director.step() }
    let state = theatre.state.withLock { state in
      let chronicle = state.director.finished()
      return (chronicle, state.stateAtFetch, state.shown, state.transfers.all, state.tasks.all)
    }
    return AppHistory(
      state.0, statesAtFetch: state.1, tasks: state.4, transfers: state.3, launches: launches, steps: steps,
      shown: state.2, log: log)
  }

  private func cleanUp() {
    endLife()
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Records the app's steps. Notifications are posted right after the delegate was called.
  private func observe() {
    for name in Self.names {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
          MainActor.assumeIsolated { self?.saw(name) }
        })
    }
  }

  private func saw(_ name: Notification.Name) {
    steps.append(.init(at: moment, name: name, applicationState: UIApplication.shared.applicationState))
  }

  private static let names = [
    UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
    UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
    UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
    UIApplication.didReceiveMemoryWarningNotification, UIApplication.significantTimeChangeNotification,
  ]

  // MARK: The app

  /// Carries out the waiting cues, and lets the app's code run until it owes nothing or patience runs out.
  private func listen() async {
    repeat {
      for cue in theatre.takeCues() { await take(cue) }
      guard await settle() else { return }
    } while theatre.state.withLock({ !$0.cues.isEmpty })
  }

  private func take(_ cue: Stage.Cue) async {
    switch cue {
    case .launched: launch()
    case .ending: end()
    case .ended: endLife()
    case .photographed: theatre.state.withLock { $0.see(.snapshot, $0.view) }
    case .shown(let banner): theatre.state.withLock { $0.see(.notification, banner.words) }
    case .noted(_?, let words): log.append("\(moment): \(words)")
    case .begun(let order): depot.begin(order)
    case .requested(let order): await ask(order)
    case .arrived(let id, let attempt): layDown(id, attempt)
    case .discarded(let id): depot.discard(id)
    case .noted(nil, _), .suspended, .thawed, .attached, .told, .answered, .transferEnded: break
    }
  }

  private var moment: AppHistory.Moment { theatre.state.withLock { $0.now } }

  /// Starts a new life: a new delegate and a new link, in the same process.
  private func launch() {
    launches += 1
    BGTaskScheduler.shared.reopen(permitting: permittedTasks)
    UNUserNotificationCenter.current().reopen()
    nowhere?.retire()
    let link = Link(place: Place(alone: folder), transport: theatre)
    Link.stand(in: link)
    self.link = link
    AppLife.shared.launch(newDelegate(), link: link)
  }

  /// Ends the app as the daemon would; calls that it makes in `applicationWillTerminate` still count.
  private func end() {
    guard link != nil else { return }
    UIApplication.shared.willTerminate()
    link?.settle()
    theatre.exit()
    endLife()
  }

  private func endLife() {
    guard let link else { return }
    self.link = nil
    theatre.hangUp()
    link.retire()
    nowhere = Link(place: Place(alone: folder + "/nowhere"), transport: Nowhere())
    Link.stand(in: nowhere)
  }

  // MARK: The servers

  /// Asks the server for an attempt, and tells the stage the outcome.
  private func ask(_ order: TransferOrder) async {
    var failure: TransferFailure
    var retryAfter: Duration?
    do throws(TransferFailure) {
      var exchange = Exchange(order)
      while true {
        let (head, body) = try await reply(to: exchange)
        if head.isThrottling, let wish = head.retryAfter {
          theatre.change { $0.director.stage.throttle(order.id, attempt: order.attempt, for: wish) }
        }
        if order.retriesServerErrors, head.isBusy(for: order.request.method) {
          retryAfter = head.retryAfter
          throw TransferFailure(.serverBusy, "the server answered \(head.status)")
        }
        guard let arrival = try depot.take(head, body, &exchange) else { continue }
        let response = depot.response(to: order.id)
        return theatre.change {
          if let response { $0.director.stage.inform(order.id, attempt: order.attempt, response) }
          $0.director.stage.answer(order.id, attempt: order.attempt, with: arrival)
        }
      }
    } catch { failure = error }
    theatre.change { $0.director.stage.fail(order.id, attempt: order.attempt, failure, retryAfter: retryAfter) }
  }

  private func reply(to exchange: Exchange) async throws(TransferFailure) -> (AnswerHead, Data) {
    let wanted = exchange.order.request
    guard let request = exchange.request(body: try wanted.sentBody()) else {
      throw TransferFailure(.badURL, "'\(wanted.url)' is no URL")
    }
    guard let answer = await server?(request), answer.isThere else {
      throw TransferFailure(.cannotConnect, "\(request.url?.host ?? wanted.url) cannot be reached")
    }
    say(answer.earlyHints, before: exchange.order)
    return exchange.reply(answer, to: request)
  }

  private func say(_ hints: [String: String], before order: TransferOrder) {
    guard !hints.isEmpty else { return }
    let fields = hints.sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
    let words = Response(url: order.request.url, status: 103, headers: fields)
    theatre.change { $0.director.stage.inform(order.id, attempt: order.attempt, words) }
  }

  private func layDown(_ id: TransferID, _ attempt: Int) {
    do throws(TransferFailure) {
      guard let (response, file) = try depot.layDown(id, attempt: attempt) else { return }
      theatre.change { $0.director.stage.finish(id, attempt: attempt, response, file) }
    } catch { theatre.change { $0.director.stage.fail(id, attempt: attempt, error) } }
  }

  // MARK: The time

  /// Waits until the main queue has run, every call of the app has arrived, and the app owes nothing.
  ///
  /// - Returns: False if patience ran out before; the app's debts are dropped then.
  private func settle() async -> Bool {
    let end = ContinuousClock.now + patience
    while true {
      let count = theatre.state.withLock { $0.callCount }
      await Self.mainQueue()
      let hasReleased = theatre.release()
      link?.settle()
      let haveReturned = await link?.handlersHaveReturned(within: end - ContinuousClock.now) ?? true
      let (after, owes) = theatre.state.withLock { ($0.callCount, !$0.debts.isEmpty) }
      if after == count, !owes, haveReturned, !hasReleased { return true }
      let now = ContinuousClock.now
      guard now < end else { break }
      if after == count, !hasReleased { await theatre.nextCall(since: count, atMost: end - now) }
    }
    theatre.state.withLock { $0.debts = [] }
    return false
  }

  private static func mainQueue() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
