public import Foundation

/// The answer of a simulated server to a request.
public struct ServerAnswer: Hashable, Sendable {
  /// The status. The task retries after 408, 425, 429, 500, 502, 503 and 504 for a while, as with the daemon; a POST or
  /// PATCH only after 408, 425, 429 and 503.
  public var statusCode: Int
  /// The header fields, in any case. `Content-Length` is added, except to a 204, and an `ETag` where ``servesRanges``
  /// requires one.
  public var headers: [String: String]
  /// The whole body, also where the request asks for a range of it. Nothing of it is sent in answer to a HEAD, nor with
  /// a 204 or a 304.
  public var data: Data
  /// Whether the server supports ranges: if so, it answers a GET for one range of bytes with that part of a 200, as a
  /// 206, whether the app asks for the range or an interrupted download goes on. An `ETag` made from `data` is added
  /// where `headers` have none. If false, the answer is sent as it is.
  public var servesRanges = true
  /// The header fields of a 103 (Early Hints) that the server sends before this answer, in any case; empty for no 103.
  /// It is delivered only to an app that runs with its session open, and never later.
  public var earlyHints: [String: String] = [:]
  /// Whether the server can be reached.
  var isThere = true

  /// Creates an answer, a 200 by default.
  public init(data: Data = Data(), statusCode: Int = 200, headers: [String: String] = [:]) {
    (self.data, self.statusCode, self.headers) = (data, statusCode, headers)
  }

  /// No answer: the server cannot be reached. The transfer is retried at growing intervals of up to ten minutes, until
  /// the server can be reached or `timeoutIntervalForResource` is over.
  public static var unreachable: ServerAnswer {
    var answer = ServerAnswer()
    answer.isThere = false
    return answer
  }
}
