import Foundation
import FoundationNetworking

/// An answer that knows what its file is called, as Apple's does: by the server's word, or else as the URL's last path
/// component is, or else its host. FoundationNetworking's calls every file "Unknown" that the server does not name.
/// Unlike Apple's, no extension is made of the MIME type.
// Unchecked, like FoundationNetworking's own: nothing in it changes.
final class NamedResponse: HTTPURLResponse, @unchecked Sendable {
  override var suggestedFilename: String? {
    let given = super.suggestedFilename
    return given == "Unknown" ? url?.fileName ?? given : given
  }
}

extension URLResponse {
  /// The response as a `NamedResponse`; one of a protocol handler's own class is returned as it is.
  var named: URLResponse {
    guard type(of: self) == HTTPURLResponse.self, let own = self as? HTTPURLResponse, let url,
      let fields = own.allHeaderFields as? [String: String]
    else { return self }
    return NamedResponse(url: url, statusCode: own.statusCode, httpVersion: nil, headerFields: fields) ?? self
  }
}

extension URL {
  /// The last path component, or else the host, as a name for a file in one folder; nil if there is neither.
  fileprivate var fileName: String? {
    let names = [lastPathComponent, host ?? ""]
    guard let name = names.first(where: { !["", "/", ".", ".."].contains($0) }) else { return nil }
    let safe = name.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
    return String(String.UnicodeScalarView(safe))
  }
}
