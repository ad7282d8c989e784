import FoundationEssentials
import NightjarCore
import NightjarModel

extension TransferView {
  /// What the transfer does or waits for, in one sentence.
  var sentence: String {
    if case .waits(let reason, let atMost) = verdict {
      let removal = reason.isUncollected ? keptFor.map { " Uncollected, it is removed in \($0.inWords)." } : nil
      return reason.sentence + (atMost == nil ? hint(reason) : "") + Self.ending(atMost) + (removal ?? "")
    }
    switch state {
    case .queued: return "Its turn comes next."
    case .running: return attempts > 1 ? "It is under way, in attempt \(attempts)." : "It is under way."
    case .waiting, .asking, .suspended: return "It goes on in a moment."
    case .delivering: return "Its file is being delivered."
    case .succeeded: return "It is finished\(status)."
    case .failed: return "It failed: \(failure?.detail ?? "for no known reason")."
    }
  }

  /// What a person must do if nothing is retried by itself.
  private func hint(_ reason: Verdict.Reason) -> String {
    guard case .delivery = reason else { return "" }
    return ". Once that is mended: nightjar transfers resume \(id)"
  }

  /// Whether the verdict names the last failure itself.
  private var isBackOff: Bool {
    if case .waits(.backOff, _) = verdict { true } else { false }
  }

  /// The verdict, and what led to it.
  var sentences: [String] {
    var found = [sentence]
    if let failure, !isBackOff, state == .waiting || state == .running || state == .queued {
      found.append("The last attempt failed with \(failure.code.rawValue): \(failure.detail).")
    }
    if state != .succeeded, count > 0 {
      let whole = expected.map { " of \($0)" } ?? ""
      found.append("\(count)\(whole) bytes have moved in \(attempts) attempt\(attempts == 1 ? "" : "s").")
    }
    if case .waits = verdict, let end { found.append("The transfer itself has \(end).") }
    return found
  }

  /// How it has ended, in words; nil while it goes on.
  private var end: String? {
    switch state {
    case .succeeded: "succeeded"
    case .failed: "failed" + (failure.map { ": \($0.detail)" } ?? "")
    case .queued, .running, .waiting, .asking, .suspended, .delivering: nil
    }
  }

  private var status: String { response.map { " with status \($0.status)" } ?? "" }

  private static func ending(_ atMost: Duration?) -> String {
    guard let atMost else { return "." }
    return atMost > .zero ? ", in \(atMost.inWords) at the latest." : ", now."
  }
}

extension Verdict.Reason {
  /// What the transfer waits for, without the full stop.
  var sentence: String {
    switch self {
    case .lacks(let lack, let isSimulated): lack.sentence + (isSimulated ? " (simulated)" : "")
    case .earliestBegin(let time): "It must not begin before \(time.inWords)"
    case .throttled(let host): "It begins once the pause is over that \(host) has asked for"
    case .hostBusy(let host, let limit): "It waits for a free connection to \(host): all \(limit) are in use"
    case .hostShared(let host, let count):
      "It waits for a free connection to \(host): its app has \(count), and other apps that wait are to find one"
    case .sessionBusy(let host, let limit):
      "It waits for a free connection to \(host): its session may have \(limit) and has"
    case .allBusy(let limit): "It waits for its turn: \(limit) transfers are under way"
    case .appBusy(let count):
      "It waits for its turn: \(count) transfers of its app are under way, and other apps are to find a place"
    case .stagedBytes(let count, let limit):
      "It waits for room: \(count) bytes lie in the staging area or are about to come for its app, "
        + "which may have \(limit)"
    case .backOff(let failure, let attempts, let inVain):
      "It is tried again\(inVain > 1 ? ", ever more rarely since nothing of \(inVain) attempts could be kept," : "")"
        + " after attempt \(attempts) failed (\(failure.code.rawValue): \(failure.detail))"
        + (failure.code == .cannotWrite ? ", and goes on once that is mended" : "")
    case .suspended: "It is suspended; resume it to let it go on"
    case .delivery(let failure): "Its file is finished and could not be delivered: \(failure.detail)"
    case .nextLaunch: "Its app is told at the next launch, as its session asked for"
    case .restOfSession(1): "Its app is told when the other running transfer of its session ends"
    case .restOfSession(let count): "Its app is told when the \(count) other running transfers of its session end"
    case .telling: "Its app is being told"
    case .unattached(let pid):
      "Its program was started\(pid.map { " (pid \($0))" } ?? "") and is not attached; its events wait for that"
    case .launchBackOff(let detail, let attempts):
      "Its app is launched again to be told; the last \(attempts) time\(attempts == 1 ? "" : "s") it \(detail)"
    case .launchBudget(let max):
      "Its app is told when it may be launched again: it was launched into the background more than \(max) times of late"
    case .unopened(let session, let launches):
      "Its app was launched \(launches) times and never opened session '\(session)'; launch the app to try again"
    case .parked(let crashes): "Telling its app crashed it \(crashes) times; launch the app to try again"
    case .answer(let question): "It asks its app \(question.words), and \(question.fallbackWords) without an answer"
    case .removedFromSwitcher:
      "Its app is told when a person launches it again: it was removed from the switcher"
    case .nobodyToTell: "Its program is told when it attaches again; it named no command that starts it"
    }
  }
}

extension Verdict.Reason {
  /// Whether the transfer is over, and kept only until its app has collected it.
  fileprivate var isUncollected: Bool {
    switch self {
    case .nextLaunch, .nobodyToTell, .removedFromSwitcher, .parked, .unopened, .unattached, .launchBackOff,
      .restOfSession, .telling, .launchBudget:
      true
    case .lacks, .earliestBegin, .throttled, .hostBusy, .hostShared, .sessionBusy, .allBusy, .appBusy, .stagedBytes,
      .backOff, .suspended, .delivery, .answer:
      false
    }
  }
}

extension Lack {
  /// What is missing, without the full stop.
  fileprivate var sentence: String {
    switch self {
    case .network: "It waits for a network: none is up"
    case .otherThanCellular: "It waits for another network: it may not use a cellular one"
    case .inexpensive: "It waits for a network that costs nothing: it may not use one that does"
    case .unconstrained: "It waits for a network on which no data is saved: it may not use one that is constrained"
    case .unmetered(let discretion):
      "It waits for an unmetered network, since it is discretionary\(discretion.words)"
    case .externalPower(let discretion):
      "It waits for external power, since it is discretionary\(discretion.words)"
    case .fullPower(let discretion):
      "It waits for the end of low power mode, since it is discretionary\(discretion.words)"
    case .charge(let discretion, let min):
      "It waits until the battery is charging or at \(min) %, since it is discretionary\(discretion.words)"
    }
  }
}

extension Lack.Discretion {
  fileprivate var words: String {
    switch self {
    case .asked: ""
    case .background: ": its app queued it while running in the background"
    }
  }
}

extension Timestamp {
  /// The time on the calendar in UTC, as RFC 3339 writes it.
  var inWords: String { Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601) }
}
