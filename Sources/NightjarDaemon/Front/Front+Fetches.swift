import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

/// The calls of people and scripts about fetches.
extension Front {
  func handleFetches(_ interface: inout VarlinkInterface) {
    interface.handle(ControlInterface.ListFetches.self) { [self] call in
      order(.listFetches(call.parameters.app.map { AppID($0) }), call) { answer in
        if case .fetches(let view) = answer { view.message } else { nil }
      }
    }
    interface.handle(ControlInterface.ListFetchDecisions.self) { [self] call in
      let (asked, app) = (call.parameters, call.parameters.app.map { AppID($0) })
      let limit = Int(clamping: asked.limit ?? .max)
      order(.listDecisions(app, after: asked.after, before: asked.before, limit: limit), call) { answer in
        if case .decisions(let decisions) = answer { .init(decisions: decisions.map(\.message)) } else { nil }
      }
    }
    interface.handle(ControlInterface.ShowHabits.self) { [self] call in
      order(.showHabits(call.parameters.app.map { AppID($0) }), call) { answer in
        guard case .habits(let view) = answer else { return nil }
        return .init(apps: view.apps.map(\.message), bytes: Int64(view.byteCount))
      }
    }
    interface.handle(ControlInterface.ForgetHabits.self) { [self] call in
      order(.forgetHabits(call.parameters.app.map { AppID($0) }), call)
    }
    interface.handle(ControlInterface.FetchNow.self) { [self] call in
      order(.fetchNow(AppID(call.parameters.app), request: call.parameters.request), call) { answer in
        guard case .fetched(let outcome, let cost) = answer else { return nil }
        return .init(outcome: .init(outcome), cost: .init(cost))
      }
    }
  }

  /// Launches an app into the foreground or, with `backgroundFetch`, into the background.
  func launch(_ call: VarlinkCall<ControlInterface.Launch.Parameters, ControlInterface.Launch.Reply>) {
    let app = AppID(call.parameters.app)
    let isFetch = call.parameters.backgroundFetch ?? false
    order(isFetch ? .launchToFetch(app) : .launch(app, arguments: call.parameters.arguments), call) { answer in
      if case .launched(let pid) = answer { .init(pid: Int64(pid)) } else { nil }
    }
  }
}

extension ControlInterface.FetchOutcome {
  init(_ outcome: FetchOutcome) { self.init(rawValue: outcome.rawValue)! }
}

extension ControlInterface.FetchCost {
  init(_ cost: FetchCost) {
    self.init(
      wallMs: cost.wall.wholeMilliseconds, cpuMs: cost.cpu.wholeMilliseconds, received: cost.received, sent: cost.sent,
      joules: cost.joules)
  }
}

extension FetchesView {
  fileprivate var message: ControlInterface.ListFetches.Reply {
    .init(apps: apps.map(\.message), budget: budget.message, nextLook: nextLook?.milliseconds)
  }
}

extension FetchesView.Budget {
  fileprivate var message: ControlInterface.FetchBudget {
    ControlInterface.FetchBudget(
      threshold: threshold, fetches: fetches.message, joules: joules.message, bytes: bytes.message)
  }
}

extension FetchesView.Balance {
  fileprivate var message: ControlInterface.FetchBalance { .init(perDay: perDay, left: left) }
}

extension FetchesView.Entry {
  var message: ControlInterface.AppFetches {
    var message = ControlInterface.AppFetches(
      app: installed.id.rawValue, name: installed.displayName, interval: record.interval?.inSeconds,
      allowed: isAllowed, underWay: isUnderWay,
      blockers: obstacles.map { $0.message(sentence(of: $0)) },
      windows: windows.map(\.milliseconds), cost: .init(record.cost), requests: requests.map(\.message))
    (message.lastBegin, message.lastOutcome) = (record.lastBegin?.milliseconds, record.lastOutcome.map { .init($0) })
    message.lastDurationMs = record.lastDuration > .zero ? record.lastDuration.wholeMilliseconds : nil
    (message.newData, message.noData) = (Int64(record.counts.newData), Int64(record.counts.noData))
    (message.failed, message.late) = (Int64(record.counts.failed), Int64(record.counts.late))
    (message.failures, message.score) = (Int64(record.backOff.failures), weight?.message)
    message.nextWindow = message.windows.first
    message.neglected = isNeglected ? true : nil
    message.lastNeglected = latest?.isForNeglect == true ? true : nil
    return message
  }
}

extension HabitsView.Entry {
  fileprivate var message: ControlInterface.AppHabits {
    .init(
      app: installed.id.rawValue, name: installed.displayName, weekday: weekday, weekend: weekend,
      probability: probability, launches: launches, bytes: Int64(byteCount))
  }
}

extension FetchWeight {
  fileprivate var message: ControlInterface.FetchScore {
    .init(
      score: score, threshold: threshold, probability: probability, ageMinutes: age.inSeconds / 60,
      updatesPerHour: updatesPerHour, value: value)
  }
}

extension FetchObstacle {
  fileprivate var message: ControlInterface.FetchBlocker { message(sentence) }

  fileprivate func message(_ sentence: String) -> ControlInterface.FetchBlocker {
    .init(code: code.rawValue, sentence: sentence, until: until?.milliseconds)
  }
}

extension FetchesView.Pending {
  fileprivate var message: ControlInterface.BackgroundRequest {
    .init(
      identifier: request.identifier, kind: .init(rawValue: request.kind.rawValue)!,
      earliestBegin: request.earliestBegin?.milliseconds, network: request.needsNetwork ? true : nil,
      power: request.needsPower ? true : nil, blockers: obstacles.map(\.message))
  }
}

extension FetchDecision {
  var message: ControlInterface.FetchDecision {
    .init(
      number: number, at: at.milliseconds, app: app.rawValue, verdict: .init(rawValue: verdict.rawValue)!,
      sentence: sentence, neglected: isForNeglect ? true : nil, score: weight?.message,
      blockers: obstacles.map(\.message), window: window, request: request, outcome: outcome.map { .init($0) },
      cost: cost.map { .init($0) })
  }
}
