import Foundation
import Nightjar
import NightjarCore
import NightjarModel
import NightjarSimulator
import NightjarWire
import Synchronization

/// The daemon's side of an app's link, in this process and in virtual time: the transport over which the library reaches
/// the supervisor on its stage.
///
/// Calls come from any thread, and are answered before they return. What concerns the app beside them is told in order,
/// under one lock; what concerns whoever moves the time waits to be taken.
final class Theatre: Transport {
  /// What the app has yet to do before time may go on.
  enum Debt: Hashable, Sendable {
    /// To confirm that it is in the background.
    case entering(Int64)
    /// To call the completion handler of a fetch, or to complete a task.
    case fetch(Int64)
    case task(Int64)
    /// To end a background task.
    case work(Int64)
    /// To be told of a notification.
    case notice(Int64)
  }

  struct State: Sendable {
    var director: Director
    var receive: (@Sendable (Fact) -> Void)?
    /// Counts the lines: what is called over an earlier one is late.
    var line = 0
    var calls: [Ticket: Call] = [:]
    /// How many calls have come.
    var callCount = 0
    /// What the stage cannot do, and the app has yet to hear.
    var refused: [Fact] = []
    var debts: Set<Debt> = []
    /// The application's state when it was told of a fetch, by the fetch's place in the chronicle.
    var stateAtFetch: [Int: UIApplication.State] = [:]
    var cues: [Stage.Cue] = []
    var shown: [AppHistory.Sight] = []
    var view = ""
    var waiting: CheckedContinuation<Void, Never>?
  }

  let app: AppID
  let state: Mutex<State>
  /// Held while the app is told what follows from something, so that it hears everything in order.
  private let telling = Mutex(())

  init(_ scenario: Scenario, seed: UInt64) {
    app = scenario.apps[0].id
    state = Mutex(State(director: Director(scenario, seed: seed)))
  }

  /// The simulation that runs in this process.
  private static let standing = Mutex<Theatre?>(nil)
  static var current: Theatre? { standing.withLock { $0 } }
  static func stand(_ theatre: Theatre?) { standing.withLock { $0 = theatre } }

  /// The time in the simulation.
  var now: Date { Date(timeIntervalSince1970: Double(state.withLock { $0.director.stage.now }) / 1000) }

  /// Whether there is a network in the simulation.
  var isOnline: Bool { state.withLock { $0.director.isOnline } }

  // MARK: The app's side

  func dial(_ receive: @escaping @Sendable (Fact) -> Void) throws(LineDropped) -> any Line {
    let line = state.withLock { state in
      state.line += 1
      state.receive = receive
      return state.line
    }
    change { $0.director.stage.attach(app) }
    return TheatreLine(theatre: self, number: line)
  }

  /// There is no second attempt: a line drops only with the life of its app.
  func after(_ pause: Duration, _ then: @escaping @Sendable () -> Void) {}

  /// The app asks for something.
  fileprivate func take(_ call: Call, over line: Int) throws(LineDropped) {
    guard state.withLock({ $0.line == line && $0.receive != nil }) else {
      throw LineDropped(detail: "this life of the app is over")
    }
    change { state in
      state.callCount += 1
      state.note(call)
      state.ask(call, by: app)
    }
    state.withLock { $0.takeWaiting() }?.resume()
  }

  /// Changes something, and tells the app what follows.
  @discardableResult
  func change<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    telling.withLock { _ in
      let (result, receive, facts) = state.withLock { state in
        let result = change(&state)
        return (result, state.receive, state.takeFacts(for: app))
      }
      for fact in facts {
        if case .sent(.fetch(let number, _)) = fact { noteState(atFetch: number) }
        receive?(fact)
      }
      return result
    }
  }

  /// The app is told of its fetch on the main thread: its state is noted there right before.
  private func noteState(atFetch number: Int64) {
    DispatchQueue.main.async {
      let now = MainActor.assumeIsolated { UIApplication.shared.applicationState }
      self.state.withLock { state in
        if let place = state.director.place(ofFetch: number) { state.stateAtFetch[place] = now }
      }
    }
  }

  // MARK: The side of whoever moves the time

  /// Takes the cues that concern the app's processes and what is seen.
  func takeCues() -> [Stage.Cue] {
    state.withLock { state in
      defer { state.cues = [] }
      return state.cues
    }
  }

  /// Returns once the app has called again since there were so many calls, or a while of real time has passed.
  func nextCall(since count: Int, atMost patience: Duration) async {
    await withCheckedContinuation { waiting in
      let isLate = state.withLock { state in
        guard state.callCount == count else { return true }
        state.waiting = waiting
        return false
      }
      if isLate { return waiting.resume() }
      DispatchQueue.global().asyncAfter(deadline: .now() + patience.inSeconds) { [weak self] in
        self?.state.withLock { $0.callCount == count ? $0.takeWaiting() : nil }?.resume()
      }
    }
  }

  /// The app's process ends, as it was asked to.
  func exit() { change { $0.director.stage.exit(app) } }

  /// The app's process is gone.
  func hangUp() {
    let receive = state.withLock { state in
      defer { (state.receive, state.debts, state.calls) = (nil, [], [:]) }
      return state.receive
    }
    receive?(.dropped(LineDropped(detail: "this life of the app is over")))
  }
}

