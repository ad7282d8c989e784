public import NightjarModel

/// While the database cannot be written or the daemon is stopped nobody is heard, and while the device sleeps no app
/// runs.
extension Supervisor {
  /// Postpones deadlines by the time of a standstill, before anything that has come in it is handled. Answers that were
  /// due may be waiting in the mailbox, or could not be sent. So deadlines move by the time lost, and no further: a
  /// slow disk would move them for ever.
  public mutating func giveBack(from start: Moment, to end: Moment) {
    noticeSleep(until: start)
    let (lost, awake) = (end.boot - start.boot, end.awake - start.awake)
    transfers.postpone(by: lost, at: clock.age(at: end))
    postponeDeadlines(by: lost, awake: awake)
    sleepGivenBack += lost - awake
  }

  /// Postpones apps' deadlines, and the engine's, by the time that the device has slept, once that is more than the
  /// clocks may differ by being read one after the other.
  mutating func noticeSleep(until now: Moment) {
    let slept = now.slept
    if now.bootID != moment.bootID { sleepGivenBack = slept }
    let lost = slept - sleepGivenBack
    guard lost >= limits.sleepMin else { return }
    transfers.postpone(by: lost, at: clock.age(at: now))
    postponeDeadlines(by: lost, awake: .zero)
    sleepGivenBack = slept
  }

  private mutating func postponeDeadlines(by lost: Duration, awake: Duration) {
    shortage.postpone(by: lost)
    transfers.postponeQuestions(of: questions.all, by: lost)
    for id in apps.keys {
      apps[there: id].postponeDeadlines(by: lost, awake: awake)
      disturb(id)
    }
  }
}

extension Moment {
  /// How long the device has slept since it was switched on.
  var slept: Duration { boot - awake }
}
