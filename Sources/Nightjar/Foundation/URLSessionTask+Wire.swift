import Foundation
import FoundationNetworking
import NightjarModel
import NightjarWire
import Synchronization

// A task on its way to the daemon, and back in a later life of the app.
extension URLSessionTask {
  /// What the daemon is asked to do.
  func order(key: RequestKey) -> AppInterface.NewTask {
    let (label, priority) = facts.withLock { ($0.label, $0.priority) }
    let settings = session.ownSettings
    let (headers, added) = headers(of: originalRequest)
    var order = AppInterface.NewTask(
      key: key.description, task: Int64(taskIdentifier), direction: kind.direction,
      method: originalRequest?.httpMethod ?? "GET", url: originalRequest?.url?.absoluteString ?? "",
      headers: headers, label: label, priority: Double(priority),
      requestTimeoutMs: Self.milliseconds(requestTimeout(settings)),
      resourceTimeoutMs: Self.milliseconds(settings.timeoutIntervalForResource))
    switch kind {
    case .download, .data: order.body = originalRequest?.httpBody?.base64EncodedString()
    case .upload(let file): order.file = file
    }
    order.options = options(settings, added)
    order.remnant = facts.withLock { $0.remnant?.token }
    return order
  }

  private func options(_ settings: URLSessionConfiguration, _ added: [String]?) -> WireOptions? {
    var options = WireOptions()
    options.sessionFields = added
    if settings.isDiscretionary { options.discretionary = true }
    if kind == .data { options.showsAnswer = true }
    if !settings.allowsCellularAccess || originalRequest?.allowsCellularAccess == false {
      options.allowsCellular = false
    }
    let request = originalRequest
    if !settings.allowsExpensiveNetworkAccess || request?.allowsExpensiveNetworkAccess == false {
      options.allowsExpensive = false
    }
    if !settings.allowsConstrainedNetworkAccess || request?.allowsConstrainedNetworkAccess == false {
      options.allowsConstrained = false
    }
    if settings.httpMaximumConnectionsPerHost != 6 {
      options.connectionsPerHostMax = Int64(max(settings.httpMaximumConnectionsPerHost, 1))
    }
    options.proxies = WireProxies(settings.connectionProxyDictionary)
    let oldest = settings.tlsMinimumSupportedProtocolVersion
    if oldest != .TLSv12 { options.tlsMinimum = oldest.wireName }
    facts.withLock { options.take($0) }
    return options == WireOptions() ? nil : options
  }

  /// Why the request cannot be handed over; nil if it can.
  var misfit: SessionFailure? {
    if let trouble = facts.withLock({ $0.trouble }) { return trouble }
    if headBytes > LinkLimits.headBytesMax {
      let what = "the URL, the header fields and the description are longer than 256 KiB"
      return SessionFailure(.dataLengthExceedsMaximum, what)
    }
    return kind == .download || kind == .data ? bodyMisfit : nil
  }

  /// Why the body of a download's request cannot be handed over; nil if it can.
  private var bodyMisfit: SessionFailure? {
    if originalRequest?.httpBodyStream != nil {
      let what = "a background download's body cannot be a stream: use httpBody, or uploadTask(withStreamedRequest:)"
      return SessionFailure(.requestBodyStreamExhausted, what)
    }
    guard originalRequest?.httpBody?.count ?? 0 > LinkLimits.bodyBytesMax else { return nil }
    return SessionFailure(.dataLengthExceedsMaximum, "the body of a download's request is larger than 1 MiB")
  }

