import Foundation
import NightjarModel
import NightjarWire

/// The reason why a task or a session failed, before it becomes a `URLError`.
struct SessionFailure: Error, Hashable, Sendable {
  let code: URLError.Code
  let detail: String
  /// The daemon's code for the failure, which is finer than Apple's.
  var cause: String?
  /// The kind of a network that was available but must not be used.
  var network: FailureMessage.Network?

  init(_ code: URLError.Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

  /// The failure of a transfer, as the daemon reports it.
  init(_ message: FailureMessage) {
    let code = TransferFailure.Code(rawValue: message.code)
    self.init(code.map(URLError.Code.init) ?? .unknown, message.detail)
    (cause, network) = (message.code, message.network)
  }

  /// The failure of a task that the daemon refused.
  init(_ refusal: Refusal) {
    switch refusal {
    case .notAttached, .sessionNotOpen, .noSuchTask, .sessionHasTasks:
      self.init(.backgroundSessionWasDisconnected, "the daemon no longer has the session or the task")
    case .sessionInUse(let pid): self.init(.backgroundSessionInUseByAnotherProcess, "process \(pid) has the session")
    case .invalidRequest("url", let reason): self.init(.badURL, reason)
    case .invalidRequest("file", let reason): self.init(.cannotOpenFile, reason)
    case .invalidRequest("remnant", let reason):
      self.init(.cannotDecodeRawData, "The resume data cannot be used: \(reason)")
    // Apple has no code for the rest of a request's head. This is the one for what cannot be sent as it is written.
    case .invalidRequest("method", let reason), .invalidRequest("headers", let reason): self.init(.badURL, reason)
    case .invalidRequest(let field, let reason): self.init(.unknown, "\(field): \(reason)")
    case .limitReached(let what, let limit):
      self.init(.resourceUnavailable, "the limit of \(limit) \(what) is reached; try again when some have ended")
    case .notDeclared: self.init(.unknown, refusal.complaint)
    case .noServer(let advice): self.init(.cannotConnectToHost, advice)
    case .other(let name): self.init(.unknown, "the daemon answered \(name)")
    }
  }

  /// The error for a delegate, with the failing URL if there is one, and with the certificates if they are at fault.
  func error(for url: URL?, resumeData: Data? = nil, isUpload: Bool = false, trust: SecTrust? = nil) -> URLError {
    var information: [String: Any] = [NSLocalizedDescriptionKey: detail]
    information[NSURLErrorFailingURLErrorKey] = url
    information[isUpload ? NSURLSessionUploadTaskResumeData : NSURLSessionDownloadTaskResumeData] = resumeData
    information["NSErrorFailingURLStringKey"] = url?.absoluteString
    if code.isOfCertificate { information[NSURLErrorFailingURLPeerTrustErrorKey] = trust }
    information[NSUnderlyingErrorKey] = cause.map {
      NSError(domain: "dev.nightjar.TransferFailure", code: 1, userInfo: [NSLocalizedDescriptionKey: $0])
    }
    if cause == TransferFailure.Code.cancelledByPerson.rawValue {
      let reason = URLError.BackgroundTaskCancelledReason.userForceQuitApplication
      information[NSURLErrorBackgroundTaskCancelledReasonKey] = reason.rawValue
    }
    information[NSURLErrorNetworkUnavailableReasonKey] = network.map { URLError.NetworkUnavailableReason($0).rawValue }
    return URLError(code, userInfo: information)
  }
}

extension URLError.Code {
  /// Whether it is about the server's certificate.
  fileprivate var isOfCertificate: Bool {
    [.serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid].contains(self)
  }
}

extension URLError.NetworkUnavailableReason {
  fileprivate init(_ network: FailureMessage.Network) {
    switch network {
    case .cellular: self = .cellular
    case .expensive: self = .expensive
    case .constrained: self = .constrained
    }
  }
}
