import Foundation
import NightjarModel
import NightjarWire
import Synchronization

// From the staging area to a file of the app's own.
extension Link {
  /// Makes the file the app's own, at once where that is a matter of names, and away from the delegate's queue where it
  /// has to be copied.
  func handOver(_ event: AppInterface.Ended, _ telling: Telling, _ left: Int) {
    guard let staged = event.file, let folder = telling.deliveries else { return call(telling, file: nil, left) }
    let path = SessionFolder.freshDelivery(in: folder)
    do throws(Handover.Trouble) {
      if let file = try Handover.takeAtOnce(staged, to: path) { return call(telling, file: file, left) }
      DispatchQueue.global().async { self.copy(event, staged, to: path, telling) }
    } catch { handleTrouble(error, event, telling, left) }
  }

  private func copy(_ event: AppInterface.Ended, _ staged: AppInterface.StagedFile, to path: String, _ telling: Telling)
  {
    let result = Result { () throws(Handover.Trouble) in try Handover.take(staged, to: path) }
    telling.session.delegateQueue.addCall {
      self.departure.unlessOver {
        switch result {
        case .success(let file): self.call(telling, file: file, LinkLimits.tellingsAtOnce)
        case .failure(let trouble): self.handleTrouble(trouble, event, telling, LinkLimits.tellingsAtOnce)
        }
      }
    }
  }

  private func handleTrouble(
    _ trouble: Handover.Trouble, _ event: AppInterface.Ended, _ telling: Telling, _ left: Int
  ) {
    switch trouble {
    case .system(let why) where why.isPassing:  // Hours may have gone into the file.
      DispatchQueue.global().asyncAfter(deadline: .now() + LinkLimits.handoverPause.inSeconds) { self.begin(telling) }
    case _ where telling.task is URLSessionUploadTask: tellWithoutBody(event, telling, left)
    case .damaged where isOver(telling.session):
      fail(event, telling, FailureMessage(code: "cancelled", detail: "cancelled"), left)
    case .damaged: report(event, telling, left)
    case .system(let why): fail(event, telling, FailureMessage(code: "cannotWrite", detail: "\(why)"), left)
    }
  }

  /// Whether the daemon has been asked to forget a session, and its staged files with it, or does not know it any more:
  /// nothing of it is downloaded again.
  private func isOver(_ session: URLSession) -> Bool {
    state.withLock { state in
      guard state.has(session), let stage = state.sessions[session.identifier]?.stage else { return true }
      return stage == .closing || stage == .invalid
    }
  }

  /// The server has what was sent, whatever has become of its answer's body: a failure would have the app send it
  /// again.
  private func tellWithoutBody(_ event: AppInterface.Ended, _ telling: Telling, _ left: Int) {
    var told = Telling(
      session: telling.session, task: telling.task, what: .ended(event.withoutBody), deliveries: nil)
    (told.spool, told.presence) = (telling.spool, telling.presence)
    call(told, file: nil, left)
  }

  /// The staged file is not what it was: the daemon downloads it again before it tells the end again.
  private func report(_ event: AppInterface.Ended, _ telling: Telling, _ left: Int) {
    goOn(telling, left) { state in
      telling.task?.facts.withLock { ($0.isEnding, $0.resumption) = (false, nil) }
      state.calls.append(.reportDamage(.init(number: event.number)))
      if state.has(telling.session) { state.sessions[event.session]?.isTelling = false }
    }
  }

  /// There will be no file for the delegate, and the task fails: the app's own disk is at fault, or its session has
  /// ended.
  private func fail(_ event: AppInterface.Ended, _ telling: Telling, _ why: FailureMessage, _ left: Int) {
    var failed = event
    (failed.file, failed.failure) = (nil, why)
    var told = Telling(session: telling.session, task: telling.task, what: .ended(failed), deliveries: nil)
    told.presence = telling.presence
    call(told, file: nil, left)
  }
}
