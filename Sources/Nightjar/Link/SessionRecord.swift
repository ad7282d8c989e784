import NightjarWire

/// Something a session's delegate is to be told, in the order it is told.
enum Happening: Sendable {
  /// Bytes moved; the newest figures stand in the record.
  case progressed(task: Int)
  /// A server has said something before its answer.
  case informed(AppInterface.Informed)
  /// A download goes on where an earlier one has left off.
  case resumed(task: Int, offset: Int64, expected: Int64?)
  /// The daemon says that a task ended.
  case ended(AppInterface.Ended)
  /// A task ended that the daemon never had, or no longer has.
  case endedHere(task: Int, failure: SessionFailure)
  /// A task asks.
  case asked(AppInterface.Asked)
  /// All waiting events were told.
  case eventsFinished
  /// The session has ended.
  case invalidated(SessionFailure?)
}

/// A background session as the link knows it.
struct SessionRecord {
  /// How far the session's own end has come.
  enum Stage: Hashable {
    case valid
    /// No new tasks; closed when the last one has ended.
    case finishing
    /// The daemon has been asked to forget it.
    case closing
    /// The delegate is about to be told that it has ended.
    case invalid
  }

  /// Retained until the session has ended, and its delegate with it, as on iOS.
  let session: URLSession
  /// What is kept in the container; nil if another process has it.
  let folder: SessionFolder?
  var stage = Stage.valid
  /// Why the session cannot be used, if it was refused: its tasks fail with this.
  var refusal: SessionFailure?
  /// The last number that was given to a task without being written down, since the session was refused.
  var strayLast = 0
  /// How often in a row the daemon has refused to open it.
  var refusals = 0
  /// The first task of this life, where an earlier one invalidated and cancelled the session and the daemon has not heard of
  /// that: the tasks before it are cancelled.
  var cancelsBelow: Int?
  /// Whether the daemon has opened it on the present line.
  var isOpen = false
  /// Whether all of its tasks are known; nothing is told before.
  var isListed = false
  /// All tasks whose end the delegate has not been told.
  var tasks: [Int: URLSessionTask] = [:]
  /// The tasks that a listing has named so far, and those that the daemon has accepted or told of meanwhile.
  var named: Set<Int> = []
  /// The tasks whose end was told while a listing was on its way, which may still name them; nil when none is.
  var toldMeanwhile: Set<Int>?
  /// What the daemon is to ask. Every certificate until it turns out that nobody wants to see them.
  var asks = AppInterface.Asks(credentials: true, everyCertificate: true, delays: true)
  /// What the delegate is to be told.
  var inbox = Fifo<Happening>()
  /// The newest figures of tasks with progress in the inbox: it holds at most one such entry for each task.
  var progress: [Int: AppInterface.Progressed] = [:]
  /// Whether a delegate call is under way.
  var isTelling = false
  /// Who waits to know all tasks.
  var askers: [@Sendable ([URLSessionTask]) -> Void] = []
  /// Opens when task identifiers can be given out.
  let settled = Latch()

  init(session: URLSession, folder: SessionFolder?) {
    (self.session, self.folder) = (session, folder)
  }

  /// The tasks by their identifiers.
  var sortedTasks: [URLSessionTask] { tasks.sorted { $0.key < $1.key }.map(\.value) }

  /// The daemon has opened it; its tasks are about to be listed.
  mutating func opened() {
    (isOpen, refusals, named, toldMeanwhile) = (true, 0, [], [])
    settled.open()
  }

  /// What the app may have left to the record alone. It is let go under no lock: its end may call the session.
  var leavings: Leavings { Leavings(session: session, tasks: sortedTasks) }

  struct Leavings: Sendable {
    let session: URLSession
    let tasks: [URLSessionTask]
  }

  /// It cannot be used.
  mutating func refuse(_ failure: SessionFailure) {
    (isListed, refusal) = (true, failure)
    settled.open()
  }

  /// All tasks are known; hands back who learns that now.
  mutating func listed() -> [@Sendable () -> Void] {
    (isListed, toldMeanwhile) = (true, nil)
    defer { askers = [] }
    return askers.map { [sortedTasks] asker in { asker(sortedTasks) } }
  }

  /// The end of a task has been told.
  mutating func forgetTask(_ task: Int) {
    tasks[task] = nil
    named.remove(task)
    toldMeanwhile?.insert(task)
  }

  /// Notes figures for the delegate, in place of older ones that it has not been told.
  mutating func note(_ figures: AppInterface.Progressed) {
    let task = Int(figures.task)
    if progress.updateValue(figures, forKey: task) == nil { inbox.append(.progressed(task: task)) }
  }

  /// Notes what a server has said; before its answer no more than so much for a delegate that hears of none.
  mutating func note(_ words: AppInterface.Informed) {
    let waiting = inbox.elements.count { if case .informed(let other) = $0 { other.task == words.task } else { false } }
    if waiting < LinkLimits.informationsMax || words.response.status >= 200 { inbox.append(.informed(words)) }
  }

  /// Whether the delegate is still to be told something of this kind.
  func waitsToTell(_ isMeant: (Happening) -> Bool) -> Bool { inbox.elements.contains(where: isMeant) }
}