/// One life's line to the stage.
private struct TheatreLine: Line {
  let theatre: Theatre
  let number: Int

  func send(_ call: Call) throws(LineDropped) { try theatre.take(call, over: number) }

  /// The stage notices when the life ends.
  func hangUp() {}
}

extension Theatre.State {
  fileprivate mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
    defer { waiting = nil }
    return waiting
  }

  /// Asks the supervisor; what it is never asked is refused at once.
  fileprivate mutating func ask(_ call: Call, by app: AppID) {
    do throws(AppInterface.InvalidRequest) {
      let asked = try AppCall(call, number: Int64(callCount), of: app)
      guard let asked, let ticket = director.stage.ask(asked, by: app) else {
        return refuse(.invalidRequest(field: "session", reason: "background sessions do not move in a simulation"))
      }
      calls[ticket] = call
    } catch { refuse(.invalidRequest(field: error.field, reason: error.reason)) }
  }

  private mutating func refuse(_ refusal: Nightjar.Refusal) { refused.append(.answered(.refused(refusal))) }

  /// What a call says beside what it asks.
  fileprivate mutating func note(_ call: Call) {
    switch call {
    case .entered(let asked): debts.remove(.entering(asked.number))
    case .finishFetch(let asked):
      debts.remove(.fetch(asked.number))
      director.finish(asked.number, FetchOutcome(asked.outcome))
    case .finishTask(let asked): debts.remove(.task(asked.number))
    case .beginTask(let asked): debts.insert(.work(asked.task))
    case .endTask(let asked): debts.remove(.work(asked.task))
    case .takeNotification(let asked): debts.remove(.notice(asked.number))
    case .setView(let asked):
      view = asked.html
      see(.view, asked.html)
    default: break
    }
  }

  /// Something could be seen.
  mutating func see(_ kind: AppHistory.Sight.Kind, _ text: String) {
    shown.append(.init(at: director.chronicle.moment(director.stage.now), kind: kind, text: text))
  }

  /// What the app has to hear, in order; the rest waits for whoever moves the time.
  fileprivate mutating func takeFacts(for app: AppID) -> [Fact] {
    _ = director.takeBegunVisits()  // Of its visits the app is told by the supervisor.
    var facts = refused
    refused = []
    for cue in director.takeCues() {
      switch cue {
      case .attached(_, let answer): if let fact = attached(answer, app) { facts.append(fact) }
      case .told(_, let message): if let fact = told(message, app) { facts.append(fact) }
      case .answered(let ticket, let answer):
        if let call = calls.removeValue(forKey: ticket) { facts.append(.answered(Nightjar.Answer(answer, to: call))) }
      case .launched, .suspended, .thawed, .ending, .ended, .photographed, .shown, .noted: cues.append(cue)
      }
    }
    return facts
  }

  private mutating func attached(_ answer: NightjarCore.Answer, _ app: AppID) -> Fact? {
    guard case .attached(let life, let isBackground, let transition, let standing, let noticed) = answer else {
      return nil
    }
    if let transition { debts.insert(.entering(transition)) }
    return .attached(
      AppInterface.Attached(
        app: app.rawValue, life: Int64(life), background: isBackground, transition: transition,
        standing: standing.map(AppInterface.Standing.init), notified: noticed.map(AppInterface.Notified.init)))
  }

  private mutating func told(_ message: Message, _ app: AppID) -> Fact? {
    switch message {
    case .enterBackground(let number, _): debts.insert(.entering(number))
    case .performFetch(let number, _): debts.insert(.fetch(number))
    case .performTask(let number, _, _, _): debts.insert(.task(number))
    case .noticed(let noticed): debts.insert(.notice(noticed.id.rawValue))
    default: break
    }
    return Fact(message)
  }
}
