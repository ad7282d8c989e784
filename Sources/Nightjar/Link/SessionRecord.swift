import NightjarWire
import Synchronization

/// The link's record of a background session.
struct SessionRecord {
  /// The stage of the session's life.
  enum Stage: Hashable {
    case valid
    /// No new tasks; closed when the last one has ended.
    case finishing
    /// The daemon has been asked to forget it.
    case closing
    /// The delegate is about to be told that it has ended.
    case invalid
  }

  /// The session, retained with its delegate until it has ended, as on iOS.
  let session: URLSession
  /// The session's folder in the container; nil if another process has it.
  let folder: SessionFolder?
  var stage = Stage.valid
  /// Why the session was refused and cannot be used; its tasks fail with this.
  var refusal: SessionFailure?
  /// The last number that was given to a task without being recorded, because the session was refused.
  var strayLast = 0
  /// How often in a row the daemon has refused to open it.
  var refusals = 0
  /// The first task of this life, if an earlier life's `invalidateAndCancel()` has not reached the daemon: the tasks
  /// before it are cancelled.
  var cancelsBelow: Int?
  /// Whether the daemon has opened it on the present line.
  var isOpen = false
  /// Whether all of its tasks are known; the delegate is not called before.
  var isListed = false
  /// All tasks whose end the delegate has not been told of.
  var tasks: [Int: URLSessionTask] = [:]
  /// The tasks that a listing has named so far, and those that the daemon has accepted or reported meanwhile.
  var named: Set<Int> = []
  /// The tasks whose end was delivered while a listing was under way, which may still name them; nil without a listing.
  var toldMeanwhile: Set<Int>?
  /// The questions that the daemon should ask. Includes every certificate until it turns out that the delegate does not
  /// judge them.
  var asks = AppInterface.Asks(credentials: true, everyCertificate: true, delays: true)
  /// The events that the delegate has yet to be told, in order.
  var inbox = Fifo<Happening>()
  /// The newest counts of tasks with progress in the inbox, which has at most one such entry for each task.
  var progress: [Int: AppInterface.Progressed] = [:]
  /// Whether a delegate call is in progress.
  var isTelling = false
  /// Callers that wait for all tasks to be known.
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

  /// The objects that only the record may retain. They are released outside the lock, since their deinitializers may
  /// call the session.
  var leavings: Leavings { Leavings(session: session, tasks: sortedTasks, askers: askers) }

  struct Leavings: Sendable {
    let session: URLSession
    let tasks: [URLSessionTask]
    let askers: [@Sendable ([URLSessionTask]) -> Void]
  }

  /// Marks the session as unusable.
  mutating func refuse(_ failure: SessionFailure) {
    (isListed, refusal) = (true, failure)
    settled.open()
  }

  /// Notes that all tasks are known. Returns calls to those who waited for that.
  mutating func listed() -> [@Sendable () -> Void] {
    (isListed, toldMeanwhile) = (true, nil)
    defer { askers = [] }
    return askers.map { [sortedTasks] asker in { asker(sortedTasks) } }
  }

  /// Forgets a task whose end has been delivered.
  mutating func forgetTask(_ task: Int) {
    tasks[task] = nil
    named.remove(task)
    toldMeanwhile?.insert(task)
  }

  /// Notes new counts for the delegate, in place of older ones that it has not been told of.
  mutating func note(_ figures: AppInterface.Progressed) {
    let task = Int(figures.task)
    tasks[task]?.facts.withLock { $0.noteCount(figures.count) }
    if progress.updateValue(figures, forKey: task) == nil { inbox.append(.progressed(task: task)) }
  }

  /// Notes a response. At most `LinkLimits.informationsMax` interim responses of a task wait for a slow delegate.
  mutating func note(_ words: AppInterface.Informed) {
    let waiting = inbox.elements.count { if case .informed(let other) = $0 { other.task == words.task } else { false } }
    if waiting < LinkLimits.informationsMax || words.response.status >= 200 { inbox.append(.informed(words)) }
  }

  /// Whether an event of a kind waits for the delegate.
  func waitsToTell(_ isMeant: (Happening) -> Bool) -> Bool { inbox.elements.contains(where: isMeant) }
}
