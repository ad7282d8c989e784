import NightjarModel

@testable import NightjarCore

extension Bench {
  /// The app schedules a notification in a life of its own.
  mutating func schedule(_ request: NoticeRequest) {
    let ticket = ticket()
    send(.called(.schedule([request], replaces: false), by: Caller(app: request.app, pid: 42), ticket))
  }
}

extension NoticeRequest {
  static func made(_ number: UInt64, in seconds: Int64, of bench: Bench, each interval: CalendarUnit? = nil) -> Self {
    var content = NoticeContent()
    content.body = "notice \(number)"
    let at = Timestamp(seconds: bench.wall.seconds + seconds)
    return NoticeRequest(
      key: RequestKey(high: 3, low: number), app: farm, time: NoticeTime(at: at, interval: interval), content: content)
  }
}

extension [Deed] {
  var banners: [Banner] { compactMap { if case .show(let banner) = $0 { banner } else { nil } } }
}

extension [Message] {
  var noticed: [Message.Noticed] {
    compactMap { if case .noticed(let noticed) = $0 { noticed } else { nil } }
  }
}
