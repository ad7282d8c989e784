import NightjarModel

extension NoticeRequest {
  /// The columns that ``Bindings/add(_:)`` and ``Columns/notice()`` agree on.
  static let columns = """
    key, app, at, zone, zone_offset, interval, calendar, body, action, has_action, launch_image, sound, badge, info, \
    days, title, identifier, step
    """
}

extension Bindings {
  mutating func add(_ notice: NoticeRequest) {
    add(notice.key.description)
    add(notice.app.rawValue)
    add(notice.time?.at.nanoseconds)
    add(notice.time?.zone?.name)
    add(notice.time?.zone?.offset)
    add(notice.time?.interval?.rawValue)
    add(notice.calendar)
    add(notice.content.body)
    add(notice.content.action)
    add(notice.content.hasAction)
    add(notice.content.launchImage)
    add(notice.content.sound)
    add(notice.content.badge)
    add(notice.content.info)
    add(days: notice.time?.days ?? [])
    add(notice.content.title)
    add(notice.identifier)
    add(notice.time?.step ?? 1)
  }

  private mutating func add(days: [Int64]) {
    if days.isEmpty { add(nil as String?) } else { add(text: LineText.bytes(of: days.map { "\($0)" })) }
  }
}

extension Columns {
  mutating func notice() throws(DamagedRow) -> NoticeRequest {
    guard let key = RequestKey(try text()) else { throw damage("no key") }
    let app = AppID(try text())
    var time = try noticeTime()
    let calendar = try textIfAny()
    var content = try noticeContent()
    let days = try (textIfAny(LineText.lines) ?? []).map(day)
    content.title = try textIfAny()
    let (identifier, step) = (try textIfAny(), try integer())
    time?.days = days
    time?.step = step
    guard time?.isStepSound != false else { throw damage("no number of intervals") }
    return NoticeRequest(
      key: key, identifier: identifier, app: app, time: time, calendar: calendar, content: content)
  }

  private mutating func noticeTime() throws(DamagedRow) -> NoticeTime? {
    let at = try integerIfAny()
    let (zone, offset, interval) = (try textIfAny(), try integerIfAny(), try wordIfAny() as CalendarUnit?)
    guard let at else { return nil }
    guard (zone == nil) == (offset == nil) else { throw DamagedRow(detail: "its zone and the offset do not agree") }
    guard offset?.magnitude ?? 0 <= 86_400 else { throw DamagedRow(detail: "its zone_offset is more than a day") }
    let named = zone.flatMap { name in offset.map { NoticeTime.Zone(name: name, offset: $0) } }
    return NoticeTime(at: Timestamp(nanoseconds: at), zone: named, interval: interval)
  }

  private func day(_ line: String) throws(DamagedRow) -> Int64 {
    guard let day = Int64(line), CalendarDay.numbersOnCalendar.contains(day) else {
      throw DamagedRow(detail: "'\(line)' is the number of no day on a calendar")
    }
    return day
  }

  private mutating func noticeContent() throws(DamagedRow) -> NoticeContent {
    var content = NoticeContent()
    (content.body, content.action) = (try textIfAny(), try textIfAny())
    content.hasAction = try flag()
    (content.launchImage, content.sound) = (try textIfAny(), try textIfAny())
    content.badge = Int(try integer())
    content.info = try textIfAny()
    return content
  }
}
