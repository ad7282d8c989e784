import NightjarCore
import NightjarModel

/// The requests of the apps' users and of the apps' code.
extension World {
  /// Adds a wish of an app's user: the app is opened for it, and will queue it.
  mutating func wish(_ app: AppID) {
    apps[app]!.wishes += 1
    guard let index = processes.firstIndex(where: { $0.app == app }) else { return bringForward(app) }
    let open = processes[index].sessions.filter(\.isOpen)
    guard !open.isEmpty else {
      openAll(index)
      return bringForward(app)
    }
    plan(.stepped(pid: processes[index].pid, .work(dice.pick(open).name)), in: dice.draw(1...1_000))
  }

  /// Has a person open an app, or start a program by hand.
  mutating func bringForward(_ app: AppID) {
    guard apps[app]!.isBundle else {
      if !processes.contains(where: { $0.app == app && !$0.isLaunched }) { spawn(app, life: 0, isForeground: true) }
      return
    }
    guard apps[app]!.isOnDisk else { return install(app) }
    order(.launch(app, arguments: []))
  }

  /// Turns wishes into requests, and now and then changes its mind about one.
  mutating func work(_ name: String, _ index: Int) {
    let app = processes[index].app
    guard processes[index].session(name)?.isOpen == true else { return }
    while apps[app]!.wishes > 0 {
      apps[app]!.wishes -= 1
      enqueue(name, index)
    }
    if dice.falls(faults.people / 4) { changeMind(name, index) }
    scheduleNotices(index)
  }

  private mutating func enqueue(_ name: String, _ index: Int) {
    let app = processes[index].app
    guard let task = processes[index].session(name)?.nextTask else { return }
    processes[index].change(name) { $0.nextTask = task + 1 }
    var request = request(app, session: name, task: task)
    let remnant = anyRemnant(for: app, by: &request)
    let parcel = Household.Parcel(request: request, isSuspended: dice.falls(faults.people / 8), remnant: remnant)
    apps[app]!.outbox.append(parcel)
    call(parcel.call, index)
    if dice.falls(faults.engineUnrest) { call(parcel.call, index) }
  }

  private mutating func changeMind(_ name: String, _ index: Int) {
    let task = 1 + dice.below(max(processes[index].session(name)?.nextTask ?? 1, 1))
    switch dice.below(18) {
    case 0...2: call(.suspend(name, task: task), index)
    case 3...5: call(.resume(name, task: task), index)
    case 6...7: call(.cancel(name, task: task), index)
    case 8...9: call(.listTasks(name, after: dice.below(3)), index)
    case 10: call(.finishEvents(name), index)
    case 11...12: call(.update(name, task: task, anyChanges()), index)
    case 13...16: call(.cancelKeeping(name, task: task), index)
    default: close(name, index)
    }
  }

  private mutating func close(_ name: String, _ index: Int) {
    let app = processes[index].app
    call(.closeSession(name, cancel: true), index)
    watch.everClosed.insert(SessionID(app: app, identifier: name))
    for parcel in apps[app]!.outbox where parcel.request.session == name { abandoned[parcel.request.key] = "closed" }
    apps[app]!.outbox.removeAll { $0.request.session == name }
    processes[index].sessions.removeAll { $0.name == name }
    processes[index].inbox.removeAll { $0.session == name }
  }

  mutating func request(_ app: AppID, session: String?, task: Int) -> TransferRequest {
    let key = RequestKey(high: seed, low: UInt64(watch.requests))
    watch.requests += 1
    let host = dice.pick(["a.example", "b.example", "localhost:8080"])
    let isUpload = session != nil && dice.falls(200)
    let stamp = FileStamp(size: 5_000, modified: 1, inode: 1)
    var request = TransferRequest(
      key: key, app: app, session: session, task: task,
      direction: isUpload ? .upload(path: "/up", stamp: stamp) : .download,
      method: isUpload ? "PUT" : "GET", url: "https://\(host)/\(watch.requests)", priority: Float(dice.below(5)) / 4)
    if session != nil, !isUpload, dice.falls(100) { request.destination = anyDestination() }
    if dice.falls(200) { request.resourceTimeout = .minutes(dice.draw(1...600)) }
    if dice.falls(300) { request.options = anyOptions(inSession: session != nil) }
    return request
  }

  mutating func anyDestination() -> Destination {
    Destination(path: "/home/file\(dice.below(4))", overwrites: dice.falls(300))
  }

  private mutating func anyOptions(inSession: Bool) -> TransferOptions {
    var options = TransferOptions()
    (options.isDiscretionary, options.allowsCellular) = (dice.falls(500), dice.falls(500))
    (options.allowsExpensive, options.allowsConstrained) = (dice.falls(500), dice.falls(500))
    if dice.falls(300) { options.earliestBegin = timeNearby() }
    if inSession, dice.falls(300) { options.connectionsPerHostMax = 1 }
    return options
  }

  private mutating func anyChanges() -> TaskChanges {
    var changes = TaskChanges()
    if dice.falls(500) { changes.priority = Float(dice.below(5)) / 4 }
    if dice.falls(500) { changes.label = "changed" }
    if dice.falls(300) { changes.earliestBegin = timeNearby() }
    return changes
  }

  private mutating func timeNearby() -> Timestamp {
    Timestamp(nanoseconds: device.moment.wall.nanoseconds + dice.draw(-3_600_000...20_000_000) * 1_000_000)
  }
}
