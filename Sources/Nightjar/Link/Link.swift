import Foundation
import NightjarModel
import NightjarWire
import Synchronization

/// The library's one link to the daemon: it keeps a line, sends calls over it, receives facts, and dials again when the
/// line drops.
///
/// Its state is one value behind one lock. Calls are sent in order, from whichever thread; facts arrive on the line's
/// threads, which never send, so that no reader waits for a writer. `Link+Asking` has the app's calls, `Link+Hearing`
/// the daemon's facts; `Link+Telling` calls delegates.
package final class Link: Sendable {
  let state: Mutex<LinkState>
  let place: Place
  let transport: any Transport
  /// How long a caller that needs an answer waits for it.
  let patience: Duration
  /// Held while calls go to the line, so that they keep their order.
  private let sending = Mutex(())
  /// Dials, and sends calls on behalf of the line's threads.
  private let postman = DispatchQueue(label: "dev.nightjar.link")
  /// The calls in progress of the app's handlers and delegates.
  let handlers = DispatchGroup()
  /// Opens when it is known whether there is a daemon.
  private let attached = Latch()
  /// Delays the process's exit until delegate calls have returned.
  let departure = Departure()
  /// The seal on the app's resume data.
  let seal: ResumeSeal

  package init(place: Place, transport: any Transport, patience: Duration = LinkLimits.patience) {
    (self.place, self.transport, self.patience) = (place, transport, patience)
    state = Mutex(LinkState())
    seal = ResumeSeal(keptAt: place.resumeKey)
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

  /// Begins to dial, and waits until the daemon has attached us or cannot be reached. Nil without a daemon.
  func attach() -> AppInterface.Attached? {
    start()
    attached.wait(atMost: patience)
    return state.withLock { $0.attachment }
  }

  /// Sends all waiting calls. Returns when the calls made before are in the socket, or there is no line.
  func flush() {
    sending.withLock { _ in
      while let (line, generation, call) = state.withLock({ $0.next() }) {
        do throws(LineDropped) { try line.send(call) } catch { return dropped(error, of: generation) }
      }
    }
  }

  /// Waits until `flushSoon()` has taken effect.
  package func settle() { postman.sync {} }

  /// Prepares for the process's exit: no more delegate calls are made, and those in progress may return within
  /// `patience`.
  func depart(within patience: Duration = LinkLimits.departure) { departure.begin(waitingAtMost: patience) }

  /// Ends the link while its process goes on, because the app's life is over: no handler is called any more, and its
  /// files are left to the next life. Its sessions are released outside the lock, since their delegates may call the
  /// library when they go.
  package func retire() {
    let leavings = state.withLock { state in
      (state.wakeHandler, state.moveHandler, state.errands.handler) = (nil, nil, nil)
      (state.notices.noticeHandler, state.notices.standingHandler, state.notices.folder) = (nil, nil, nil)
      defer { state.sessions = [:] }
      return state.sessions.values.map(\.leavings)
    }
    withExtendedLifetime(leavings) {}
  }

  /// Calls a handler of the app's outside the line's threads and any lock, so that it may wait for the daemon.
  func callBack(_ handler: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: handlers, execute: handler)
  }

  /// Waits until all handlers and delegate calls have returned, and the operations on delegate queues have run. Does
  /// not wait for a queue that the app has suspended.
  ///
  /// - Returns: False if that takes longer than `patience`.
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

  /// Sends the waiting calls soon, on another thread, for callers that must not wait for the line.
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
      if phase == .up { attached.open() }  // The daemon's answer came before `dial` returned the line.
      flush()
    } catch { dropped(error, of: generation) }
  }

  /// The daemon has attached us: opens the open sessions again and repeats unanswered calls, in order. Does nothing if
  /// the line has dropped meanwhile, since two threads read its two connections.
  func rise(_ attachment: AppInterface.Attached, of generation: Int) {
    let risen: (hasLine: Bool, tell: (@Sendable () -> Void)?)? = state.withLock { state in
      guard state.isPresent(generation) else { return nil }
      (state.phase, state.failures, state.attachment) = (.up, 0, attachment)
      state.views = ViewQueue()
      // A new line repeats no acknowledged event, and another database numbers its events from the beginning.
      state.acknowledged = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
      state.notices.taken = RecentNumbers(countMax: LinkLimits.acknowledgedMax)
      state.calls.restart(opening: state.openings + state.backgroundTasks.openings)
      return (state.line != nil, attachment.standing.flatMap { state.note($0, isFirst: true) })
    }
    guard let risen else { return }
    risen.tell?()
    if risen.hasLine { attached.open() }  // A caller that waits for it may send at once.
    flushSoon()
    if let move = Move(attachment) { moved(move) }
  }

  /// The line is gone: syncs unanswered calls to the disk, and dials again after a pause.
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
  /// Marks the line as gone, and syncs the outboxes.
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

  /// The pause before the next attempt to dial, which doubles each time.
  fileprivate var pause: Duration {
    min(LinkLimits.pauseMin * (1 << min(max(failures - 1, 0), 10)), LinkLimits.pauseMax)
  }
}
