import Foundation
import FoundationNetworking

/// An event of a task in this process.
enum LocalEvent: Sendable {
  case answered(URLResponse)
  /// The server has sent an interim response.
  case informed(HTTPURLResponse)
  /// A download with resume data goes on at `offset`; the whole has `expected` bytes.
  case resumed(HTTPURLResponse, offset: Int64, expected: Int64?)
  /// The server has sent a challenge.
  case challenged(LocalCredentials.Question)
  case received(Data)
  /// Bytes moved; the newest counts are in the task.
  case progressed
  case redirected(HTTPURLResponse, URLRequest, @Sendable (URLRequest?) -> Void)
  case needsStream(@Sendable (LocalStream) -> Void)
  case ended((any Error)?)

  /// The head of an answer or of a redirect.
  var head: HTTPURLResponse? {
    switch self {
    case .answered(let response): response as? HTTPURLResponse
    case .redirected(let response, _, _): response
    case .informed, .resumed, .challenged, .received, .progressed, .needsStream, .ended: nil
    }
  }

  /// Whether the app is asked for an answer, which may come later.
  var asks: Bool {
    switch self {
    case .answered, .challenged, .redirected, .needsStream: true
    case .informed, .resumed, .received, .progressed, .ended: false
    }
  }
}

/// A stream on its way from a delegate to its reader.
struct LocalStream: @unchecked Sendable {  // Unchecked: only the one that it was handed to uses it.
  let stream: InputStream?
}
