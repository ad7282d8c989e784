import Foundation
import FoundationNetworking

// What becomes of FoundationNetworking's events before they are noted.
extension LocalTask {
  /// Filters an event of FoundationNetworking before it is noted; nil if it is not delivered.
  mutating func sift(_ event: LocalEvent) -> LocalEvent? {
    switch event {
    case .answered(let response):
      if let words = response.asInformation { return .informed(words) }
      hasHead = true
      let question = credentials.read(response)
      parting.isBarred = question != nil && parting.count > 0
      if let question { return .challenged(question) }
      let offset = Int64(parting.count)
      switch parting.read(response, hasFile: sink != nil) {
      case .tell: return event
      case .goOn: return nil
      case .resumed(let length):
        guard let response = response as? HTTPURLResponse else { return nil }
        return .resumed(response.showingWhole(length), offset: offset, expected: length)
      case .askForWhole:
        wantsWhole = true
        return nil
      case .beginAnew:
        sink?.beginAnew()
        return event
      case .lost:
        trouble = SessionFailure(.networkConnectionLost, "the server's answer changed while the task was suspended")
        return nil
      }
    case .received(let data):
      let new = parting.take(data)
      return new.isEmpty ? nil : .received(new)
    case .redirected(let response, _, let answer): return siftRedirect(response, answer)
    case .ended(let error): return error == nil && !hasHead ? siftEnd() : event
    case .informed, .resumed, .challenged, .progressed, .needsStream: return event
    }
  }

  /// Filters an end without a head: FoundationNetworking reports neither a redirect that leads nowhere nor the head of
  /// one that was refused.
  private mutating func siftEnd() -> LocalEvent? {
    if let redirect = foreign?.answer as? HTTPURLResponse, redirect.leadsNowhere {
      trouble = redirect.nowhere
      return nil
    }
    if let response = foreign?.answer, let head = sift(.answered(response)) { note(head) }
    return wantsWhole ? nil : .ended(nil)
  }
}
