import NightjarModel

extension NoticeRequest {
  /// What it has in common with all that an app takes for equal to it: everything but the key.
  ///
  /// The days of repetitions do not count, either. They come of the calendar, and of when they were foreseen.
  var likeness: NoticeRequest {
    var likeness = self
    likeness.key = RequestKey(high: 0, low: 0)
    likeness.time?.days = []
    return likeness
  }
}
