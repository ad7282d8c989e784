import NightjarModel

/// Notifications with a name: of those with the same, an app has one at a time.
extension Supervisor {
  /// Cancels the other notifications of the same name. Their keys are remembered: an app that dies before it has its
  /// answers repeats their requests, too.
  mutating func supersede(_ request: NoticeRequest, into turn: inout Turn) {
    guard let name = request.identifier else { return }
    for key in notices.keys(of: request.app, named: name) {
      guard let other = notices[key]?.request else { continue }
      unschedule(key, into: &turn)
      noteSeenTo(other, into: &turn)
    }
    for other in namesakes(of: request) where other.stage == .told(isTapped: false) {
      takeBack(other, into: &turn)
      noteSeenTo(other.request, into: &turn)
    }
    makeWay(for: request, into: &turn)
  }

  /// Takes off the screen what has the name of a notification that is scheduled, or about to be shown.
  mutating func makeWay(for request: NoticeRequest, into turn: inout Turn) {
    for other in namesakes(of: request) where other.isShown {
      dismiss(other, into: &turn)
      noteSeenTo(other.request, into: &turn)
    }
  }

  /// Whether a newer notification of the same name has been fired, and is shown or about to be.
  func isReplaced(_ notice: FiredNotice) -> Bool {
    namesakes(of: notice.request).contains { $0.id > notice.id }
  }

  /// The fired notifications with the name of a request, the oldest first; none if it has no name.
  private func namesakes(of request: NoticeRequest) -> [FiredNotice] {
    guard let name = request.identifier else { return [] }
    return notices.fired(of: request.app).filter { $0.request.identifier == name }
  }
}
