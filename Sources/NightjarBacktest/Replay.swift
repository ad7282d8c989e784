/// Runs one policy over one person's days, and counts the results.
struct Replay {
  private let course: Course
  private let content: Content?
  private var scene: Scene
  private var tally = Tally()
  private var done = 0
  private var openApps = 0
  /// For each app, whether its last fetch counts and no launch has followed it yet.
  private var isAwaited: [Bool]

  private init(_ course: Course, _ content: Content?) {
    (self.course, self.content) = (course, content)
    scene = Scene(apps: Array(repeating: Scene.App(), count: course.apps.count))
    isAwaited = Array(repeating: false, count: course.apps.count)
    tally.appDays = course.apps.count * course.daysCounted
    tally.days = course.daysCounted
  }

  /// The result of a policy; with content, the policy is told what each fetch has brought.
  static func run(_ course: Course, _ policy: inout some Policy, content: Content? = nil) -> Tally {
    var replay = Replay(course, content)
    replay.runAll(&policy)
    return replay.tally
  }

  private mutating func runAll(_ policy: inout some Policy) {
    var chosen: [Int] = []
    for index in course.ticks.indices {
      let tick = course.ticks[index]
      live(until: tick.steps)
      (scene.tick, scene.time, scene.clock) = (index, tick.time, tick.clock)
      scene.isAwake = openApps > 0 || tick.time - scene.used < DiaryWriter.tick
      chosen.removeAll(keepingCapacity: true)
      policy.choose(scene, into: &chosen)
      fetch(chosen, &policy)
    }
    live(until: course.steps.count)
  }

  private mutating func live(until end: Int) {
    while done < end {
      live(course.steps[done])
      done += 1
    }
  }

  private mutating func live(_ step: Course.Step) {
    scene.used = step.kind == .left ? scene.used : step.time
    switch step.kind {
    case .noticed: return
    case .launched, .launchedAfterIdle, .returned:
      openApps += 1
      guard step.app >= 0 else { return }
      scene.apps[Int(step.app)].isOpen = true
      if step.kind != .returned { launch(Int(step.app), step) }
    case .left:
      openApps -= 1
      guard step.app >= 0 else { return }
      scene.apps[Int(step.app)].isOpen = false
      scene.apps[Int(step.app)].ended = step.time
    }
  }

  private mutating func launch(_ app: Int, _ step: Course.Step) {
    let isFirst = scene.apps[app].launched == nil
    scene.apps[app].launched = step.time
    scene.apps[app].launches += 1
    if isAwaited[app] { tally.usefulFetches += 1 }
    isAwaited[app] = false
    guard !isFirst, step.time >= course.countedFrom else { return }
    let age = step.time - scene.apps[app].freshened
    if content?.isNew(app, after: scene.apps[app].freshened, at: step.time) == false { tally.upToDate += 1 }
    tally.ages.append(age)
    if step.kind == .launchedAfterIdle { tally.agesAfterIdle.append(age) }
  }

  private mutating func fetch(_ chosen: [Int], _ policy: inout some Policy) {
    var count = 0
    for app in chosen where scene.mayFetch(app) {
      tell(&policy, app)
      scene.apps[app].fetched = scene.time
      isAwaited[app] = scene.tick >= course.firstCounted
      count += 1
    }
    guard count > 0, scene.tick >= course.firstCounted else { return }
    tally.fetches += count
    tally.batches.append(Tally.Batch(time: scene.time, count: count))
  }

  private mutating func tell(_ policy: inout some Policy, _ app: Int) {
    guard let content else { return }
    let since = scene.apps[app].freshened
    let isNew = content.isNew(app, after: since, at: scene.time)
    policy.learn(app, isNew: isNew, after: scene.time - since, at: scene.time)
    if !isNew, scene.tick >= course.firstCounted { tally.inVain += 1 }
  }
}
