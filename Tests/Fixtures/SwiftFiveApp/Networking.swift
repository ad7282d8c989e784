// The networking idioms of iOS apps in Swift 5: an API client, its abstraction for tests, a download manager with
// progress, an uploader. Compiled as it stands and run by the tests.

import Foundation
import Nightjar

public protocol URLSessionProtocol {
  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
  ) -> URLSessionDataTask
}

extension URLSession: URLSessionProtocol {}

public enum APIError: Error {
  case transport(URLError), status(Int), empty
}

public final class APIClient {
  private let session: URLSessionProtocol
  private let base: URL

  public init(base: URL, session: URLSessionProtocol = URLSession.shared) {
    self.base = base
    self.session = session
  }

  public func load(_ path: String, completion: @escaping @Sendable (Result<Data, APIError>) -> Void) {
    var request = URLRequest(url: base.appendingPathComponent(path), cachePolicy: .reloadIgnoringLocalCacheData)
    request.addValue("application/json", forHTTPHeaderField: "Accept")
    let task = session.dataTask(with: request) { data, response, error in
      if let error = error as? URLError { return completion(.failure(.transport(error))) }
      guard let response = response as? HTTPURLResponse, (200..<300).contains(response.statusCode) else {
        return completion(.failure(.status((response as? HTTPURLResponse)?.statusCode ?? 0)))
      }
      completion(data.map { .success($0) } ?? .failure(.empty))
    }
    task.resume()
  }
}

public class TransferManager: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  public private(set) var finished: [Int: URL] = [:]
  public private(set) var errors: [Int: Error] = [:]
  public private(set) var fractions: [Double] = []
  public var allDone: (() -> Void)?
  public private(set) var ends: [Int] = []
  public private(set) var shares: [Int: Double] = [:]
  private var observations: [Int: NSKeyValueObservation] = [:]
  private var watches: [Int: [NSKeyValueObservation]] = [:]
  private var buffers: [Int: Data] = [:]

  public lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.default
    configuration.waitsForConnectivity = true
    configuration.allowsExpensiveNetworkAccess = true
    configuration.allowsConstrainedNetworkAccess = true
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    configuration.multipathServiceType = .none
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
    configuration.httpAdditionalHeaders = ["User-Agent": "Films/1.0"]
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  @discardableResult
  public func download(_ url: URL) -> URLSessionDownloadTask {
    let task = session.downloadTask(with: url)
    task.priority = URLSessionTask.highPriority
    task.taskDescription = url.lastPathComponent
    observations[task.taskIdentifier] = task.progress.observe(\.fractionCompleted) { [weak self] progress, _ in
      self?.fractions.append(progress.fractionCompleted)
    }
    watches[task.taskIdentifier] = [
      task.observe(\.state, options: [.old, .new]) { [weak self] task, change in
        guard change.newValue == .completed, change.oldValue != .completed else { return }
        self?.ends.append(task.taskIdentifier)
      },
      task.observe(\.countOfBytesReceived, changeHandler: took(task:change:)),
    ]
    task.resume()
    return task
  }

  private func took(task: URLSessionDownloadTask, change: NSKeyValueObservedChange<Int64>) {
    let expected = task.response?.expectedContentLength ?? task.countOfBytesExpectedToReceive
    if expected > 0 { shares[task.taskIdentifier] = Double(task.countOfBytesReceived) / Double(expected) }
  }

  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    do {
      try FileManager.default.moveItem(at: location, to: target)
      finished[downloadTask.taskIdentifier] = target
    } catch {
      errors[downloadTask.taskIdentifier] = error
    }
  }

  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    buffers[dataTask.taskIdentifier, default: Data()].append(data)
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(request) }

  public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {
    for transaction in metrics.transactionMetrics where transaction.resourceFetchType == .networkLoad {
      print(transaction.request.url?.host ?? "", transaction.networkProtocolName ?? "")
    }
  }

  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    observations.removeValue(forKey: task.taskIdentifier)?.invalidate()
    watches.removeValue(forKey: task.taskIdentifier)?.forEach { $0.invalidate() }
    if let error = error as NSError?, error.code != NSURLErrorCancelled { errors[task.taskIdentifier] = error }
    if let reason = (error as NSError?)?.userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int {
      print(reason == NSURLErrorCancelledReasonUserForceQuitApplication)
    }
    session.getAllTasks { tasks in
      if tasks.allSatisfy({ $0.state == .completed }) { DispatchQueue.main.async { self.allDone?() } }
    }
  }
}

public class BackgroundUploader: NSObject, URLSessionDataDelegate {
  public lazy var session = URLSession(
    configuration: .background(withIdentifier: "com.example.uploads"), delegate: self, delegateQueue: nil)

  public func send(_ data: Data, to url: URL) {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    let task = session.uploadTask(with: request, from: data)
    task.countOfBytesClientExpectsToSend = Int64(data.count)
    task.earliestBeginDate = Date(timeIntervalSinceNow: 1)
    task.resume()
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) { completionHandler(task.originalRequest?.httpBodyStream) }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) { completionHandler(.continueLoading, nil) }
}

public class SignIn: NSObject, URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let space = challenge.protectionSpace
    switch space.authenticationMethod {
    case NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
      guard challenge.previousFailureCount == 0, space.protocol == NSURLProtectionSpaceHTTPS else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      completionHandler(.useCredential, URLCredential(user: "anna", password: "open sesame", persistence: .forSession))
    case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodHTMLForm,
      NSURLAuthenticationMethodClientCertificate:
      completionHandler(.rejectProtectionSpace, nil)
    case NSURLAuthenticationMethodServerTrust:
      guard let trust = space.serverTrust else { return completionHandler(.performDefaultHandling, nil) }
      var result = SecTrustResultType.invalid
      guard SecTrustEvaluate(trust, &result) == errSecSuccess, result == .unspecified || result == .proceed else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      completionHandler(.useCredential, URLCredential(trust: trust))
    default:
      completionHandler(.performDefaultHandling, nil)
    }
  }
}

public func pause(_ milliseconds: UInt64) -> UInt64 { milliseconds * NSEC_PER_MSEC / NSEC_PER_SEC }
