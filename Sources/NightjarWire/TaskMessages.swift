import FoundationEssentials
import Glibc
package import NightjarModel

// Translates sessions and tasks between the protocol's types and the core's, for the daemon and NightjarTesting.

extension AppInterface.OpenSession.Parameters {
  /// Whether the app is launched into the background to be told.
  package var sendsLaunchEvents: Bool { options?.sendsLaunchEvents ?? true }
  /// What the session wants to be asked.
  package var asks: Asks { options?.asks.map(Asks.init) ?? .nothing }
  /// Whether the app has been told to handle the session's events, and has not finished.
  package var isHandling: Bool { options?.handlesEvents ?? false }
}

extension AppInterface.NewTask {
  /// The request of an app's message. Inspects the file to upload.
  ///
  /// - Throws: `InvalidRequest`, naming the field.
  package func request(app: AppID, session: String) throws(AppInterface.InvalidRequest) -> TransferRequest {
    var request = TransferRequest(
      key: try RequestKey(key, else: invalid), app: app, session: session, task: Int(clamping: task), method: method,
      url: url, headers: headers.map { HTTPField($0.name, $0.value) }, label: label ?? "",
      priority: Float(priority ?? 0.5))
    if direction == .upload { request.direction = try source(file) }
    if let destination { request.destination = try place(destination) }
    if let body { request.body = try bytes(body) }
    if let requestTimeoutMs { request.requestTimeout = .milliseconds(requestTimeoutMs) }
    if let resourceTimeoutMs { request.resourceTimeout = .milliseconds(resourceTimeoutMs) }
    if let options { request.options = try options.options(else: invalid) }
    try request.checkOptions(else: invalid)
    return request
  }

  /// The token of the remnant that the task resumes from.
  ///
  /// - Throws: `InvalidRequest` for a text that is no token.
  package func remnantKey() throws(AppInterface.InvalidRequest) -> RequestKey? {
    guard let remnant else { return nil }
    return try RequestKey(remnant, field: "remnant", else: invalid)
  }

  private func source(_ path: String?) throws(AppInterface.InvalidRequest) -> TransferRequest.Direction {
    guard let path else { throw invalid("file", "an upload names the file it sends") }
    return try .upload(path, else: invalid)
  }

  private func place(_ path: String) throws(AppInterface.InvalidRequest) -> Destination {
    guard direction == .download else { throw invalid("destination", "only a download brings a file to deliver") }
    return try Destination(path, overwrites: overwrite ?? false, else: invalid)
  }

  private func bytes(_ base64: String) throws(AppInterface.InvalidRequest) -> [UInt8] {
    guard let data = Data(base64Encoded: base64) else { throw invalid("body", "not base64") }
    return Array(data)
  }

  private func invalid(_ field: String, _ reason: String) -> AppInterface.InvalidRequest {
    AppInterface.InvalidRequest(field: field, reason: reason)
  }
}

extension RequestKey {
  /// The key that a field of a message has. `refuse` makes the interface's own error.
  package init<Complaint: Error>(
    _ text: String, field: String = "key", else refuse: (_ field: String, _ reason: String) -> Complaint
  ) throws(Complaint) {
    guard let key = RequestKey(text) else { throw refuse(field, "not 32 hexadecimal digits") }
    self = key
  }
}

extension TransferRequest.Direction {
  /// An upload of the regular file at a path, as it is now, if the path means the same file to the daemon as to the
  /// caller. `refuse` makes the interface's own error.
  package static func upload<Complaint: Error>(
    _ path: String, else refuse: (_ field: String, _ reason: String) -> Complaint
  ) throws(Complaint) -> Self {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw refuse("file", "'\(path)' is not an absolute path") }
    guard !path.leadsThroughProcesses else {
      throw refuse("file", "'\(path)' leads through /proc, where each process finds other files; name the file itself")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw refuse("file", "'\(path)': \(String(cString: strerror(errno)))") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refuse("file", "'\(path)' is not a regular file") }
    return .upload(path: path, stamp: FileStamp(status))
  }
}

extension FileStamp {
  /// The stamp of the file at a path; nil if there is none.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    let time = status.st_mtim
    let modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    self.init(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino))
  }
}

extension TransferRequest {
  /// The file that an upload sends.
  package var sourcePath: String? {
    if case .upload(let path, _) = direction { path } else { nil }
  }

  /// The direction of the bytes.
  package var wireDirection: WireDirection { sourcePath == nil ? .download : .upload }

  /// Refuses options that would be silently ignored. `refuse` makes the interface's own error.
  package func checkOptions<Complaint: Error>(
    else refuse: (_ field: String, _ reason: String) -> Complaint
  ) throws(Complaint) {
    guard options.checksum == nil || direction == .download else {
      throw refuse("options.checksum", "a checksum verifies what is downloaded; this is an upload")
    }
  }
}

extension TaskChanges {
  /// The changes of an app's message.
  package init(_ parameters: AppInterface.UpdateTask.Parameters) {
    self.init()
    (label, priority) = (parameters.label, parameters.priority.map { Float($0) })
    earliestBegin = parameters.earliestBegin.map(Timestamp.init(nanoseconds:))
    (bytesExpectedToSend, bytesExpectedToReceive) = (parameters.expectedToSend, parameters.expectedToReceive)
  }
}

extension AppInterface.Task {
  /// A task as its own app sees it.
  package init(
    _ request: TransferRequest, isSuspended: Bool, isEnded: Bool, count: Int64, expected: Int64?,
    response: NightjarModel.Response?
  ) {
    let state = isEnded ? State.ended : isSuspended ? .suspended : .running
    self.init(
      task: Int64(request.task), key: request.key.description, direction: request.wireDirection, method: request.method,
      url: request.url, headers: request.headers.map { WireHeader(name: $0.name, value: $0.value) },
      label: request.label, file: request.sourcePath, priority: Double(request.priority), state: state,
      count: count, expected: expected, options: WireOptions(request.options),
      response: response.map(AppInterface.Response.init), destination: request.destination?.path)
  }
}

extension AppInterface.Remnant {
  /// The remnant of a task as its app is told it.
  package init(_ remnant: Remnant) {
    self.init(token: remnant.key.description, offset: remnant.point.offset, length: remnant.point.length)
  }
}

extension AppInterface.Response {
  /// An answer as an app sees it.
  package init(_ response: Response) {
    self.init(
      url: response.url, status: Int64(response.status),
      headers: response.headers.map { WireHeader(name: $0.name, value: $0.value) })
  }
}

extension FailureMessage {
  /// A failure as programs and people are told it.
  package init(_ failure: TransferFailure) {
    self.init(
      code: failure.code.rawValue, detail: failure.detail,
      network: failure.forbidden.flatMap { Network(rawValue: $0.rawValue) })
  }
}
