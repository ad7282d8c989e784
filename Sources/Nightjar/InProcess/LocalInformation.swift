import Foundation
import FoundationNetworking

// FoundationNetworking hands out what a server says before its answer (RFC 9110, section 15.2) as if that were the answer.
extension URLResponse {
  /// The response, if the answer is still to come. After 101 none is: the connection is no longer HTTP's.
  var asInformation: HTTPURLResponse? {
    guard let response = self as? HTTPURLResponse else { return nil }
    return (100..<200).contains(response.statusCode) && response.statusCode != 101 ? response : nil
  }
}

extension FoundationNetworking.URLSessionTask {
  /// The server's answer, once it has come.
  var answer: URLResponse? { response?.asInformation == nil ? response : nil }
}
