import NightjarModel

/// The notifications that are scheduled, in the order in which they are due, and those that were fired.
struct Notices: Sendable {
  /// A time on the wall clock, and what is due then.
  struct Appointment: Hashable, Comparable, Sendable {
    var at: Timestamp
    var key: NoticeKey

    static func < (a: Appointment, b: Appointment) -> Bool { (a.at, a.key) < (b.at, b.key) }
  }

  private var scheduled = OrderedIndex<NoticeKey, ScheduledNotice>()
  private var dues: [NoticeKey: Timestamp] = [:]
  private var calendar = OrderedIndex<Appointment, Void>()
  /// The calendar of each app.
  private var ofApp: [AppID: OrderedIndex<Appointment, Void>] = [:]
  /// The keys by their apps' own names for them.
  private var ofName: [Name: [NoticeKey]] = [:]

  private var fired = OrderedIndex<NoticeID, FiredNotice>()
  private var firedOf: [AppID: OrderedIndex<NoticeID, Void>] = [:]
  /// Those that the desktop has not been asked to show yet.
  private var unseen = OrderedIndex<NoticeID, Void>()

  /// How clocks are set where the device is.
  private(set) var rules = ZoneRules.utc
  /// What the wall clock showed last.
  private var wall: Timestamp
  private let slack: Duration

  fileprivate struct Name: Hashable, Sendable {
    var app: AppID
    var identifier: String
  }

  init(limits: Limits, at wall: Timestamp) { (self.wall, slack) = (wall, limits.clockSlack) }

  // MARK: Scheduled

  subscript(key: NoticeKey) -> ScheduledNotice? { scheduled[key] }
  /// The next time on the wall clock at which one is due.
  var next: Timestamp? { calendar.first?.key.at }
  func count(of app: AppID) -> Int { ofApp[app]?.count ?? 0 }

  /// The keys of an app's scheduled notifications, the soonest first.
  func keys(of app: AppID) -> [NoticeKey] {
    (ofApp[app]?.entries(after: nil, limit: .max) ?? []).map { $0.key.key }
  }

  /// The keys of an app's scheduled notifications of a name.
  func keys(of app: AppID, named identifier: String) -> [NoticeKey] {
    ofName[Name(app: app, identifier: identifier)] ?? []
  }

  /// Adds a scheduled notification, or replaces it by a changed one.
  mutating func keep(_ notice: ScheduledNotice) {
    remove(notice.key)
    guard let time = notice.request.time else { preconditionFailure("notification \(notice.key) has no time") }
    let appointment = Appointment(at: time.next(after: notice.since, rules), key: notice.key)
    scheduled[notice.key] = notice
    dues[notice.key] = appointment.at
    calendar[appointment] = ()
    ofApp[notice.key.app, default: .init()][appointment] = ()
    if let name = Name(of: notice) { ofName[name, default: []].append(notice.key) }
    if let since = notice.since { wall = max(wall, since) }
  }

  mutating func remove(_ key: NoticeKey) {
    guard let due = dues.removeValue(forKey: key) else { return }
    if let name = scheduled[key].flatMap({ Name(of: $0) }) {
      ofName[name]?.removeAll { $0 == key }
      if ofName[name]?.isEmpty == true { ofName[name] = nil }
    }
    scheduled[key] = nil
    calendar[Appointment(at: due, key: key)] = nil
    ofApp[key.app]?[Appointment(at: due, key: key)] = nil
    if ofApp[key.app]?.isEmpty == true { ofApp[key.app] = nil }
  }

  /// Takes off the first that is due.
  mutating func popDue(at wall: Timestamp) -> ScheduledNotice? {
    guard let first = calendar.first?.key, first.at <= wall, let notice = scheduled[first.key] else { return nil }
    remove(first.key)
    return notice
  }

  /// Takes in how clocks are set now: the device is elsewhere, or its zone has new rules.
  mutating func obey(_ rules: ZoneRules) {
    self.rules = rules
    for notice in scheduled.values where notice.request.time?.zone != nil { keep(notice) }
  }

  /// Takes in what the wall clock shows. If it was set back, repeated notifications are due again by the new time, and
  /// are returned. A small correction does not count as that: nothing is to be fired twice for it.
  mutating func see(_ wall: Timestamp) -> [ScheduledNotice] {
    let isSetBack = self.wall - wall > slack
    self.wall = isSetBack ? wall : max(wall, self.wall)
    guard isSetBack else { return [] }
    var changed: [ScheduledNotice] = []
    for var notice in scheduled.values where notice.since.map({ $0 > wall }) == true {
      notice.since = wall
      keep(notice)
      changed.append(notice)
    }
    return changed
  }

  // MARK: Fired

  subscript(id: NoticeID) -> FiredNotice? { fired[id] }
  /// All that lie in the notification centre, the newest first.
  var centre: [FiredNotice] { fired.values.reversed().filter(\.isShown) }

  /// The fired notifications of an app, the oldest first.
  func fired(of app: AppID) -> [FiredNotice] {
    (firedOf[app]?.entries(after: nil, limit: .max) ?? []).map { fired[$0.key]! }
  }

  mutating func keep(_ notice: FiredNotice) {
    fired[notice.id] = notice
    firedOf[notice.request.app, default: .init()][notice.id] = ()
    unseen[notice.id] = notice.stage == .shown(isSeen: false) ? () : nil
  }

  mutating func remove(_ id: NoticeID) {
    guard let notice = fired[id] else { return }
    (fired[id], unseen[id]) = (nil, nil)
    firedOf[notice.request.app]?[id] = nil
    if firedOf[notice.request.app]?.isEmpty == true { firedOf[notice.request.app] = nil }
  }

  /// Whether the desktop has yet to be asked to show it.
  func isUnseen(_ id: NoticeID) -> Bool { unseen[id] != nil }

  /// Takes off the next that is to be shown.
  mutating func popUnseen() -> FiredNotice? {
    guard let id = unseen.first?.key else { return nil }
    unseen[id] = nil
    return fired[id]
  }
}

extension Notices.Name {
  /// The name that a notification has; nil if it has none.
  fileprivate init?(of notice: ScheduledNotice) {
    guard let identifier = notice.request.identifier else { return nil }
    self.init(app: notice.key.app, identifier: identifier)
  }
}
