import FoundationEssentials
import Glibc
import NightjarCore
import NightjarModel
import NightjarWire
import Varlink

extension AppInterface.NewTask {
  /// The request that an app's message stands for.
  func request(app: AppID, session: String) throws(VarlinkError) -> TransferRequest {
    guard let key = RequestKey(key) else { throw invalid("key", "not 32 hexadecimal digits") }
    var request = TransferRequest(
      key: key, app: app, session: session, task: Int(clamping: task), method: method, url: url,
      headers: headers.map { HTTPField($0.name, $0.value) }, label: label ?? "", priority: Float(priority ?? 0.5))
    if direction == .upload { request.direction = try source(file) }
    if let body { request.body = try bytes(body) }
    if let requestTimeoutMs { request.requestTimeout = .milliseconds(requestTimeoutMs) }
    if let resourceTimeoutMs { request.resourceTimeout = .milliseconds(resourceTimeoutMs) }
    if let options { request.options = try options.options(else: invalid) }
    try request.checkOptions(else: invalid)
    return request
  }

  /// The token of what the task is to go on with.
  func remnantKey() throws(VarlinkError) -> RequestKey? {
    guard let remnant else { return nil }
    guard let key = RequestKey(remnant) else { throw invalid("remnant", "not 32 hexadecimal digits") }
    return key
  }

  private func source(_ path: String?) throws(VarlinkError) -> TransferRequest.Direction {
    guard let path else { throw invalid("file", "an upload names the file it sends") }
    return try .upload(path, else: invalid)
  }

  private func bytes(_ base64: String) throws(VarlinkError) -> [UInt8] {
    guard let data = Data(base64Encoded: base64) else { throw invalid("body", "not base64") }
    return Array(data)
  }

  private func invalid(_ field: String, _ reason: String) -> VarlinkError { invalidTask(field, reason) }
}

func invalidTask(_ field: String, _ reason: String) -> VarlinkError {
  AppInterface.InvalidRequest(field: field, reason: reason).varlink
}

extension TaskChanges {
  /// The changes that an app's message stands for.
  init(_ parameters: AppInterface.UpdateTask.Parameters) {
    self.init()
    (label, priority) = (parameters.label, parameters.priority.map { Float($0) })
    earliestBegin = parameters.earliestBegin.map(Timestamp.init(nanoseconds:))
    (bytesExpectedToSend, bytesExpectedToReceive) = (parameters.expectedToSend, parameters.expectedToReceive)
  }
}

extension ControlInterface.Download.Parameters {
  /// The request for a download that the daemon delivers itself.
  func request() throws(VarlinkError) -> TransferRequest {
    guard let key = RequestKey(key) else { throw invalidOrder("key", "not 32 hexadecimal digits") }
    guard destination.hasPrefix("/"), !destination.hasSuffix("/") else {
      throw invalidOrder("destination", "'\(destination)' is not the absolute path of a file")
    }
    var request = TransferRequest(
      key: key, app: .commandLine, url: url, headers: headers.map { HTTPField($0.name, $0.value) },
      destination: Destination(path: destination, overwrites: overwrite))
    if let options { request.options = try options.options(else: invalidOrder) }
    if let priority { request.priority = Float(priority) }
    return request
  }
}

extension ControlInterface.Upload.Parameters {
  /// The request for an upload of no app's.
  func request() throws(VarlinkError) -> TransferRequest {
    guard let key = RequestKey(key) else { throw invalidOrder("key", "not 32 hexadecimal digits") }
    var request = TransferRequest(
      key: key, app: .commandLine, direction: try .upload(file, else: invalidOrder), method: method, url: url,
      headers: headers.map { HTTPField($0.name, $0.value) })
    if let options { request.options = try options.options(else: invalidOrder) }
    if let priority { request.priority = Float(priority) }
    try request.checkOptions(else: invalidOrder)
    return request
  }
}

extension TransferRequest {
  /// Refuses options that would be silently ignored.
  fileprivate func checkOptions(
    else refuse: (_ field: String, _ reason: String) -> VarlinkError
  ) throws(VarlinkError) {
    guard options.checksum == nil || direction == .download else {
      throw refuse("options.checksum", "a checksum verifies what is downloaded; this is an upload")
    }
  }
}

func invalidOrder(_ field: String, _ reason: String) -> VarlinkError {
  ControlInterface.InvalidRequest(field: field, reason: reason).varlink
}

extension TransferRequest.Direction {
  /// An upload of the regular file at a path, as it is now.
  fileprivate static func upload(
    _ path: String, else refuse: (_ field: String, _ reason: String) -> VarlinkError
  ) throws(VarlinkError) -> Self {
    guard path.hasPrefix("/") else { throw refuse("file", "'\(path)' is not an absolute path") }
    var status = stat()
    guard stat(path, &status) == 0 else { throw refuse("file", "'\(path)': \(String(cString: strerror(errno)))") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refuse("file", "'\(path)' is not a regular file") }
    let time = status.st_mtim
    let modified = Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)).nanoseconds
    return .upload(
      path: path, stamp: FileStamp(size: Int64(status.st_size), modified: modified, inode: UInt64(status.st_ino)))
  }
}
