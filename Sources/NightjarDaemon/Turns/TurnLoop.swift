import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarStore

/// The loop around the supervisor: takes what waits in the mailbox, lets the supervisor decide, commits, and only then
/// acts.
///
/// It runs on a thread of its own and is the only one that ever touches the supervisor. Everything that waited in the
/// mailbox is committed together.
final class TurnLoop: Sendable {
  private let mailbox: Mailbox
  private let store: Store
  private let clocks: Clocks
  private let performer: Performer
  private let alarm: Alarm
  private let logger: Logger

  init(mailbox: Mailbox, store: Store, clocks: Clocks, performer: Performer, alarm: Alarm, logger: Logger) {
    (self.mailbox, self.store, self.clocks) = (mailbox, store, clocks)
    (self.performer, self.alarm, self.logger) = (performer, alarm, logger)
  }

  /// Runs the loop until the mailbox is closed.
  ///
  /// - Throws: An error that makes the database unusable; the mailbox is closed by then.
  func run(_ supervisor: consuming Supervisor) throws(StoreError) {
    var supervisor = supervisor
    var clockSaved = clocks.now().boot
    var folding = Folding()
    var punctuality = Punctuality()
    while let batch = mailbox.take() {
      var turn = Turn()
      let moment = clocks.now()
      if let start = punctuality.standstill(at: moment) { supervisor.giveBack(from: start, to: moment) }
      var settled = moment
      var looks: [@Sendable (inout Supervisor) -> Void] = []
      for item in batch {
        switch item {
        case .event(let event):
          supervisor.handle(event, at: moment, entropy: .random(in: .min ... .max), into: &turn)
        case .look(let look):
          looks.append(look)
        }
      }
      let clockIsOld = moment.boot - clockSaved >= Self.clockAgeMax
      if clockIsOld || folding.isDue(at: moment.boot) || !turn.changes.isEmpty {
        guard try commit(turn, of: supervisor) else { return }
        clockSaved = moment.boot
        fold(&folding, after: turn, at: moment.boot)
        let end = clocks.now()
        if end.boot - moment.boot >= Self.standstillMin {
          supervisor.giveBack(from: moment, to: end)
          settled = end
        }
      }
      performer.perform(turn, supervisor, at: moment)
      for look in looks { look(&supervisor) }
      let never = Duration.seconds(Int64.max)
      let next = min(supervisor.nextLook ?? never, folding.due ?? never, clockSaved + Self.clockAgeMax)
      punctuality.note(settled, alarm: next)
      alarm.set(at: next)
    }
    try? store.commit(Changes(), clock: supervisor.ledger.clock, counters: supervisor.ledger.counters)
  }

  /// The longest time between two saves of the clock, and so the most that a reboot makes it lose.
  private static let clockAgeMax = Duration.hours(1)

  /// A commit that takes this long is a standstill: its time is added to all deadlines, which are much longer.
  private static let standstillMin = Duration.seconds(1)

  /// Makes a turn durable. Waits out a full disk or a passing fault, since nothing may be done before. False if the
  /// daemon is stopping.
  ///
  /// - Throws: An error that makes the database unusable.
  private func commit(_ turn: Turn, of supervisor: Supervisor) throws(StoreError) -> Bool {
    var attempts = 0
    repeat {
      do throws(StoreError) {
        try store.commit(turn.changes, clock: supervisor.ledger.clock, counters: supervisor.ledger.counters)
        if attempts > 0 { goOn() }
        return true
      } catch {
        guard error.code == .diskFull || error.code == .io || error.code == .busy else {
          logger.critical("the database cannot be written, so the daemon stops: \(error.detail)")
          mailbox.close()
          throw error
        }
        if attempts == 0 { stand(because: error) }
        attempts += 1
        pause()
      }
    } while !mailbox.isClosing
    return false
  }

  /// Checkpoints the database's log if that is due.
  private func fold(_ folding: inout Folding, after turn: Turn, at boot: Duration) {
    folding.note(turn.changes, at: boot)
    if folding.isDue(at: boot) { folding.settle((try? store.fold()) != nil, at: boot) }
  }

  private func stand(because error: StoreError) {
    logger.error("the database cannot be written, everything waits for it: \(error.detail)")
    performer.front.stand(because: error.detail)
  }

  private func goOn() {
    logger.notice("the database can be written again")
    performer.front.goOn()
  }

  private func pause() { _ = Waiting.forSeconds(1, unless: { mailbox.isClosing }) }
}
