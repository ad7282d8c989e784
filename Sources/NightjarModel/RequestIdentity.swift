/// What a request is known by: a later one under the same key that is known by all of the same repeats it. One that is
/// not is another request, under a key that is in use.
public struct RequestIdentity: Hashable, Sendable {
  /// The key that both carry.
  public var key: RequestKey
  /// Who asks.
  public var app: AppID
  /// The session that it is queued in; nil for none.
  public var session: String?
  /// Its identifier within the session; 0 without one.
  public var task: Int
  /// What it requests, without a name and a password.
  public var url: String
  /// Where the file of a request that no session queued goes, or comes from; nil for a session's.
  public var file: String?

  /// A task of an app's session.
  public init(key: RequestKey, app: AppID, session: String, task: Int, url: String) {
    (self.key, self.app, self.session, self.task) = (key, app, session, task)
    self.url = url.withoutCredentials
  }

  /// A transfer to or from a file that no session queued.
  public init(key: RequestKey, url: String, file: String?) {
    (self.key, app, task, self.file) = (key, .commandLine, 0, file)
    self.url = url.withoutCredentials
  }
}

extension TransferRequest {
  /// What it is known by.
  public var identity: RequestIdentity {
    if let session { return RequestIdentity(key: key, app: app, session: session, task: task, url: url) }
    if case .upload(let path, _) = direction { return RequestIdentity(key: key, url: url, file: path) }
    return RequestIdentity(key: key, url: url, file: destination?.path)
  }

  /// Whether another request repeats this one. A task that was put off may have been given another URL since.
  public func isRepeated(by other: RequestIdentity) -> Bool {
    var other = other
    if session != nil, options.earliestBegin != nil { other.url = identity.url }
    return other == identity
  }
}
