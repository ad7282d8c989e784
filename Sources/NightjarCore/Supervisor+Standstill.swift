public import NightjarModel

/// While the database cannot be written nothing is decided and nobody is heard, and while the device sleeps no app runs.
extension Supervisor {
  /// Gives back the time of a standstill, before anything that has come in it is handled. What is owed to the daemon by some
  /// time may be among that, or could not be said: the engine and the apps are given the time that was lost, and no more, since
  /// on a slow disk there is always another standstill.
  public mutating func giveBack(from start: Moment, to end: Moment) {
    noticeSleep(until: start)
    let (lost, awake) = (end.boot - start.boot, end.awake - start.awake)
    transfers.postpone(by: lost, at: clock.age(at: end))
    postponeDeadlines(by: lost, awake: awake)
    sleepGivenBack += lost - awake
  }

  /// Apps are given the time in which the device has slept, once that comes to something: the two clocks are read one after the
  /// other.
  mutating func noticeSleep(until now: Moment) {
    let slept = now.slept
    if now.bootID != moment.bootID { sleepGivenBack = slept }
    guard slept - sleepGivenBack >= limits.sleepMin else { return }
    postponeDeadlines(by: slept - sleepGivenBack, awake: .zero)
    sleepGivenBack = slept
  }

  private mutating func postponeDeadlines(by lost: Duration, awake: Duration) {
    shortage.postpone(by: lost)
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
