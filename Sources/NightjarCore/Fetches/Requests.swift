import NightjarModel

/// The tasks that apps have asked for, by app and identifier: those that wait, and those that are being run.
struct Requests: Sendable {
  private var ofApp: [AppID: OrderedIndex<String, RequestRecord>] = [:]
  /// When an app's processing tasks last ended, by identifier.
  private var ends: [AppID: [String: Age]] = [:]

  /// All of them, by app and identifier.
  var all: [RequestRecord] { ofApp.keys.sorted().flatMap { records(of: $0) } }

  /// Those of one app, by identifier.
  func records(of app: AppID) -> [RequestRecord] { ofApp[app]?.values ?? [] }

  subscript(identifier: String, of app: AppID) -> RequestRecord? { ofApp[app]?[identifier] }

  func isAny(of app: AppID) -> Bool { ofApp[app] != nil }

  /// Whether an app has asked to be refreshed.
  func isAnyRefresh(of app: AppID) -> Bool { records(of: app).contains { $0.request.kind == .refresh } }

  /// What an app has asked for, without what this errand runs.
  func pending(of app: AppID, besides errand: Int64?) -> [BackgroundRequest] {
    records(of: app).filter { $0.errand == nil || $0.errand != errand }.map(\.request)
  }

  /// The request that an errand was the last to run.
  func record(ofErrand errand: Int64, of app: AppID) -> RequestRecord? {
    records(of: app).first { $0.errand == errand }
  }

  /// The newest errand that has begun a request which has not ended since.
  func newestErrand(of app: AppID) -> Int64? { records(of: app).compactMap(\.errand).max() }

  mutating func keep(_ record: RequestRecord) {
    ofApp[record.app, default: .init()][record.request.identifier] = record
  }

  mutating func remove(_ id: RequestRecord.ID) {
    ofApp[id.app]?[id.identifier] = nil
    if ofApp[id.app]?.isEmpty == true { ofApp[id.app] = nil }
  }

  // MARK: Turns and rests

  /// An app's tasks in the order in which they get their turn: those that have not run yet, then the one whose last run
  /// ended the longest ago. So one that fails again and again keeps no other waiting.
  func inTurn(_ tasks: [BackgroundRequest], of app: AppID) -> [BackgroundRequest] {
    let ends = ends[app] ?? [:]
    return tasks.sorted {
      (ends[$0.identifier] ?? .zero, $0.identifier) < (ends[$1.identifier] ?? .zero, $1.identifier)
    }
  }

  /// Notes the end of a task. The newest ends are kept, of as many tasks as an app may have pending.
  mutating func ended(_ id: RequestRecord.ID, at now: Age, _ limits: Limits) {
    var ends = ends[id.app] ?? [:]
    ends[id.identifier] = now
    if ends.count > max(limits.processingRequestsMax, 1),
      let oldest = ends.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      ends[oldest.key] = nil
    }
    self.ends[id.app] = ends
  }

  /// Until when a task is not run again, since it ran lately, so that one that asks for itself again and again is not
  /// run all the time; forgotten when the daemon restarts.
  func rest(_ id: RequestRecord.ID, _ limits: Limits) -> Age? {
    ends[id.app]?[id.identifier].map { $0 + limits.fetchIntervalMin }
  }

  mutating func forgetEnds(of app: AppID) { ends[app] = nil }
}

extension RequestRecord.ID {
  init(_ request: BackgroundRequest, of app: AppID) { self.init(app: app, identifier: request.identifier) }
}
