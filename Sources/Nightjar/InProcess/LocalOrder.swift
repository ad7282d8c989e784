import Foundation
import FoundationNetworking

/// The body that a task in this process sends.
enum LocalBody: @unchecked Sendable {  // Unchecked: a stream is handed on once and never used by us.
  /// The request's own body, if it has one.
  case request
  case data(Data)
  case file(URL)
  /// The stream of the request, or one that the delegate is asked for.
  case stream

  /// Whether a body is sent with a request.
  func isSent(with request: URLRequest) -> Bool {
    guard case .request = self else { return true }
    return request.httpBody != nil || request.httpBodyStream != nil
  }
}

/// The receiver of a task's results.
enum LocalHearer: Sendable {
  /// The delegate of the task or of the session.
  case delegate
  /// A completion handler for the whole answer in memory.
  case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
  /// A completion handler for the answer in a file; with `keepsFile` the caller keeps the file.
  case file(keepsFile: Bool, @Sendable (URL?, URLResponse?, (any Error)?) -> Void)
  /// A sequence of bytes.
  case feed(ByteFeed)

  var isDelegate: Bool { if case .delegate = self { true } else { false } }

  /// Whether it receives only the whole answer.
  var wantsWhole: Bool {
    switch self {
    case .data, .file: true
    case .delegate, .feed: false
    }
  }
}

/// How a task in this process begins.
enum LocalStart: Sendable {
  case fresh
  /// With the remnant of an earlier download.
  case goingOn(LocalRemnant)
  /// It fails when it is resumed.
  case impossible(SessionFailure)
}
