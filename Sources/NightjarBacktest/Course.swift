import NightjarHabits
import NightjarModel

/// One person's diary, laid out for many replays: what happened, and every tick of five minutes of every recorded day.
/// Its size follows from these, and not from the number of apps.
///
/// Days with nothing in the trace are cut out: ages do not run on over them.
struct Course: Sendable {
  /// Something that happened, on the line of recorded time.
  struct Step: Sendable {
    /// Seconds of recorded days since the first one began.
    var time: Int64
    /// The app; -1 if it is not one of those that are judged.
    var app: Int32
    var kind: Diary.Kind

    /// Whether an app that is judged was launched.
    var isLaunch: Bool { app >= 0 && (kind == .launched || kind == .launchedAfterIdle) }
  }

  /// A moment of decision.
  struct Tick: Sendable {
    /// Seconds of recorded days since the first one began.
    var time: Int64
    /// Seconds since 1970 on the person's clock.
    var clock: Int64
    /// How many of the steps lie at or before it.
    var steps: Int
  }

  let diary: Diary
  var user: String { diary.user }
  /// The apps that are judged, in the order of their names.
  let apps: [AppID]
  let steps: [Step]
  let ticks: [Tick]
  /// The person's own traffic in the days that count.
  let traffic: [Range<Int64>]
  /// The first tick that counts, after the days of warming up.
  let firstCounted: Int
  /// How many days count.
  let daysCounted: Int

  /// When counting begins, on the line of recorded time.
  var countedFrom: Int64 { Int64(Course.warmUpDays) * Course.day }

  static let day: Int64 = 86_400
  static let ticksPerDay = Int(day / DiaryWriter.tick)
  static let warmUpDays = 7
  static let daysMin = 14
  static let (launchesMin, launchDaysMin) = (10, 5)

  /// Lays out a diary; nil with a reason where there is too little in it to judge.
  static func lay(_ diary: Diary) -> Result<Course, Unfit> {
    guard diary.days.count >= daysMin else {
      return .failure(Unfit(reason: "\(diary.user) has \(diary.days.count) recorded days, and \(daysMin) are needed"))
    }
    let isEligible = diary.apps.map { $0.launches >= launchesMin && $0.days >= launchDaysMin }
    guard isEligible.contains(true) else {
      let needed = "\(launchesMin) launches on \(launchDaysMin) days"
      return .failure(Unfit(reason: "\(diary.user) has no app with the \(needed) that are needed"))
    }
    let course = Course(diary, isEligible)
    guard course.hasCountedLaunch else {
      let needed = "after the first \(warmUpDays) days, and one is needed"
      return .failure(Unfit(reason: "\(diary.user) has no launch of a judged app \(needed)"))
    }
    return .success(course)
  }

  /// The id of an app here, by its place in the diary. Two names that a trace tells apart may be one to Unicode.
  static func id(ofApp place: Int) -> AppID { AppID("\(place)") }

  /// Whether any launch counts. That may be an app's very first, but then others follow: it has ten.
  private var hasCountedLaunch: Bool { steps.contains { $0.isLaunch && $0.time >= countedFrom } }

  /// Why nothing can be said of a person.
  struct Unfit: Error { var reason: String }

  private init(_ diary: Diary, _ isEligible: [Bool]) {
    let judged = diary.apps.indices.filter { isEligible[$0] }.sorted { diary.apps[$0].name < diary.apps[$1].name }
    var places = [Int32](repeating: -1, count: diary.apps.count)
    for (place, app) in judged.enumerated() { places[app] = Int32(place) }
    self.diary = diary
    apps = judged.map(Self.id)
    var line = RecordedTime(days: diary.days)
    steps = diary.happenings.map { happening in
      let app = happening.app < 0 ? -1 : places[Int(happening.app)]
      return Step(time: line.time(of: happening.time), app: app, kind: happening.kind)
    }
    ticks = Self.ticks(of: diary.days, steps)
    firstCounted = Self.warmUpDays * Self.ticksPerDay
    daysCounted = diary.days.count - Self.warmUpDays
    let from = Int64(Self.warmUpDays) * Self.day
    line = RecordedTime(days: diary.days)
    traffic = diary.traffic.map { range in
      let begin = line.time(of: range.lowerBound)
      return begin..<(begin + range.upperBound - range.lowerBound)
    }.filter { $0.lowerBound >= from }
  }

  private static func ticks(of days: [Int64], _ steps: [Step]) -> [Tick] {
    var done = 0
    return days.enumerated().flatMap { number, day in
      (0..<(Self.day / DiaryWriter.tick)).map { tick in
        let time = Int64(number) * Self.day + tick * DiaryWriter.tick
        while done < steps.count, steps[done].time <= time { done += 1 }
        return Tick(time: time, clock: day * Self.day + tick * DiaryWriter.tick, steps: done)
      }
    }
  }
}

extension Habits {
  /// Reports one thing that happened, as the daemon would.
  mutating func tell(_ happening: Diary.Happening, _ names: [AppID]) {
    let time = LocalTime(seconds: happening.time, offset: 0)
    switch happening.kind {
    case .noticed: noticed(at: time)
    case .launched, .launchedAfterIdle, .returned: opened(names[Int(happening.app)], at: time)
    case .left: left(names[Int(happening.app)], at: time)
    }
  }
}

/// The line on which recorded days follow each other at once. Times have to be asked for in order.
private struct RecordedTime {
  let days: [Int64]
  private var place = 0

  init(days: [Int64]) { self.days = days }

  mutating func time(of clock: Int64) -> Int64 {
    while place + 1 < days.count, days[place + 1] <= clock / Course.day { place += 1 }
    return Int64(place) * Course.day + min(clock - days[place] * Course.day, Course.day)
  }
}
