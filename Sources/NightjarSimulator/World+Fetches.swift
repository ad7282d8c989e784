import NightjarCore
import NightjarModel

/// Apps that are woken to do something, and what comes of it.
extension World {
  /// An app is told of an errand: it answers after a while.
  mutating func perform(_ number: Int64, _ index: Int) {
    plan(.stepped(pid: processes[index].pid, .finishErrand(number)), in: dice.draw(10...20_000))
  }

  mutating func finishErrand(_ number: Int64, _ index: Int) {
    call(.finishFetch(number, dice.pick([.newData, .noData, .failed])), index)
  }

  /// The room measures what an app has taken, sooner or later, or its answer is lost.
  mutating func meter(_ app: AppID, life: Int, _ errand: Int64) {
    guard !dice.falls(faults.launchFailure) else { return }
    let cpu = dice.falls(100) ? nil : Duration.milliseconds(dice.draw(0...60_000))
    plan(
      .reported(.app(app, life: life, .metered(errand: errand, cpu: cpu)), daemon: daemon), in: dice.draw(0...2_000))
  }
}
