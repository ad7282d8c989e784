import Foundation
import FoundationNetworking
import Synchronization

// FoundationNetworking stores no response that it loads, and would answer with one that the app has stored even where
// the policy requires a load. So it is given no cache, and a response that the app has stored is looked up here if the
// policy allows it.

/// The result of a look-up in the cache.
enum CacheWord: Sendable {
  /// The request has to be loaded.
  case load
  case kept(CachedURLResponse)
  /// No response is stored, and the policy forbids to load.
  case unavailable
}

extension URLSessionConfiguration {
  /// Looks a request up in the session's cache, by the request's policy or else the session's.
  func cacheWord(for request: URLRequest) -> CacheWord {
    let own = request.cachePolicy
    let kept = request.httpMethod ?? "GET" == "GET" ? urlCache?.cachedResponse(for: request) : nil
    return switch own == .useProtocolCachePolicy ? requestCachePolicy : own {
    case .returnCacheDataElseLoad: kept.map { .kept($0) } ?? .load
    case .returnCacheDataDontLoad: kept.map { .kept($0) } ?? .unavailable
    default: .load
    }
  }
}

extension LocalState {
  /// Answers a task with a cached response.
  mutating func answer(_ number: Int, with kept: CachedURLResponse) {
    tasks[number]?.record.source = .localCache
    for event in [.answered(kept.response), .received(kept.data), .ended(nil)] as [LocalEvent] {
      _ = take(event, of: number)
    }
  }
}

extension LocalCarrier {
  /// Ends a task with the result of the look-up; false if it has to be loaded.
  func isAnswered(_ task: URLSessionTask, from word: CacheWord) -> Bool {
    switch word {
    case .load: return false
    case .kept(let kept):
      openFile(of: task.taskIdentifier)
      state.withLock { $0.answer(task.taskIdentifier, with: kept) }
    case .unavailable: note(.ended(URLError(.resourceUnavailable)), of: task.taskIdentifier)
    }
    return true
  }
}
