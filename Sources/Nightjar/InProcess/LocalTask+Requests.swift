import Foundation
import FoundationNetworking
import NightjarModel

// The requests of a task in this process: its own, and those that follow redirects and challenges.
extension LocalTask {
  /// The body of a request: none if a redirect has made a GET or HEAD of it. If the request's own stream has been used
  /// up, another one has to be asked for.
  func body(for request: URLRequest) -> LocalBody {
    guard let original = task.originalRequest else { return body }
    if request.isReading, !original.isReading { return .request }
    let isUsedUp = original.httpBodyStream != nil && request.httpBodyStream == nil && request.httpBody == nil
    if case .request = body, isUsedUp { return .stream }
    return body
  }

  /// Fails an upload of anything but a regular file that can be read. FoundationNetworking would wait for the bytes of
  /// a folder.
  mutating func checkFile() {
    guard trouble == nil, case .file(let file) = body else { return }
    trouble = file.unreadable
  }

  /// Notes a request that is about to be sent, and returns it as a request for the bytes that have not arrived.
  mutating func send(_ request: URLRequest) -> URLRequest {
    current = request.withoutStream
    return parting.request(request)
  }

  /// Fails a task whose request cannot be sent, by the rule of background sessions. FoundationNetworking would write a
  /// line break in a method or a field as it is, and the server would read another field or another request.
  mutating func mayBeSent(_ request: URLRequest) -> Bool {
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
    guard let fault = TransferRequest.faultInHead(method: request.httpMethod ?? "GET", headers: fields) else {
      return true
    }
    trouble = SessionFailure(Refusal.invalidRequest(field: fault.field, reason: fault.reason))
    return false
  }

  /// Notes a redirect for the metrics, before the next request is known.
  mutating func redirected(_ redirect: HTTPURLResponse, sent: Int64) {
    if let current { record.redirected(current, redirect, sent: sent) }
  }

  /// Filters a redirect; nil if the delegate is not told of it. One that leads nowhere, or one too many, ends the task.
  /// A 305 or 306 is not followed, and becomes the answer.
  mutating func siftRedirect(
    _ redirect: HTTPURLResponse, _ answer: @escaping @Sendable (URLRequest?) -> Void
  ) -> LocalEvent? {
    guard redirect.isFollowed else {
      if foreign?.answer == nil { answer(nil) }
      return nil
    }
    credentials.redirected()
    redirects += 1
    guard redirects <= LinkLimits.redirectsMax else {
      let what = "\(redirect.server): more than \(LinkLimits.redirectsMax) redirects"
      trouble = SessionFailure(.httpTooManyRedirects, what)
      return nil
    }
    guard var next = current?.following(redirect) else {
      trouble = redirect.nowhere
      return nil
    }
    if credentials.isProof { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return .redirected(redirect, next, answer)
  }
}

extension URL {
  /// Why a file cannot be sent; nil if it can.
  fileprivate var unreadable: SessionFailure? {
    guard isFileURL else { return SessionFailure(.fileDoesNotExist, "\(absoluteString) is not the URL of a file") }
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      let why = FileTrouble("read", path)
      return SessionFailure(why.isAbsence ? .fileDoesNotExist : .noPermissionsToReadFile, "\(why)")
    }
    guard status.st_mode & S_IFMT != S_IFREG else { return nil }
    return SessionFailure(.cannotOpenFile, "'\(path)' is not a regular file")
  }
}

extension HTTPURLResponse {
  /// Its server, as an error names it.
  fileprivate var server: String { url?.host ?? "the server" }

  /// The failure of a task whose redirect cannot be followed.
  var nowhere: SessionFailure { SessionFailure(.redirectToNonExistentLocation, "\(server) redirects to nowhere") }
}
