import NightjarCore
import NightjarModel

extension FetchObstacle {
  /// What keeps an app from being refreshed, as a sentence.
  var sentence: String { reason + (until.map { ", until \($0.inWords)" } ?? "") + "." }

  private var reason: String {
    switch code {
    case .notDeclared: "It does not declare the background mode that this takes"
    case .never: "It wants no fetches: it has not set an interval"
    case .removedFromSwitcher: "A person removed it from the switcher and has not launched it since"
    case .backgroundRefreshOff: "Background App Refresh is off, for it or for all apps"
    case .neverOpened: "No person has used it, as far as is remembered"
    case .inForeground: "It is in the foreground, where it refreshes itself"
    case .underWay: "It is being refreshed, or runs a task"
    case .belowMinimumInterval: "It was refreshed less than its interval ago"
    case .backOff: "It is left alone for a while, since it has failed"
    case .earliestBegin: "It asked not to be run yet"
    case .noNetwork: "There is no network"
    case .noPower: "It waits for external power"
    case .inUse: "It waits until the device is not in use, or charging"
    case .lowPowerMode: "Power is being saved"
    case .batteryLow: "The battery is nearly empty"
    case .meteredNetwork: "The network costs money, or data is being saved"
    case .deviceAsleep: "The device sleeps, or is about to"
    case .budgetSpent: "What fetches may cost in a day is spent"
    case .belowThreshold: "It is not worth it yet"
    }
  }
}

extension FetchesView.Entry {
  /// How it stands with refreshing the app, after what is said of the app itself.
  var sentences: [String] {
    var found: [String] = []
    if let at = record.lastBegin, let outcome = record.lastOutcome {
      found.append("Its last fetch began at \(at.inWords) and ended with \(outcome.rawValue).")
    }
    if let weight {
      let comparison = "\(weight.score.inWords) where \(weight.threshold.inWords) is called for"
      found.append("A fetch now is worth \(comparison): \(weight.words).")
    }
    found += obstacles.filter { $0.code != .underWay }.map { "It is not refreshed now. \($0.sentence)" }
    if let next = windows.first { found.append("A fetch is likely at \(next.inWords).") }
    for pending in requests {
      let (request, others) = (pending.request, pending.obstacles.filter { !obstacles.contains($0) })
      let begin = request.earliestBegin.map { ", not before \($0.inWords)" } ?? ""
      found.append("It has asked for the \(request.kind.rawValue) task '\(request.identifier)'\(begin).")
      found += others.filter { $0.code != .underWay }.map { "That is not run now. \($0.sentence)" }
    }
    return found
  }
}

extension FetchWeight {
  fileprivate var words: String {
    let percent = (probability * 1000).rounded() / 10
    return "it is used within half an hour with \(percent) %, and its content is \(age.inWords) old"
  }
}

extension FetchDecision {
  /// What was decided, to stand behind the app's name.
  var sentence: String {
    let errand = request.map { "runs the task '\($0)'" } ?? "is refreshed"
    switch verdict {
    case .fetch: return errand + (weightInWords.map { ": \($0)" } ?? "") + result
    case .joins: return errand + " along with others" + (weightInWords.map { ": \($0)" } ?? "") + result
    case .asked: return errand + ", since a person asked for it" + result
    case .waits: return "waits: " + obstacles.map(\.sentence).joined(separator: " ")
    }
  }

  private var result: String { outcome.map { " (\($0.rawValue))" } ?? "" }

  private var weightInWords: String? {
    weight.map { "worth \($0.score.inWords) where \($0.threshold.inWords) is called for" }
  }
}

extension Double {
  /// Three digits that count.
  fileprivate var inWords: String {
    guard self != 0, isFinite else { return "\(self)" }
    var scale = 1.0
    while abs(self) * scale < 100, scale < 1e9 { scale *= 10 }
    return "\((self * scale).rounded() / scale)"
  }
}
