import NightjarModel

/// The tasks that apps have asked for, by app and identifier: those that wait, and those that are being run.
struct Requests: Sendable {
  private var ofApp: [AppID: OrderedIndex<String, RequestRecord>] = [:]
  /// When the processing tasks that ran lately ended.
  private var ends: [RequestRecord.ID: Age] = [:]

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

  mutating func keep(_ record: RequestRecord) {
    ofApp[record.app, default: .init()][record.request.identifier] = record
  }

  mutating func remove(_ id: RequestRecord.ID) {
    ofApp[id.app]?[id.identifier] = nil
    if ofApp[id.app]?.isEmpty == true { ofApp[id.app] = nil }
  }

  // MARK: Rests

  /// Notes the end of a task, so that one that asks for itself again and again is not run all the time.
  mutating func rest(_ id: RequestRecord.ID, from now: Age, _ limits: Limits) {
    ends = ends.filter { now - $0.value < limits.fetchIntervalMin }
    ends[id] = now
  }

  /// Until when a task is not run again, since it ran lately; forgotten when the daemon restarts.
  func rest(_ id: RequestRecord.ID, _ limits: Limits) -> Age? { ends[id].map { $0 + limits.fetchIntervalMin } }

  mutating func forgetRests(of app: AppID) { ends = ends.filter { $0.key.app != app } }
}

extension RequestRecord.ID {
  init(_ request: BackgroundRequest, of app: AppID) { self.init(app: app, identifier: request.identifier) }
}
