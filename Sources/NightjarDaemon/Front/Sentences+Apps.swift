import NightjarCore
import NightjarModel

extension AppView {
  /// Why the app runs or does not, and what led to it.
  var sentences: [String] {
    var found = [place] + rights.map(\.sentence)
    if let tracer { found.append("A debugger, process \(tracer), is attached to it: its deadlines stand still.") }
    switch verdict {
    case .waits(.telling, _)?, .waits(.unattached, _)?, nil: break
    case .allowed?: found.append("It is about to be told.")
    case .waits(let reason, let atMost)?:
      found.append(reason.sentence + (atMost.map { ", in \($0.inWords) at the latest." } ?? "."))
    }
    if card.isRemoved { found.append("It was removed from the switcher: nothing launches it until a person does.") }
    if waiting > 0 { found.append("\(waiting) event\(waiting == 1 ? " waits" : "s wait") to be acknowledged by it.") }
    if let lastEnd {
      let reason = endReason.map { "it \($0); " } ?? ""
      found.append("Its last life \(hasCrashed ? "crashed" : "ended"): \(reason)it \(lastEnd).")
    }
    return found
  }

  private var place: String {
    switch state {
    case .notRunning: "It does not run."
    case .launching: launchedPlace
    case .foreground: "It is in the foreground, where it may run as it likes."
    case .background where rights.isEmpty: "It is in the background and about to be suspended."
    case .background: "It runs in the background for a while."
    case .suspended: "It is suspended: it has nothing to do, and is woken when there is something to tell it."
    case .attached: "It is a program, and attached."
    case .ending: "It was asked to end."
    }
  }

  private var launchedPlace: String {
    guard case .waits(.unattached(let pid), _)? = verdict else { return "It was launched and has not attached yet." }
    return "It was started\(pid.map { " (pid \($0))" } ?? "") and is not attached; its events wait for that."
  }
}

extension AppView.Right {
  fileprivate var sentence: String {
    switch self {
    case .entering(let atMost): "It has yet to return from didEnterBackground, within \(atMost.inWords)."
    case .handling(let session, let atMost):
      "It handles the events of session '\(session)', whose completion handler is due within \(atMost.inWords)."
    case .errand(nil, let atMost):
      "It refreshes its content, and has to say within \(atMost.inWords) what came of it."
    case .errand(let request?, let atMost):
      "It runs the task '\(request)', which has to be completed within \(atMost.inWords)."
    case .acknowledging(let count, let atMost):
      "It is being told \(count) event\(count == 1 ? "" : "s"), and has to acknowledge one within \(atMost.inWords)."
    case .tasks(let names, let atMost): "Its background tasks \(names) may go on for \(atMost.inWords)."
    }
  }
}
