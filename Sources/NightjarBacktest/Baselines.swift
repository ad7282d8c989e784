/// Never fetches.
struct Never: Policy {
  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {}
}

/// Each app on its own, whenever so much time has passed since its last turn. Its first turn comes as soon as it may be
/// fetched, so each app has a phase of its own.
struct Poll: Policy {
  let seconds: Double
  /// When each app's next turn is; nil before the first.
  private var due: [Double?]

  init(minutes: Double, apps: Int) {
    seconds = minutes * 60
    due = Array(repeating: nil, count: apps)
  }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    let now = Double(scene.time)
    for app in scene.apps.indices where now >= due[app] ?? 0 && scene.mayFetch(app) {
      chosen.append(app)
      let planned = due[app].map { $0 + seconds } ?? 0
      due[app] = planned > now ? planned : now + seconds
    }
  }
}

/// All apps at once, at even times between 7 and 23 o'clock.
struct WakingPoll: Policy {
  let seconds: Double

  init(minutes: Double) { seconds = minutes * 60 }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    let now = Double(scene.clock % Course.day - Self.begin)
    guard now >= 0, now < Double(Self.end - Self.begin) else { return }
    let isTime = (now / seconds).rounded(.down) != ((now - Double(DiaryWriter.tick)) / seconds).rounded(.down)
    if isTime { chosen.append(contentsOf: scene.apps.indices) }
  }

  private static let (begin, end): (Int64, Int64) = (7 * 3600, 23 * 3600)
}

/// Three apps, polled: those that were launched most often so far, or last.
struct Favourites: Policy {
  enum Order { case frequent, recent }
  let order: Order
  private var poll: Poll

  init(_ order: Order, minutes: Double, apps: Int) { (self.order, poll) = (order, Poll(minutes: minutes, apps: apps)) }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    var all: [Int] = []
    poll.choose(scene, into: &all)
    guard !all.isEmpty else { return }
    let best = Set(scene.apps.indices.sorted { rank($0, scene) > rank($1, scene) }.prefix(Self.count))
    chosen += all.filter(best.contains)
  }

  private func rank(_ app: Int, _ scene: Scene) -> (Int64, Int) {
    switch order {
    case .frequent: (Int64(scene.apps[app].launches), -app)
    case .recent: (scene.apps[app].launched ?? .min, -app)
    }
  }

  private static let count = 3
}

/// Fetches what scores enough: how likely the app is to be used, times the root of the age of its content. An app that
/// scores half as much joins when another is fetched or the device is in use.
struct PlainScore: Policy {
  private let course: Course
  private let threshold: Double
  private var histogram: PlainHistogram

  init(_ course: Course, threshold: Double) {
    (self.course, self.threshold) = (course, threshold)
    histogram = PlainHistogram(course)
  }

  mutating func choose(_ scene: Scene, into chosen: inout [Int]) {
    histogram.live(until: course.ticks[scene.tick])
    var isOpen = scene.isAwake
    for app in scene.apps.indices where scene.mayFetch(app) && score(app, scene) >= threshold { isOpen = true }
    let least = isOpen ? threshold / 2 : threshold
    for app in scene.apps.indices where scene.mayFetch(app) && score(app, scene) >= least { chosen.append(app) }
  }

  private func score(_ app: Int, _ scene: Scene) -> Double {
    histogram.rate(of: app, at: scene.clock) * scene.ageMinutes(app).squareRoot()
  }
}
