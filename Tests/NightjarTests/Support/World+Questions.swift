import Foundation
import NightjarWire

import struct FoundationNetworking.URLRequest

@testable import Nightjar

// Questions of the daemon, and the answers to them.
extension World {
  /// Has a task ask; without a challenge, whether to begin.
  func ask(
    _ delegate: any URLSessionDelegate, _ challenge: AppInterface.Challenge?, of link: Link? = nil, body: String? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
  ) -> URLSession {
    let session = self.session(of: link ?? newLife(), delegate, change)
    var request = URLRequest(url: Self.film)
    request.httpBody = body.map { Data($0.utf8) }
    session.downloadTask(with: request).resume()
    daemon.waitForCalls { $0.isEnqueue }
    daemon.say(.asked(.init(number: 7, session: "films", task: 1, challenge: challenge)))
    return session
  }

  /// The first answer that reaches the daemon. Waited for on a thread of its own: what a delegate leaves out runs as a
  /// task, which needs one.
  func answer() async -> AppInterface.AnswerQuestion.Parameters? {
    await withCheckedContinuation { done in
      Thread.detachNewThread { [daemon] in
        done.resume(returning: daemon.waitForCalls { $0.answer != nil }.first?.answer)
      }
    }
  }
}

extension Call {
  /// The answer to a question, if that is what is sent.
  var answer: AppInterface.AnswerQuestion.Parameters? {
    if case .answer(let asked) = self { asked } else { nil }
  }
}
