import NightjarCore
import NightjarModel

/// What the world remembers about local notifications.
struct NoticeWatch: Sendable {
  /// When each was fired last, on the wall clock.
  var firedLast: [RequestKey: Timestamp] = [:]
  /// Those of them that do not repeat.
  var firedOnce: Set<RequestKey> = []
  /// The highest number that was ever given out.
  var numberLast = NoticeID(0)
  /// Notifications that apps have cancelled, and apps that have cancelled all.
  var cancelled: Set<RequestKey> = []
  var cancelledAll: Set<AppID> = []
  /// Names whose notifications an app has cancelled, or replaced by others of the name.
  var names: Set<Name> = []
  /// Numbers that were removed.
  var removed: Set<NoticeID> = []
  /// Numbers that a delegate was told, and how many in all were told, shown and tapped.
  var told: Set<NoticeID> = []
  var shown = 0

  /// A name that an app has for one of its notifications.
  struct Name: Hashable, Sendable {
    var app: AppID
    var identifier: String
  }
}

/// Apps that schedule notifications, people who tap them, and travel.
extension World {
  /// Has an app schedule or cancel notifications.
  mutating func scheduleNotices(_ index: Int) {
    guard apps[processes[index].app]!.isBundle, dice.falls(faults == .none ? 100 : 300) else { return }
    let app = processes[index].app
    switch dice.below(8) {
    case 0:
      call(.cancelNotices(nil), index)
    case 1:
      let keys = disk.scheduled.keys.filter { $0.app == app }.sorted()
      if !keys.isEmpty {
        let key = dice.pick(keys)
        call(cancelling(key), index)
      }
    case 2: call(.setBadge(dice.below(3)), index)
    case 3: call(.listNotices, index)
    default: call(.schedule((0...dice.below(4)).map { _ in anyNotice(of: app) }, replaces: dice.falls(100)), index)
    }
  }

  /// A call that cancels a notification: by key, by name if it has one, or by likeness.
  private func cancelling(_ key: NoticeKey) -> AppCall {
    let request = disk.scheduled[key]!.request
    if key.key.low.isMultiple(of: 2) { return .cancelNotices([key.key]) }
    guard let name = request.identifier else { return .cancelNotices([], like: [request]) }
    return .cancelNotices([], named: [name], only: key.key.low.isMultiple(of: 3) ? .scheduled : nil)
  }

  private mutating func anyNotice(of app: AppID) -> NoticeRequest {
    var content = NoticeContent()
    content.body = "notice"
    content.badge = dice.below(3)
    let key = RequestKey(high: 9, low: dice.next())
    let name = dice.falls(250) ? dice.pick(["tea", "train"]) : nil
    guard !dice.falls(100) else { return NoticeRequest(key: key, identifier: name, app: app, content: content) }
    let at = Timestamp(milliseconds: device.moment.wall.milliseconds + dice.draw(-1_000_000...30_000_000))
    let zone = dice.falls(500) ? NoticeTime.Zone(name: "somewhere", offset: rules.offset(at: at)) : nil
    let interval: CalendarUnit? = dice.falls(300) ? dice.pick([.hour, .day, .week, .month, .year]) : nil
    var time = NoticeTime(at: at, zone: zone, interval: interval)
    if interval == .month, dice.falls(500) { time.days = (1...3).map { time.reading.date.number + $0 * 29 } }
    if time.interval != nil, time.days.isEmpty, dice.falls(200) { time.step = dice.draw(2...3) }
    return NoticeRequest(key: key, identifier: name, app: app, time: time, content: content)
  }

  /// Notes that an app cancels notifications, which may then be forgotten.
  mutating func noteCancelling(_ call: AppCall, by app: AppID) {
    switch call {
    case .cancelNotices(let keys?, let like, let names, _):
      notices.cancelled.formUnion(keys + like.map(\.key))
      notices.names.formUnion(names.map { .init(app: app, identifier: $0) })
    case .schedule(let requests, replaces: false):
      notices.names.formUnion(requests.compactMap(\.identifier).map { .init(app: app, identifier: $0) })
    case .cancelNotices(nil, _, _, _), .schedule(_, replaces: true):
      notices.cancelled.formUnion(disk.scheduled.keys.filter { $0.app == app }.map(\.key))
      notices.cancelledAll.insert(app)
    default: break
    }
  }

  /// Tells the delegate; the process confirms it a moment later.
  mutating func take(_ noticed: Message.Noticed, _ index: Int) {
    notices.told.insert(noticed.id)
    if noticed.request.app != processes[index].app { fail("\(noticed.request.app)'s notification is told another app") }
    guard !hangs(index, before: 1) else { return }
    let shows: NoticeShowing? = dice.falls(200) ? dice.pick([.withSound, .silently]) : nil
    plan(.stepped(pid: processes[index].pid, .takeNotice(noticed.id, shows: shows)), in: dice.draw(0...500))
  }

  /// Shows a notification on the desktop, which reports it a moment later.
  mutating func show(_ banner: Banner) {
    notices.shown += 1
    // A person may have tapped it since, and then it is taken off the screen next.
    let stage = disk.notices[banner.id]?.stage
    if stage == nil ? !notices.removed.contains(banner.id) : stage == .told(isTapped: false) {
      fail("notification \(banner.id) is shown and not remembered")
    }
    plan(.reported(.shown(banner.id), daemon: daemon), in: dice.draw(0...2_000))
  }

