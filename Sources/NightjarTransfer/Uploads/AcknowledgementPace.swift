import NIOCore
import NightjarModel

/// Thins out the reports of what the server of an upload has: of small steps only some are told.
struct AcknowledgementPace {
  /// The step that is always told.
  private let bytes: Int64
  private let interval: TimeAmount
  /// What was told last, and when.
  private var last: ResumePoint?
  private var time: NIODeadline

  /// - Parameter last: What is remembered of earlier attempts.
  init(_ settings: EngineSettings, last: ResumePoint?, at now: NIODeadline) {
    (bytes, interval) = (settings.checkpointBytes, TimeAmount(settings.checkpointInterval))
    (self.last, time) = (last, now)
  }

  /// Whether a point is to be told, which then counts as told: the server has more, less, or elsewhere. A point without
  /// an upload resource is told only where it takes one back.
  mutating func isDue(_ point: ResumePoint, isUrgent: Bool, at now: NIODeadline) -> Bool {
    guard point != last, point.upload != nil || last?.upload != nil else { return false }
    let isFar = point.offset - (last?.offset ?? 0) >= bytes
    guard isUrgent || isFar || now - time >= interval else { return false }
    (last, time) = (point, now)
    return true
  }
}
