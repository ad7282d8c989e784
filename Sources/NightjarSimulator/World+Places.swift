import NightjarCore
import NightjarModel

/// Apps that leave the foreground, are frozen, and thawed.
extension World {
  /// Whether a happening has to wait because its process is frozen.
  mutating func holds(_ happening: Happening, _ pid: Int32?) -> Bool {
    guard let index = processes.firstIndex(where: { $0.pid == pid }), processes[index].isFrozen else { return false }
    processes[index].held.append(happening)
    return true
  }

  /// Orders the launcher to freeze an app; it takes a moment, or fails.
  mutating func suspend(_ app: AppID, life: Int, stint: Int) {
    guard let index = running(app, life), !dice.falls(faults.launchFailure / 4) else {
      return post(.app(app, life: life, .suspended(stint: stint, false)))
    }
    processes[index].stint = stint
    plan(.stood(app, life: life, stint: stint, daemon: daemon), in: dice.draw(0...20))
  }

  mutating func stand(_ app: AppID, life: Int, stint: Int) {
    guard let index = running(app, life) else { return post(.app(app, life: life, .suspended(stint: stint, false))) }
    guard processes[index].stint == stint else { return }  // The order was withdrawn.
    checkSuspension(of: app)
    processes[index].isFrozen = true
    let isLocked = dice.falls(faults.appHang / 4)
    post(.app(app, life: life, isLocked ? .locked(stint: stint, path: "/shared") : .suspended(stint: stint, true)))
  }

  /// Looks whether a debugger holds an app up; the answer may be lost.
  mutating func inspect(_ app: AppID, life: Int) {
    guard !dice.falls(faults.launchFailure) else { return }
    let tracer: Int32? = dice.falls(faults.appHang) ? 7 : nil
    plan(.reported(.app(app, life: life, .inspected(tracer: tracer)), daemon: daemon), in: dice.draw(0...1_500))
  }

  /// Thaws an app: what happened to it while it was frozen reaches it now, in order.
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

  /// Checks that an app in the foreground is not suspended.
  private mutating func checkSuspension(of app: AppID) {
    if disk.apps[app]?.isBackground == false { fail("\(app) is suspended in the foreground") }
  }

  /// Checks that no app runs in the background without a right, and none goes on for long after its rights have ended.
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

  /// Checks that an overrun is short. A few seconds may pass until it is known that no debugger holds the app up.
  private mutating func checkOverrun(of app: AppID, _ view: AppView, at moment: Moment) {
    guard view.tracer == nil, view.rights.contains(where: { $0.atMost < .zero }) else {
      return watch.overruns[app] = nil
    }
    if watch.overruns[app]?.daemon != daemon { watch.overruns[app] = (daemon, moment.awake) }
    if moment.awake - watch.overruns[app]!.awake > .seconds(4) { fail("\(app) has overrun its time: \(view.rights)") }
  }

  /// Whether the app has a process that the launcher started; others cannot be suspended.
  private func isWatched(_ app: AppID) -> Bool { processes.contains { $0.app == app && $0.isLaunched } }

  /// Confirms that the app is in the background, sooner or later; it may begin a background task.
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

  /// Ends the app's tasks, as well-behaved apps do when the time is nearly up.
  mutating func expireTasks(_ index: Int) {
    guard !processes[index].isHung else { return }
    for number in processes[index].tasks.sorted() { endTask(number, index) }
  }
}
