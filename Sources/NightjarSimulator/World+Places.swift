import NightjarCore
import NightjarModel

/// Apps that leave the foreground, stand still, and run on.
extension World {
  /// Whether something has to wait because the process that it happens to stands still.
  mutating func holds(_ happening: Happening, _ pid: Int32?) -> Bool {
    guard let index = processes.firstIndex(where: { $0.pid == pid }), processes[index].isFrozen else { return false }
    processes[index].held.append(happening)
    return true
  }

  /// The launcher is told to make an app stand still; it takes a moment, or fails.
  mutating func suspend(_ app: AppID, life: Int, stint: Int) {
    guard let index = running(app, life), !dice.falls(faults.launchFailure / 4) else {
      return post(.app(app, life: life, .suspended(stint: stint, false)))
    }
    processes[index].stint = stint
    plan(.stood(app, life: life, stint: stint, daemon: daemon), in: dice.draw(0...20))
  }

  mutating func stand(_ app: AppID, life: Int, stint: Int) {
    guard let index = running(app, life) else { return post(.app(app, life: life, .suspended(stint: stint, false))) }
    guard processes[index].stint == stint else { return }  // It was taken back.
    checkSuspension(of: app)
    processes[index].isFrozen = true
    let isLocked = dice.falls(faults.appHang / 4)
    post(.app(app, life: life, isLocked ? .locked(stint: stint, path: "/shared") : .suspended(stint: stint, true)))
  }

  /// The room looks whether a debugger holds an app up; its answer may be lost.
  mutating func inspect(_ app: AppID, life: Int) {
    guard !dice.falls(faults.launchFailure) else { return }
    let tracer: Int32? = dice.falls(faults.appHang) ? 7 : nil
    plan(.reported(.app(app, life: life, .inspected(tracer: tracer)), daemon: daemon), in: dice.draw(0...1_500))
  }

  /// What happened to an app while it stood still reaches it now, in its order.
  mutating func thaw(_ app: AppID, life: Int) {
    guard let index = running(app, life) else { return }
    if processes[index].isFrozen, wasRemoved(app) { fail("\(app) is woken although a person removed it") }
    let held = processes[index].held
    (processes[index].isFrozen, processes[index].stint, processes[index].held) = (false, nil, [])
    for happening in held { plan(happening, in: 0) }
  }

  /// Whether a person has removed an app from the switcher in an earlier turn, and not launched it since.
  func wasRemoved(_ app: AppID) -> Bool { watch.removed[app].map { $0 < turns } ?? false }

  private func running(_ app: AppID, _ life: Int) -> Int? {
    processes.firstIndex { $0.app == app && $0.life == life && $0.isLaunched }
  }

  /// No app is suspended that a person is looking at.
  private mutating func checkSuspension(of app: AppID) {
    if disk.apps[app]?.isBackground == false { fail("\(app) is suspended in the foreground") }
  }

  /// No app runs in the background without a right to, and none goes on for long after its rights have come to their ends.
  mutating func checkRights(at moment: Moment) {
    guard hasStarted else { return }
    for app in apps.keys.sorted() {
      let view = supervisor!.view(of: app, at: moment)
      guard let view, view.state == .background else {
        watch.overruns[app] = nil
        continue
      }
      if view.rights.isEmpty, isWatched(app) { fail("\(app) runs in the background without a right to") }
      checkOverrun(of: app, view, at: moment)
    }
  }

  /// A few seconds may pass until it is known that no debugger holds it up.
  private mutating func checkOverrun(of app: AppID, _ view: AppView, at moment: Moment) {
    guard view.tracer == nil, view.rights.contains(where: { $0.atMost < .zero }) else {
      return watch.overruns[app] = nil
    }
    if watch.overruns[app]?.daemon != daemon { watch.overruns[app] = (daemon, moment.awake) }
    if moment.awake - watch.overruns[app]!.awake > .seconds(4) { fail("\(app) has overrun its time: \(view.rights)") }
  }

  /// Whether it is a process that the launcher started: one that came from nowhere is nobody's to suspend.
  private func isWatched(_ app: AppID) -> Bool { processes.contains { $0.app == app && $0.isLaunched } }

  /// The app confirms that it is in the background, sooner or later, and may begin something that takes a while.
  mutating func enterBackground(_ number: Int64, _ index: Int) {
    processes[index].isForeground = false
    guard !hangs(index, before: 0) else { return }
    if dice.falls(300) { beginTask(index) }
    if dice.falls(500) { call(.show(view: device.uptime, byteCount: 100), index) }
    plan(.stepped(pid: processes[index].pid, .enter(number)), in: dice.draw(0...4_000))
  }

  private mutating func beginTask(_ index: Int) {
    processes[index].taskLast += 1
    let number = processes[index].taskLast
    processes[index].tasks.insert(number)
    call(.beginBackgroundTask(number, name: "work"), index)
    let isLong = dice.falls(faults.appHang)
    plan(.stepped(pid: processes[index].pid, .endTask(number)), in: dice.draw(1...(isLong ? 400_000 : 170_000)))
  }

  mutating func endTask(_ number: Int64, _ index: Int) {
    guard processes[index].tasks.remove(number) != nil else { return }
    call(.endBackgroundTask(number), index)
  }

  /// A well-behaved app ends its tasks when it is told that their time is nearly up.
  mutating func expireTasks(_ index: Int) {
    guard !processes[index].isHung else { return }
    for number in processes[index].tasks.sorted() { endTask(number, index) }
  }
}
