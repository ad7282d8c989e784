import Foundation
import FoundationNetworking
import Synchronization

// Caches. FoundationNetworking keeps nothing of what it loads, and would answer with what the app has kept itself where that is
// to be loaded anew. So it is given no cache, and what the app has kept is looked up here, where a policy asks for it.

/// What a cache has to say to a request.
enum CacheWord: Sendable {
  /// It is to be loaded.
  case load
  case kept(CachedURLResponse)
  /// Nothing is kept, and nothing may be loaded.
  case unavailable
}

extension URLSessionConfiguration {
  /// What the session's cache says to a request. Its policy goes before the session's, if it has one.
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
  /// Answers a task with what a cache has kept.
  mutating func answer(_ number: Int, with kept: CachedURLResponse) {
    prepare(number)
    tasks[number]?.record.source = .localCache
    for event in [.answered(kept.response), .received(kept.data), .ended(nil)] as [LocalEvent] {
      _ = take(event, of: number)
    }
  }
}

extension LocalCarrier {
  /// Ends a task with the answer of the cache; false if it is to be loaded.
  func isAnswered(_ task: URLSessionTask, from word: CacheWord) -> Bool {
    switch word {
    case .load: return false
    case .kept(let kept): state.withLock { $0.answer(task.taskIdentifier, with: kept) }
    case .unavailable: note(.ended(URLError(.resourceUnavailable)), of: task.taskIdentifier)
    }
    return true
  }
}
