import NIOCore
import NightjarModel

/// What an attempt reports before its end.
extension Attempt {
  /// Reports progress, in either direction, if it is due or final.
  func report(finalProgress isFinal: Bool) {
    if isFinal || pace.isDue(at: loop.now) { reportStand(isFinal: isFinal) }
  }

  /// Reports progress even if nothing has moved: the core takes a silent attempt for lost.
  func reportStand(isFinal: Bool = false) {
    if !isFinal { tellAnswer() }
    if let length = source.length {
      let before = dialogue?.point.offset ?? 0  // What an earlier attempt has sent.
      let sent = upload.sent > 0 ? upload.sent : before
      tell(sent, of: length)
    } else if let part {
      tell(part.count, of: part.length ?? (isFinal ? part.count : nil))
    } else {
      tell(reported, of: nil)  // Its files are yet to be opened.
    }
  }

  /// Reports how much of an upload has left, unless that is what was reported last, or nothing was to leave.
  func catchUpSent() {
    guard let length = source.length, upload.end > 0, upload.sent > 0, upload.sent != pace.count else { return }
    tell(upload.sent, of: length)
  }

  /// Reports how far a download has come, unless that is what was reported last.
  func catchUp() {
    guard let part, part.count != pace.count else { return }
    tell(part.count, of: part.length)
  }

  func tell(_ count: Int64, of expected: Int64?) {
    pace.count = count
    report(.progressed(count: count, expected: expected))
  }

  /// Reports the answer's head before the first progress. A body that comes at once is reported only with its end.
  func tellAnswer() {
    guard case .body(let response) = answer.hearing, !answer.isTold else { return }
    answer.isTold = true
    report(.informed(response))
  }

  /// Whether all announced bytes are there: the end, which follows at once, reports as much.
  func isComing(toItsEnd part: StagedPart) -> Bool { part.length == part.count }
}
