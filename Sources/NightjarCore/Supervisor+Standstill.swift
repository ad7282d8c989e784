public import NightjarModel

/// While the database cannot be written nothing is decided, and nobody is heard.
extension Supervisor {
  /// Goes on after a standstill, before anything that has come in it is handled. What is owed to the daemon by some time may
  /// be among that, or could not be said: the engine and the apps owe it from now on.
  public mutating func goOn(at moment: Moment) {
    let now = clock.age(at: moment)
    transfers.hearAgain(at: now)
    for id in apps.keys {
      apps[there: id].beginDeadlinesAnew(at: now, awake: moment.awake, limits)
      disturb(id)
    }
  }
}
