/// Knows when each app will be launched, and fetches at the last tick before it. No policy can surpass that if the
/// budget allows a fetch in each gap between two visits. With less it takes the longest gaps, which is not always the
/// best.
struct Oracle: Policy {
  /// What to fetch, in the order of ticks.
  private var plan: [(tick: Int, app: Int)] = []
  private var next = 0

  /// - Parameter gapMin: How many minutes must have passed since an app's last visit for a launch to be worth a fetch.
  init(_ course: Course, gapMin: Double) {
    var ended = [Int64](repeating: .min / 4, count: course.apps.count)
    for step in course.steps where step.app >= 0 {
      switch step.kind {
      case .left: ended[Int(step.app)] = step.time
      case .launched, .launchedAfterIdle:
        guard Double(step.time - ended[Int(step.app)]) > gapMin * 60 else { continue }
        let tick = Int((step.time + DiaryWriter.tick - 1) / DiaryWriter.tick) - 1
        plan.append((min(tick, course.ticks.count - 1), Int(step.app)))
      case .returned, .noticed: break
      }
    }
  }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    while next < plan.count, plan[next].tick <= scene.tick {
      if plan[next].tick == scene.tick { chosen.append(plan[next].app) }
      next += 1
    }
  }
}
