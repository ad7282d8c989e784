import Foundation
import Nightjar
import NightjarCore
import NightjarModel
import NightjarSimulator
import NightjarWire
import Synchronization

/// The daemon's side of an app's link, in this process and in virtual time: the transport over which the library
/// reaches the supervisor on its stage.
///
/// Calls come from any thread, and are answered before they return. Facts are told to the app in order, under one lock;
/// cues for `Performance`, which advances the time, wait to be taken.
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
    /// To be told how a transfer has ended, and to say how one is to go on.
    case ending(Int64)
    case question(Int64)
    /// To have handled the events of a session.
    case events(String)
  }

  struct State: Sendable {
    var director: Director
    var receive: (@Sendable (Fact) -> Void)?
    /// The number of the newest line: a call over an earlier one is late.
    var line = 0
    var calls: [Ticket: Call] = [:]
    /// The number of calls so far.
    var callCount = 0
    /// Refusals that the app has yet to be told.
    var refused: [Fact] = []
    /// Facts held back until the app has been told on the main thread that a session has events; nil while it need not
    /// be.
    var held: [Fact]?
    var debts: Set<Debt> = []
    /// The application's state when it was told of a fetch, by the fetch's place in the chronicle.
    var stateAtFetch: [Int: UIApplication.State] = [:]
    var cues: [Stage.Cue] = []
    var shown: [AppHistory.Sight] = []
    var tasks = TaskLog()
    var transfers = TransferLog()
    /// Whether something stands in for the servers.
    let hasServer: Bool
    var view = ""
    var waiting: CheckedContinuation<Void, Never>?
  }

  let app: AppID
  let state: Mutex<State>
  /// Held while the app is told the facts of one change, so that all facts come in order.
  private let telling = Mutex(())

  /// - Parameters:
  ///   - modes: What the app declares to do in the background.
  ///   - bytesPerSecond: How much a transfer moves in a second; nil if there are no servers.
  init(_ scenario: Scenario, seed: UInt64, modes: Set<String>, bytesPerSecond: Int64?) {
    app = scenario.apps[0].id
    var director = Director(scenario, seed: seed, modes: modes)
    if let bytesPerSecond { director.stage.bytesPerSecond = bytesPerSecond }
    state = Mutex(State(director: director, hasServer: bytesPerSecond != nil))
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

  /// Changes the state, and tells the app the facts that follow.
  @discardableResult
  func change<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    telling.withLock { _ in
      let (result, receive, facts) = state.withLock { state in
        let result = change(&state)
        return (result, state.receive, state.takeFacts(for: app))
      }
      for fact in facts { tell(fact, receive) }
      return result
    }
  }

  private func tell(_ fact: Fact, _ receive: (@Sendable (Fact) -> Void)?) {
    if case .sent(.fetch(let number, _)) = fact { noteState(atFetch: number) }
    receive?(fact)
  }

  /// Tells the app the held facts, once it has been told on the main thread that it has events. False if none were
  /// held.
  func release() -> Bool {
    telling.withLock { _ in
      let (receive, facts) = state.withLock { ($0.receive, $0.release()) }
      for fact in facts ?? [] { tell(fact, receive) }
      return facts != nil
    }
  }

  /// Notes the app's state on the main thread, right before the app is told of its fetch there.
  private func noteState(atFetch number: Int64) {
    DispatchQueue.main.async {
      let now = MainActor.assumeIsolated { UIApplication.shared.applicationState }
      self.state.withLock { state in
        if let place = state.director.place(ofFetch: number) { state.stateAtFetch[place] = now }
      }
    }
  }

  // MARK: The side that advances the time

  /// Takes the cues that concern the app's processes and what is seen.
  func takeCues() -> [Stage.Cue] {
    state.withLock { state in
      defer { state.cues = [] }
      return state.cues
    }
  }

  /// Waits until there are more than `count` calls, at most for `patience` of real time.
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
      defer { (state.receive, state.debts, state.calls, state.held) = (nil, [], [:], nil) }
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
