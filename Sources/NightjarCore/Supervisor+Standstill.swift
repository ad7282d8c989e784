public import NightjarModel

/// While the database cannot be written nothing is decided, and nobody is heard.
extension Supervisor {
  /// Goes on after a standstill, before anything that has come in it is handled. What is owed to the daemon by some time may
  /// be among that, or could not be said: the engine and the apps are given the time that was lost, and no more, since on a
  /// slow disk there is always another standstill.
  public mutating func goOn(from start: Moment, to end: Moment) {
    let (lost, awake) = (end.boot - start.boot, end.awake - start.awake)
    transfers.postpone(by: lost, at: clock.age(at: end))
    shortage.postpone(by: lost)
    for id in apps.keys {
      apps[there: id].postponeDeadlines(by: lost, awake: awake)
      disturb(id)
    }
  }
}
