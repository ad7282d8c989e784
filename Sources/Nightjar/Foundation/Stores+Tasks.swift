import Foundation
public import FoundationNetworking

// The stores' methods that take a task. FoundationNetworking has some of them, for its own tasks. A store here is not
// divided by tasks: what counts is the task's current request, or the protection space.

extension FoundationNetworking.URLCache {
  /// Stores a response for the current request of a task.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request.withoutWishes) }
  }

  /// Calls the handler with the response that is stored for the current request of a task, on another thread, since it
  /// may have to be read from the disk.
  public func getCachedResponse(
    for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    let request = dataTask.currentRequest?.withoutWishes
    DispatchQueue.global().async { completionHandler(request.flatMap { self.cachedResponse(for: $0) }) }
  }

  /// The same as `getCachedResponse(for:completionHandler:)`.
  public func cachedResponse(for dataTask: URLSessionDataTask) async -> CachedURLResponse? {
    await withCheckedContinuation { told in getCachedResponse(for: dataTask) { told.resume(returning: $0) } }
  }

  /// Removes the response that is stored for the current request of a task.
  public func removeCachedResponse(for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { removeCachedResponse(for: request.withoutWishes) }
  }
}

extension FoundationNetworking.HTTPCookieStorage {
  /// Stores cookies as if the server of a task's current request had set them, if the store's policy accepts them.
  public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
    let request = task.currentRequest
    setCookies(cookies, for: request?.url, mainDocumentURL: request?.mainDocumentURL)
  }

  /// Calls the handler, before this returns, with the cookies that are sent with the current request of a task.
  public func getCookiesFor(_ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void) {
    completionHandler(task.currentRequest?.url.map { fitting($0) })
  }

  /// The cookies that are sent with the current request of a task.
  public func cookies(for task: URLSessionTask) async -> [HTTPCookie]? { task.currentRequest?.url.map { fitting($0) } }
}

extension FoundationNetworking.URLCredentialStorage {
  /// Calls the handler, before this returns, with the credentials that are stored for a space, by their users.
  public func getCredentials(
    for protectionSpace: URLProtectionSpace, task: URLSessionTask,
    completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
  ) { completionHandler(credentials(for: known(protectionSpace))) }

  /// The credentials that are stored for a space, by their users.
  public func credentials(
    for protectionSpace: URLProtectionSpace, task: URLSessionTask
  ) async -> [String: URLCredential]? { credentials(for: known(protectionSpace)) }

  /// Stores a credential for a space.
  public func set(_ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask) {
    set(credential, for: known(protectionSpace))
  }

  /// Removes a credential of a space.
  public func remove(
    _ credential: URLCredential, for protectionSpace: URLProtectionSpace, options: [String: Any]? = [:],
    task: URLSessionTask
  ) { remove(credential, for: known(protectionSpace), options: options?.mapValues { $0 as AnyObject }) }

  /// Calls the handler, before this returns, with the default credential of a space.
  public func getDefaultCredential(
    for space: URLProtectionSpace, task: URLSessionTask,
    completionHandler: @escaping @Sendable (URLCredential?) -> Void
  ) { completionHandler(defaultCredential(for: known(space))) }

  /// The default credential of a space.
  public func defaultCredential(for space: URLProtectionSpace, task: URLSessionTask) async -> URLCredential? {
    defaultCredential(for: known(space))
  }

  /// Stores a credential as the default of a space.
  public func setDefaultCredential(
    _ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask
  ) { setDefaultCredential(credential, for: known(protectionSpace)) }
}