  /// Takes over the desktop's notifications for a new daemon; those not among these are removed.
  mutating func restore(_ ids: [NoticeID]) {
    let lost = disk.notices.values.filter { $0.stage == .shown(isSeen: true) && !ids.contains($0.id) }
    if let notice = lost.first { fail("notification \(notice.id) is taken off the desktop, and lies in the centre") }
    let strays = ids.filter { disk.notices[$0] == nil && !notices.removed.contains($0) }
    if let id = strays.first { fail("notification \(id) is left on the desktop, and remembered by nobody") }
  }

  /// People look at the notification centre and at the settings.
  mutating func lookAtNotices() {
    let ids = disk.notices.values.filter(\.isShown).map(\.id).sorted()
    switch dice.below(6) {
    case 0...2: if !ids.isEmpty { order(.tapNotice(dice.pick(ids))) }
    case 3: if !ids.isEmpty { order(.dismissNotice(dice.pick(ids))) }
    case 4:
      let change = SettingsChange(refreshes: dice.falls(500), alerts: dice.falls(800), badges: dice.falls(500))
      order(.changeSettings(dice.falls(300) ? nil : dice.pick(apps.keys.sorted()), change))
    default: travel()
    }
  }

  private mutating func travel() {
    rules = dice.pick(Self.places)
    post(.located(rules))
  }

  /// Places with different zone rules; the last one has daylight saving.
  static let places: [ZoneRules] = [
    .utc, ZoneRules(name: "East", offset: 19_800),
    ZoneRules(
      name: "North", offset: -18_000,
      changes: (-40..<360).map { .init(at: $0 * 15_778_800, offset: $0.isMultiple(of: 2) ? -14_400 : -18_000) }),
  ]
}

/// The invariants of notifications.
extension World {
  /// Checks a commit's changes before it.
  mutating func checkNotices(_ changes: Changes) {
    let fired = changes.notices.values.compactMap { $0 }.filter { $0.id > notices.numberLast }.sorted { $0.id < $1.id }
    for (key, row) in changes.scheduled.sorted(by: { $0.key < $1.key }) {
      if let old = disk.scheduled[key], row == nil { checkEnd(of: old, changes, fired) }
      if let row, let since = row.since, since > wallMax {
        fail("notification \(key) is fired in the future, at \(since)")
      }
    }
    let renumbered = Set(changes.notices.filter { $0.value == nil }.compactMap { disk.notices[$0.key]?.request.key })
    for notice in fired where !renumbered.contains(notice.request.key) { checkFiring(notice) }
    notices.numberLast = fired.last.map { max($0.id, notices.numberLast) } ?? notices.numberLast
    for (id, row) in changes.notices where row == nil { notices.removed.insert(id) }
  }

  /// Checks that no notification ends that was neither fired nor cancelled.
  private mutating func checkEnd(of old: ScheduledNotice, _ changes: Changes, _ fired: [FiredNotice]) {
    let app = old.key.app
    let isFired = fired.contains { $0.request.key == old.key.key && $0.request.app == app }
    let isMuted = disk.apps[app]?.settings.alerts == false || (changes.apps[app] ?? nil)?.settings.alerts == false
    let isGone = watch.uninstalling.contains(app) && changes.apps[app] != nil
    let isSurplus = disk.scheduled.keys.count { $0.app == app } + changes.scheduled.count > limits.noticesPerAppMax
    let isDue = old.request.time!.next(after: old.since, rules) <= wallMax
    let isNamed = old.request.identifier.map { notices.names.contains(.init(app: app, identifier: $0)) } ?? false
    let isCancelled = isNamed || notices.cancelled.contains(old.key.key) || notices.cancelledAll.contains(app)
    if isFired || isGone || isSurplus || isCancelled || isDue && isMuted { return }
    if isDue, changes.notices.values.contains(nil) { return }  // Fired and taken off the screen in one turn.
    fail("notification \(old.key) is forgotten: \(old)")
  }

  private mutating func checkFiring(_ notice: FiredNotice) {
    guard let time = notice.request.time else { return }
    let key = notice.request.key
    if time.interval == nil, !notices.firedOnce.insert(key).inserted { fail("notification \(key) is fired twice") }
    let earliest = Self.places.map { time.next(after: nil, $0) }.min()!
    if notice.firedAt < earliest { fail("notification \(key) is fired at \(notice.firedAt), before \(earliest)") }
    if let last = notices.firedLast[key], last < notice.firedAt,
      Self.places.allSatisfy({ time.next(after: last, $0) > notice.firedAt }), !wasSetBack
    {
      fail("notification \(key) is fired at \(notice.firedAt), again after \(last)")
    }
    notices.firedLast[key] = notice.firedAt
  }

  /// Checks that nothing is due, or waits to be shown or told, after all faults have ended.
  mutating func checkNoticesAtRest() {
    let wall = device.moment.wall
    for notice in disk.scheduled.values.sorted(by: { $0.key < $1.key }) {
      let due = notice.request.time!.next(after: notice.since, rules)
      if due < wall, notice.request.time?.interval == nil { fail("notification \(notice.key) was due at \(due)") }
    }
    for notice in disk.notices.values.sorted(by: { $0.id < $1.id }) {
      switch notice.stage {
      case .shown(isSeen: true): break
      case .shown(isSeen: false), .told:
        guard wall - notice.firedAt > .minutes(1) else { break }  // It was fired just now.
        fail("notification \(notice.id) is left: \(notice.stage)")
      }
    }
  }
}
