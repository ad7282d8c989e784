// The networking idioms of new iOS apps in Swift 6: actors, async forms, sequences of bytes, delegates that answer in
// their own time. Compiled as it stands and run by the tests.

import Foundation
import Nightjar

public protocol Networking: Sendable {
  func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse)
}

extension URLSession: Networking {}

/// The same in the shape that most apps give it.
public protocol PlainNetworking: Sendable {
  func data(for request: URLRequest) async throws -> (Data, URLResponse)
  func data(from url: URL) async throws -> (Data, URLResponse)
  func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse)
  func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse)
  func upload(resumeFrom resumeData: Data) async throws -> (Data, URLResponse)
  func download(for request: URLRequest) async throws -> (URL, URLResponse)
  func download(from url: URL) async throws -> (URL, URLResponse)
  func download(resumeFrom resumeData: Data) async throws -> (URL, URLResponse)
  func bytes(for request: URLRequest) async throws -> (URLSession.AsyncBytes, URLResponse)
  func bytes(from url: URL) async throws -> (URLSession.AsyncBytes, URLResponse)
}

extension URLSession: PlainNetworking {}

public actor FilmService {
  private let network: any Networking
  private let session: URLSession
  private let base: URL

  public init(base: URL, session: URLSession = .shared) {
    (self.base, self.session, network) = (base, session, session)
  }

  public func titles() async throws -> [String] {
    let (data, response) = try await network.data(for: URLRequest(url: base.appending(path: "titles")), delegate: nil)
    guard let http = response as? HTTPURLResponse, http.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode([String].self, from: data)
  }

  public func lines() async throws -> [String] {
    let (bytes, _) = try await session.bytes(from: base.appending(path: "lines"))
    return try await bytes.lines.reduce(into: []) { $0.append($1) }
  }

  public func size(of path: String) async throws -> Int {
    let network: any PlainNetworking = session
    let url = base.appending(path: path)
    let (data, _) = try await network.data(from: url)
    let (bytes, _) = try await network.bytes(for: URLRequest(url: url))
    return try await data.count + bytes.reduce(0) { count, _ in count + 1 }
  }

  public func fetch(_ path: String) async throws -> Int {
    let (file, _) = try await session.download(from: base.appending(path: path), delegate: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    return try Data(contentsOf: file).count
  }

  public func both(_ paths: [String]) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for path in paths { group.addTask { try await self.fetch(path) } }
      var sum = 0
      for try await count in group { sum += count }
      return sum
    }
  }
}

public final class CarefulDelegate: NSObject, URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest
  ) async -> URLRequest? { request.url?.scheme == "http" ? nil : request }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
  ) async -> URLSession.ResponseDisposition { .allow }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
  ) async -> CachedURLResponse? { nil }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
  ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    let space = challenge.protectionSpace
    guard space.proxyType != NSURLProtectionSpaceHTTPProxy, space.proxyType != NSURLProtectionSpaceHTTPSProxy else {
      return (.cancelAuthenticationChallenge, nil)
    }
    switch space.authenticationMethod {
    case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
      return (.useCredential, URLCredential(user: "anna", password: "open sesame", persistence: .forSession))
    case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate:
      return (.performDefaultHandling, nil)
    default: return (.rejectProtectionSpace, nil)
    }
  }
}

@MainActor
public final class DownloadModel {
  public private(set) var fraction = 0.0
  public private(set) var hasEnded = false
  private var observation: NSKeyValueObservation?
  private var stateObservation: NSKeyValueObservation?
  private var watching: Task<Void, Never>?

  public init() {}

  public func watchTheApp() {
    watching = Task { [weak self] in
      for await _ in NotificationCenter.default.notifications(named: UIApplication.didEnterBackgroundNotification) {
        self?.fraction = 0
      }
    }
  }

  public func watch(_ task: URLSessionTask) {
    observation = task.progress.observe(\.fractionCompleted, options: [.initial, .new]) { progress, _ in
      let fraction = progress.fractionCompleted
      Task { @MainActor in self.fraction = fraction }
    }
    stateObservation = task.observe(\.state) { [weak self] task, _ in
      guard task.state == .completed else { return }
      Task { @MainActor [weak self] in self?.hasEnded = true }
    }
  }
}
