import NightjarModel

extension NoticeRequest {
  /// What must be the same for an app to take two notifications for equal: everything but the key.
  ///
  /// The days of repetitions do not count, either. They follow from the calendar, and from when they were computed.
  var likeness: NoticeRequest {
    var likeness = self
    likeness.key = RequestKey(high: 0, low: 0)
    likeness.time?.days = []
    return likeness
  }
}
