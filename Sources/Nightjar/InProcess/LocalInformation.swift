import Foundation
import FoundationNetworking

// FoundationNetworking delivers interim responses (RFC 9110, section 15.2) as if they were the final one.
extension URLResponse {
  /// The response, if it is an interim one. A 101 is final: the connection no longer speaks HTTP.
  var asInformation: HTTPURLResponse? {
    guard let response = self as? HTTPURLResponse else { return nil }
    return (100..<200).contains(response.statusCode) && response.statusCode != 101 ? response : nil
  }
}

extension FoundationNetworking.URLSessionTask {
  /// The final response, once it has arrived.
  var answer: URLResponse? { response?.asInformation == nil ? response : nil }
}
