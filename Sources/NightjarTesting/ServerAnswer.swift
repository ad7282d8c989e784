public import Foundation

/// What whatever stands in for the app's servers answers to a request.
public struct ServerAnswer: Hashable, Sendable {
  /// The status; 408, 425, 429, 500, 502, 503 and 504 are tried again for a while, as by the daemon.
  public var statusCode: Int
  /// The header fields, in any case. `Content-Length` is added, and an `ETag` where ``servesRanges`` wants one.
  public var headers: [String: String]
  /// The whole body, also where the request asks for a range of it.
  public var data: Data
  /// Whether it is a file on a server that hands out parts of it: a GET for one range of bytes is then given that range of a
  /// 200, as a 206, whether the app asks for it or a download that was cut goes on at its byte. Where `headers` have no `ETag`, the file's version is told from `data`.
  /// Without it the answer goes out as it is.
  public var servesRanges = true
  /// The header fields of a 103 (Early Hints) that the server sends before this answer, in any case; none for no such word. An
  /// app that runs with its session open is told of it; nobody else hears of it, then or later.
  public var earlyHints: [String: String] = [:]
  /// Whether there is a server at all.
  var isThere = true

  /// An answer; a 200 unless another status is given.
  public init(data: Data = Data(), statusCode: Int = 200, headers: [String: String] = [:]) {
    (self.data, self.statusCode, self.headers) = (data, statusCode, headers)
  }

  /// There is no answer: the server cannot be reached. The transfer is tried again, at longer and longer intervals of up to ten
  /// minutes, until it can, or the transfer's time is up (`timeoutIntervalForResource`).
  public static var unreachable: ServerAnswer {
    var answer = ServerAnswer()
    answer.isThere = false
    return answer
  }
}