  private var headBytes: Int {
    let others = (originalRequest?.url?.absoluteString.utf8.count ?? 0) + (taskDescription?.utf8.count ?? 0)
    return (originalRequest?.allHTTPHeaderFields ?? [:]).reduce(others) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// What is sent instead of the original request.
  func replacement(by request: URLRequest) -> AppInterface.NewRequest {
    let (headers, added) = headers(of: request)
    return AppInterface.NewRequest(
      method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "", headers: headers,
      sessionFields: added, body: body(replacedBy: request))
  }

  /// The body that a new request brings, in base64; nil for the one that the daemon has. That of an upload is its file.
  /// A task of an earlier life does not know its own, so a request of the same method without one leaves it as it is.
  private func body(replacedBy request: URLRequest) -> String? {
    if case .upload = kind { return nil }
    if let body = request.httpBody { return body.base64EncodedString() }
    let isUnknown = originalRequest?.httpBody == nil && originalRequest?.httpMethod == request.httpMethod
    return isUnknown ? nil : ""
  }

  /// The request's own fields, and those of the session that it does not set; with the names of the latter, if there
  /// are any.
  private func headers(of request: URLRequest?) -> (whole: [WireHeader], added: [String]?) {
    guard let own = request?.withoutWishes else { return ([], nil) }
    let settings = session.ownSettings
    let whole = settings.addingCookies(to: own.adding(settings.httpAdditionalHeaders))
    let fields = (whole.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let added = fields.map(\.key).filter { own.value(forHTTPHeaderField: $0) == nil }
    return (fields.map { WireHeader(name: $0.key, value: $0.value) }, added.isEmpty ? nil : added)
  }

  private func requestTimeout(_ settings: URLSessionConfiguration) -> TimeInterval {
    guard let own = originalRequest?.timeoutInterval, own != 60, own > 0 else {
      return settings.timeoutIntervalForRequest
    }
    return own
  }

  /// What is no number sets no bound.
  private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
    Int64(seconds.isNaN ? 1e12 : min(max(seconds, 0.001), 1e9) * 1000)
  }

  /// A task that an earlier life asked for and the daemon has not accepted.
  static func restored(_ task: AppInterface.NewTask, in session: URLSession) -> URLSessionTask {
    var facts = TaskFacts()
    (facts.stage, facts.hasBegun, facts.state, facts.suspensions) = (.asked, true, .running, 0)
    (facts.label, facts.priority) = (task.label, Float(task.priority ?? 0.5))
    facts.take(task.options)
    let body = task.body.flatMap { Data(base64Encoded: $0) }
    let request = request(task.url, task.method, task.headers, task.options, body: body)
    return restored(Int(task.task), in: session, request, kind(task.direction, task.file, task.options), facts)
  }

  /// A task of an earlier life as the daemon lists it.
  static func restored(_ task: AppInterface.Task, in session: URLSession) -> URLSessionTask {
    var facts = TaskFacts()
    (facts.stage, facts.hasBegun) = (.accepted, true)
    (facts.label, facts.priority) = (task.label.isEmpty ? nil : task.label, Float(task.priority))
    (facts.state, facts.suspensions) = task.state == .suspended ? (.suspended, 1) : (.running, 0)
    facts.take(task.options)
    let request = request(task.url, task.method, task.headers, task.options, body: nil)
    let restored = restored(Int(task.task), in: session, request, kind(task.direction, task.file, task.options), facts)
    if task.state != .ended {
      restored.begin(at: task.count, of: task.expected)
      restored.learn(task.response)
    }
    return restored
  }

  /// Takes the figures of an earlier life. Nobody can observe the progress yet.
  private func begin(at count: Int64, of expected: Int64?) {
    let (_, bytes) = facts.withLock { $0.take(count, of: expected, for: kind) }
    progress.totalUnitCount = bytes.expected
    progress.completedUnitCount = bytes.count
  }

  private static func kind(_ direction: WireDirection, _ file: String?, _ options: WireOptions?) -> TaskKind {
    switch direction {
    case .download: options?.showsAnswer == true ? .data : .download
    case .upload: .upload(file: file ?? "")
    }
  }

  private static func restored(
    _ number: Int, in session: URLSession, _ request: URLRequest, _ kind: TaskKind, _ facts: TaskFacts
  ) -> URLSessionTask {
    switch kind {
    case .download:
      URLSessionDownloadTask(session: session, identifier: number, request: request, kind: kind, facts: facts)
    case .data: URLSessionDataTask(session: session, identifier: number, request: request, kind: kind, facts: facts)
    case .upload: URLSessionUploadTask(session: session, identifier: number, request: request, kind: kind, facts: facts)
    }
  }

  /// The request that the app gave: what its session added then is left to the session of now.
  private static func request(
    _ url: String, _ method: String, _ headers: [WireHeader], _ options: WireOptions?, body: Data?
  ) -> URLRequest {
    var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
    request.httpMethod = method
    let added = Set(options?.sessionFields ?? [])
    for header in headers where !added.contains(header.name) {
      request.addValue(header.value, forHTTPHeaderField: header.name)
    }
    request.httpBody = body
    request.allowsCellularAccess = options?.allowsCellular ?? true
    request.allowsExpensiveNetworkAccess = options?.allowsExpensive ?? true
    request.allowsConstrainedNetworkAccess = options?.allowsConstrained ?? true
    return request
  }
}

extension WireOptions {
  /// What the app said of one task.
  fileprivate mutating func take(_ facts: TaskFacts) {
    earliestBegin = facts.earliestBeginDate.flatMap { $0.nanosecondsSince1970 }
    if facts.guessToSend >= 0 { expectedToSend = facts.guessToSend }
    if facts.guessToReceive >= 0 { expectedToReceive = facts.guessToReceive }
  }
}

extension TaskFacts {
  /// Takes up what an earlier life of the app said of one task.
  fileprivate mutating func take(_ options: WireOptions?) {
    earliestBeginDate = options?.earliestBegin.map(Date.init(nanoseconds:))
    guessToSend = options?.expectedToSend ?? guessToSend
    guessToReceive = options?.expectedToReceive ?? guessToReceive
  }
}

extension Date {
  /// Rounded to what a date can tell apart; dates beyond the year 2255 stand for that year. Nil for what is no number.
  var nanosecondsSince1970: Int64? {
    let seconds = timeIntervalSince1970
    return seconds.isNaN ? nil : Int64(min(max(seconds, -9e9), 9e9) * 1e6) * 1000
  }
}
