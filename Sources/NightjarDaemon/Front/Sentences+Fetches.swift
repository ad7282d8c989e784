import NightjarCore
import NightjarModel

extension FetchObstacle {
  /// What keeps an app from being refreshed, as a sentence.
  var sentence: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }

  /// The same as a clause, to go into a sentence.
  fileprivate var clause: String { reason + (until.map { ", until \($0.inWords)" } ?? "") }

  private var reason: String {
    switch code {
    case .notDeclared: "it does not declare the background mode that this takes"
    case .never: "it wants no fetches: it has not set an interval"
    case .removedFromSwitcher: "a person removed it from the switcher and has not launched it since"
    case .backgroundRefreshRestricted: "whoever looks after this machine forbids Background App Refresh"
    case .backgroundRefreshOff: "Background App Refresh is off, for it or for all apps"
    case .neverOpened: "no person has used it, as far as is remembered"
    case .inForeground: "it is in the foreground, where it refreshes itself"
    case .underWay: "it is being refreshed, or runs a task"
    case .belowMinimumInterval: "the last one was less than its interval ago"
    case .backOff: spent?.clause ?? "it is left alone for a while, since it has failed"
    case .earliestBegin: "it asked not to be run yet"
    case .noNetwork: "there is no network"
    case .noPower: "it waits for external power"
    case .inUse: "it waits until the device is not in use, or on its charger"
    case .lowPowerMode: "power is being saved"
    case .batteryLow: "the battery is nearly empty"
    case .meteredNetwork: "the network costs money, or data is being saved"
    case .deviceAsleep: "the device sleeps, or is about to"
    case .budgetSpent: spent?.clause ?? "what fetches may cost in a day is spent"
    case .belowThreshold: "it is not worth it yet"
    }
  }
}

extension FetchObstacle.Spent {
  fileprivate var clause: String {
    switch self {
    case .fetches: "the fetches that apps may have in a day are spent"
    case .joules: "the energy that fetches may take from the battery in a day is spent"
    case .bytes: "the data that fetches may move in a day where it costs money is spent"
    case .launches: "its launches are spent, so often was it launched into the background"
    }
  }
}

extension FetchesView.Entry {
  /// What keeps it from being refreshed and, if it is neglected, that this will end soon.
  func sentence(of obstacle: FetchObstacle) -> String {
    obstacle.sentence + (isNeglected ? " Its content is so old that it joins the next window all the same." : "")
  }

  /// The state of its background fetch, worded to follow what is said about the app itself.
  var sentences: [String] {
    var found: [String] = []
    // The record of a fetch that is under way has its beginning, and still the outcome of the one before.
    if !isUnderWay, let at = record.lastBegin, let outcome = record.lastOutcome {
      found.append("Its last fetch began at \(at.inWords) and ended with \(outcome.rawValue).")
      if let reason = latest?.neglectInWords { found.append("It was made \(reason).") }
    }
    if let weight {
      let comparison = "\(weight.score.short) where \(weight.threshold.short) is called for"
      found.append("A fetch now is worth \(comparison): \(weight.words).")
    }
    found += obstacles.filter { $0.code != .underWay }.map { "It is not refreshed now. \(sentence(of: $0))" }
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
    let percent = (probability * 100).rounded(decimals: 1)
    return "it is used within half an hour with \(percent) %, and its content is \(age.inWords) old"
  }
}

extension FetchDecision {
  /// What was decided, worded to follow the app's name. The outcome is shown beside it.
  var sentence: String {
    let errand = request.map { "runs the task '\($0)'" } ?? "is refreshed"
    let reason = (neglectInWords.map { ", \($0)" } ?? "") + (weightInWords.map { ": \($0)" } ?? "")
    switch verdict {
    case .fetch: return errand + reason
    case .joins: return errand + " along with others" + reason
    case .asked: return errand + ", since a person asked for it"
    case .waits: return "waits: " + obstacles.map(\.clause).joined(separator: "; ")
    }
  }

  /// The clause for a fetch whose only reason was the age of the content; nil for others.
  fileprivate var neglectInWords: String? {
    isForNeglect ? weight.map { "since its content was \($0.age.inWords) old, and no app is neglected for long" } : nil
  }

  private var weightInWords: String? {
    weight.map { "worth \($0.score.short) where \($0.threshold.short) is called for" }
  }
}
