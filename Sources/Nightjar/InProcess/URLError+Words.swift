import Foundation
import FoundationNetworking

extension URLError {
  /// The error with the URL and a description in its user info, which FoundationNetworking may leave out, and with
  /// Apple's code for a lost connection, which FoundationNetworking gives only for some.
  func telling(_ url: URL?) -> URLError {
    let code = isOfLostConnection ? .networkConnectionLost : code
    var information: [String: Any] = [NSLocalizedDescriptionKey: Self.words[code] ?? localizedDescription]
    information[NSURLErrorFailingURLErrorKey] = url
    information["NSErrorFailingURLStringKey"] = url?.absoluteString
    return URLError(code, userInfo: userInfo.merging(information) { own, _ in own })
  }

  /// Whether the server has closed or reset the connection before the end of its answer, by libcurl's words.
  private var isOfLostConnection: Bool {
    guard code == .unknown || code == .badServerResponse else { return false }
    let words = userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    return Self.losses.contains(where: words.hasPrefix)
      || words.contains("SSL_read") && words.contains("unexpected eof")
  }

  /// What libcurl begins its words for a lost connection with. The second are those of newer versions.
  private static let losses = [
    "transfer closed with", "end of response with", "Empty reply from server", "Recv failure:", "Send failure:",
  ]

  /// Apple's words for the codes that a task in this process can end with. Foundation's, which name the code, stand for
  /// the others.
  private static let words: [Code: String] = [
    .cancelled: "cancelled", .badURL: "bad URL", .unsupportedURL: "unsupported URL",
    .timedOut: "The request timed out.",
    .cannotFindHost: "A server with the specified hostname could not be found.",
    .cannotConnectToHost: "Could not connect to the server.",
    .networkConnectionLost: "The network connection was lost.",
    .notConnectedToInternet: "The Internet connection appears to be offline.",
    .httpTooManyRedirects: "too many HTTP redirects", .resourceUnavailable: "resource unavailable",
    .redirectToNonExistentLocation: "redirected to nowhere",
    .badServerResponse: "There was a bad server response.",
    .zeroByteResource: "zero byte resource", .cannotDecodeRawData: "cannot decode raw data",
    .cannotDecodeContentData: "cannot decode content data", .cannotParseResponse: "cannot parse response",
    .requestBodyStreamExhausted: "request body stream exhausted",
    .fileDoesNotExist: "The requested URL was not found on this server.",
    .secureConnectionFailed: "An SSL error has occurred and a secure connection to the server cannot be made.",
  ]
}
