/// The runs of an app's tasks in a simulation, in the order in which they began.
struct TaskLog: Sendable {
  private(set) var all: [AppHistory.TaskRun] = []
  private var places: [Int64: Int] = [:]

  /// The app is told to run a task, under the number that it ends it with.
  mutating func begin(
    _ number: Int64, _ kind: AppHistory.TaskRun.Kind, _ identifier: String, at now: AppHistory.Moment
  ) {
    guard places[number] == nil else { return }
    places[number] = all.count
    all.append(AppHistory.TaskRun(kind: kind, identifier: identifier, began: now))
  }

  /// Whether the app was told to run a task and has not completed it.
  func isUnderWay(_ number: Int64) -> Bool { places[number] != nil }

  /// The app has completed a task. The first time counts.
  mutating func end(_ number: Int64, isSuccess: Bool, at now: AppHistory.Moment) {
    guard let place = places.removeValue(forKey: number) else { return }
    (all[place].ended, all[place].isSuccess) = (now, isSuccess)
  }
}
