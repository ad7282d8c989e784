public import Foundation
public import FoundationNetworking

extension URLSession {
  /// An upload of data, suspended.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    local(else: .uploadFromData).uploadTask(with: request, .data(bodyData), in: self, .delegate)
  }

  /// An upload of what a stream yields, suspended. The delegate is asked for the stream by `needNewBodyStream`.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    local(else: .uploadFromStream).uploadTask(with: request, .stream, in: self, .delegate)
  }
}
