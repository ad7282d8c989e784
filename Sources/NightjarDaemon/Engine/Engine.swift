import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarStore

/// The loop around the supervisor: takes what has come, lets the supervisor decide, commits, and only then acts.
///
/// It runs on a thread of its own and is the only one that ever touches the supervisor. Everything that waited in the
/// mailbox is committed together.
final class Engine: Sendable {
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

  /// Turns until the mailbox is closed.
  ///
  /// - Throws: What makes the database beyond use; the mailbox is closed by then.
  func run(_ supervisor: consuming Supervisor) throws(StoreError) {
    var supervisor = supervisor
    var clockSaved = clocks.now().boot
    var folding = Folding()
    while let batch = mailbox.take() {
      var turn = Turn()
      let moment = clocks.now()
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
        if end.boot - moment.boot >= Self.standstillMin { supervisor.giveBack(from: moment, to: end) }
      }
      performer.perform(turn, supervisor, at: moment)
      for look in looks { look(&supervisor) }
      let never = Duration.seconds(Int64.max)
      alarm.set(at: min(supervisor.nextLook ?? never, folding.due ?? never, clockSaved + Self.clockAgeMax))
    }
    try? store.commit(Changes(), clock: supervisor.ledger.clock, counters: supervisor.ledger.counters)
  }

  /// How much time may pass for the clock without being saved: what a reboot then takes from it at the most.
  private static let clockAgeMax = Duration.hours(1)

  /// What a commit takes at the least to count as a standstill, whose time everybody is given back: it is short beside the
  /// time that anybody has.
  private static let standstillMin = Duration.seconds(1)

  /// Makes a turn durable; a full disk or a passing fault is waited out, since nothing may be done before. False if the
  /// daemon is stopping.
  ///
  /// - Throws: What makes the database beyond use.
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

  /// Folds the database's log back if its time has come.
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
