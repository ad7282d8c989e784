import Foundation
import NightjarModel
import NightjarWire
import Synchronization

/// The library's one link to the daemon: it keeps a line, sends what is asked over it, takes what comes, and starts again
/// when it drops.
///
/// What it knows is one value behind one lock. Calls go out in the order they were asked, whoever sends them; facts come
/// in from the line's threads and never send by themselves, so that no reader waits for a writer. The two halves lie in
/// `Link+Asking` (what the app wants) and `Link+Hearing` (what the daemon says); `Link+Telling` calls delegates.
package final class Link: Sendable {
  let state: Mutex<LinkState>
  let place: Place
  let transport: any Transport
  /// How long whoever must have an answer waits for it.
  let patience: Duration
  /// Held while calls go to the line, so that they keep their order.
  private let sending = Mutex(())
  /// Dials, and sends what facts call for.
  private let postman = DispatchQueue(label: "dev.nightjar.link")
  /// The app's handlers that are being called back, and its delegates that are being told something.
  let handlers = DispatchGroup()
  /// Opens when it is known whether there is a daemon.
  private let attached = Latch()
  /// Holds the process's exit up while a delegate call returns.
  let departure = Departure()

  package init(place: Place, transport: any Transport, patience: Duration = LinkLimits.patience) {
    (self.place, self.transport, self.patience) = (place, transport, patience)
    state = Mutex(LinkState())
  }

  /// Begins to dial, once.
  func start() {
    let isFirst = state.withLock { state in
      guard state.phase == .idle else { return false }
      state.phase = .dialing
      if place.program == nil { state.openNotices(at: place) }
      return true
    }
    if isFirst { postman.async { self.dial() } }
  }

  /// Begins to dial, and waits until the daemon has said who we are, or cannot be had. Nil without a daemon.
  func attach() -> AppInterface.Attached? {
    start()
    attached.wait(atMost: patience)
    return state.withLock { $0.attachment }
  }

  /// Sends everything that waits. Returns when what was asked before is in the socket, or there is no line.
  func flush() {
    sending.withLock { _ in
      while let (line, generation, call) = state.withLock({ $0.next() }) {
        do throws(LineDropped) { try line.send(call) } catch { return dropped(error, of: generation) }
      }
    }
  }

  /// Returns when all that was to be sent soon has been sent.
  package func settle() { postman.sync {} }

  /// The process exits: what delegates are just being told is acknowledged if they return soon, and nothing more is told.
  func depart(within patience: Duration = LinkLimits.departure) { departure.begin(waitingAtMost: patience) }

  /// The life of the app that it served is over, and its process goes on: nobody hears of anything any more, and what it kept
  /// in files is left to the next life.
  package func retire() {
    state.withLock { state in
      (state.wakeHandler, state.moveHandler, state.errands.handler) = (nil, nil, nil)
      (state.notices.noticeHandler, state.notices.standingHandler, state.notices.folder) = (nil, nil, nil)
      state.sessions = [:]
    }
  }

  /// Calls a handler of the app's where it may wait for the daemon: on no thread of the line's, and under no lock.
  func callBack(_ handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: handlers, execute: handler)
  }

  /// Returns when all handlers that were called back have returned, delegates that were being told something among them, and
  /// what lies on the queues of delegates; false if they have not after a while. A queue that the app has suspended is not
  /// waited for.
  package func handlersHaveReturned(within patience: Duration) async -> Bool {
    for queue in state.withLock({ $0.sessions.values.map(\.session.delegateQueue) }) where !queue.isSuspended {
      let presence = Presence(in: handlers)
      queue.addBarrierBlock { presence.end() }
    }
    if handlers.wait(timeout: .now()) == .success { return true }
    return await withCheckedContinuation { done in
      let first = Once<Bool> { done.resume(returning: $0) }
      handlers.notify(queue: .global()) { first.give(true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + patience.inSeconds) { first.give(false) }
    }
  }

  /// Sends what waits, soon, from another thread: for whoever must not wait for the line.
  func flushSoon() { postman.async { self.flush() } }

  // MARK: The line

  private func dial() {
    let generation = state.withLock { state in
      state.generation += 1
      state.phase = .dialing
      return state.generation
    }
    do throws(LineDropped) {
      let line = try transport.dial { [weak self] fact in self?.hear(fact, of: generation) }
      let phase: LinkState.Phase = state.withLock { state in
        guard state.generation == generation, state.phase != .down else { return .down }
        state.line = line
        return state.phase
      }
      guard phase != .down else { return line.hangUp() }
      if phase == .up { attached.open() }  // The daemon was heard before the line was in our hands.
      flush()
    } catch { dropped(error, of: generation) }
  }

  /// The daemon knows us: open what is open, repeat what is unanswered, in order. Unless the line has dropped meanwhile: its
  /// two connections are read by two threads.
  func rise(_ attachment: AppInterface.Attached, of generation: Int) {
    let risen: (hasLine: Bool, tell: (@Sendable () -> Void)?)? = state.withLock { state in
      guard state.isPresent(generation) else { return nil }
      (state.phase, state.failures, state.attachment) = (.up, 0, attachment)
      state.views = ViewQueue()
      // What was acknowledged comes over no new line again; another database counts from the beginning.
      state.acknowledged = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
      state.notices.taken = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
      state.calls.restart(opening: state.openings + state.backgroundTasks.openings)
      return (state.line != nil, attachment.standing.flatMap { state.note($0, isFirst: true) })
    }
    guard let risen else { return }
    risen.tell?()
    if risen.hasLine { attached.open() }  // Whoever waits for it may send at once.
    flushSoon()
    if let move = Move(attachment) { moved(move) }
  }

  /// There is no line: what is unanswered is made safe, and after a pause there is another attempt.
  func dropped(_ why: LineDropped, of generation: Int) {
    let (pause, listers): (Duration?, [@Sendable () -> Void]) = state.withLock { state in
      guard state.generation == generation, state.phase != .down else { return (nil, []) }
      state.fall(why)
      return (state.pause, state.isAlone ? state.giveUpListing() : [])
    }
    guard let pause else { return }
    attached.open()
    for tell in listers { tell() }
    transport.after(pause) { [weak self] in
      guard let self else { return }
      postman.async { self.dial() }
    }
  }
}

extension LinkState {
  /// Notes that the line is gone.
  fileprivate mutating func fall(_ why: LineDropped) {
    line?.hangUp()
    (phase, line, failures) = (.down, nil, failures + 1)
    if why.isRefusal, refusalShown != why {
      refusalShown = why
      Console.warn(why.detail)
    }
    for key in sessions.keys {
      sessions[key]?.isOpen = false
      sessions[key]?.settled.open()
      trying { () throws(FileTrouble) in try sessions[key]?.folder?.outbox.sync() }
    }
    trying { () throws(FileTrouble) in try notices.folder?.outbox.sync() }
  }

  /// How long to wait before the next attempt: twice as long each time.
  fileprivate var pause: Duration {
    min(LinkLimits.pauseMin * (1 << min(max(failures - 1, 0), 10)), LinkLimits.pauseMax)
  }
}

/// The standard error, for what a person has to know and no delegate is told.
enum Console {
  static func warn(_ text: String) {
    let line = Array("Nightjar: \(text)\n".utf8)
    _ = unlessInterrupted { write(STDERR_FILENO, line, line.count) }  // FileHandle ends the process on a full disk.
  }
}
