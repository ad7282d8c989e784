public import Foundation
public import FoundationNetworking
import NightjarWire
import Synchronization

/// The user info key of the resume data in the error of a failed download, if it can be resumed.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// The user info key of the resume data in the error of a failed upload, if it can be resumed.
public let NSURLSessionUploadTaskResumeData = "NSURLSessionUploadTaskResumeData"

extension URLError {
  /// The data for ``URLSession/downloadTask(withResumeData:)``; nil if nothing is left of the download.
  public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }
  /// The data for ``URLSession/uploadTask(withResumeData:)``; nil if the server keeps nothing of the upload.
  public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }
}

extension URLSessionDownloadTask {
  /// Cancels the task, and calls the handler on the delegate queue with the data to resume it. The data is nil if the
  /// task cannot be resumed, because no byte has arrived, or the server has given no validator of the file. A task that
  /// was made with resume data and never resumed hands over that data again.
  ///
  /// The daemon keeps the bytes for 30 days, over relaunches of the app and restarts of the machine. The data can be
  /// used once, by the same app. The delegate is also told of `URLError.cancelled`.
  ///
  /// Of the request's header fields the data leaves out `Authorization`, `Proxy-Authorization` and `Cookie`. All others
  /// are in it, keys and tokens, too: keep the data of such a request like a password.
  ///
  /// A session in the app's own process keeps the bytes in the temporary folder, synced, until they are used, the
  /// folder is emptied or 31 days have passed. The request must be a GET without a range of its own.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancelKeeping(completionHandler)
  }

  /// The same as `cancel(byProducingResumeData:)`.
  public func cancelByProducingResumeData() async -> Data? { await cancelKeeping() }
}

extension URLSessionUploadTask {
  /// Cancels the task, and calls the handler on the delegate queue with the data to resume it. The data is nil if the
  /// server does not support resumable uploads, or has not yet said so, and always in a session of the app's own
  /// process. A background session's task that was made with resume data and never resumed hands that data over again.
  ///
  /// The daemon keeps the upload's URL for 30 days, over relaunches of the app and restarts of the machine; the server
  /// may discard the upload sooner. The file must not change; for an upload from data or a stream its copy is kept. The
  /// data can be used once, by the same app. The delegate is also told of `URLError.cancelled`.
  ///
  /// Of the request's header fields the data leaves out `Authorization`, `Proxy-Authorization` and `Cookie`. All others
  /// are in it, keys and tokens, too: keep the data of such a request like a password.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancelKeeping(completionHandler)
  }

  /// The same as `cancel(byProducingResumeData:)`.
  public func cancelByProducingResumeData() async -> Data? { await cancelKeeping() }
}

extension URLSessionTask {
  fileprivate func cancelKeeping(_ then: @escaping @Sendable (Data?) -> Void) {
    session.carrier.cancelKeeping(self) { [session] data in session.delegateQueue.addCall { then(data) } }
  }

  fileprivate func cancelKeeping() async -> Data? {
    await withCheckedContinuation { told in session.carrier.cancelKeeping(self) { told.resume(returning: $0) } }
  }
}

extension URLSession {
  /// Creates a download that resumes an earlier one, suspended.
  ///
  /// If the daemon no longer has the bytes (because they were used, or are older than 30 days), or if the file has
  /// changed on the server, the download starts at the first byte. With data that cannot be used, or that was given to
  /// another app, the task fails with the reason once it is resumed. The request is made without the name and password
  /// of its URL and without its `Authorization`, `Proxy-Authorization` and `Cookie`, which are not in the data: the
  /// session's credentials apply, and the delegate receives the server's challenge. Other fields are in the data, keys
  /// and tokens, too.
  ///
  /// The bytes of a background session's download are kept by the daemon, those of another session in the app's
  /// temporary folder. With data of the other kind, the download starts at the first byte, and a message is printed to
  /// standard error.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    let read = ResumeData.read(resumeData, ofUpload: false, under: seal)
    switch home {
    case .process(let local): return local.downloadTask(resuming: heeding(read), in: self, .delegate)
    case .daemon(let link): return link.resuming(heeding(read), .download, in: self, URLSessionDownloadTask.init)
    }
  }

  /// Creates an upload that resumes an earlier one, suspended: the server is asked what it has, and sent the rest.
  ///
  /// If the server no longer has anything, or the daemon no longer knows the upload (because the data was used, or is
  /// older than 30 days), the upload starts at the first byte. If the file has changed, or if the data cannot be used
  /// or was given to another app, the task fails with the reason once it is resumed. The request is made without the
  /// name and password of its URL and without its `Authorization`, `Proxy-Authorization` and `Cookie`, which are not in
  /// the data: the session's credentials apply, and the delegate receives the server's challenge. Other fields are in
  /// the data, keys and tokens, too.
  public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
    let read = ResumeData.read(resumeData, ofUpload: true, under: seal)
    switch home {
    case .process(let local): return local.uploadTask(resuming: heeding(read), in: self, .delegate)
    case .daemon(let link):
      let file = (try? read.get().file) ?? ""
      return link.resuming(read, .upload(file: file), in: self, URLSessionUploadTask.init)
    }
  }

  /// Creates a download that resumes an earlier one, suspended; the file is removed when the handler has returned. In a
  /// background session this ends the process.
  public func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    local(else: .completionHandler).downloadTask(
      resuming: heeding(ResumeData.read(resumeData, ofUpload: false, under: seal)), in: self,
      .file(keepsFile: false, completionHandler))
  }

  /// Creates an upload with the resume data of a background session, suspended; the handler receives the whole
  /// response. A session in the app's own process sends the file from its first byte. In a background session this ends
  /// the process.
  public func uploadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    local(else: .completionHandler).uploadTask(
      resuming: heeding(ResumeData.read(resumeData, ofUpload: true, under: seal)), in: self, .data(completionHandler))
  }

  /// Warns if resume data is of the other kind of session, whose bytes are out of reach.
  func heeding(_ read: Result<ResumeData, SessionFailure>) -> Result<ResumeData, SessionFailure> {
    guard let data = try? read.get() else { return read }
    let isLocal = data.point != nil
    guard isLocal != identifier.isEmpty else { return read }
    let owner = isLocal ? "a session in the app's own process" : "a background session"
    Console.warn("this resume data is that of \(owner), whose bytes are out of reach here: the transfer begins anew")
    return read
  }
}

extension Link {
  fileprivate func resuming<Task: URLSessionTask>(
    _ read: Result<ResumeData, SessionFailure>, _ kind: TaskKind, in session: URLSession,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task
  ) -> Task {
    var (identifier, facts) = newTask(of: session)
    var request: URLRequest?
    switch read {
    case .success(let data):
      (request, facts.remnant) = (data.request, data.remnant)
      if kind == .download { facts.resumption = data.remnant.map(TaskFacts.Resumption.init) }
    case .failure(let trouble): facts.trouble = trouble
    }
    let task = make(session, identifier, request, kind, facts)
    keep(task)
    session.taskDelegate?.urlSession(session, didCreateTask: task)
    return task
  }

  /// Cancels a task, and calls back with its resume data.
  func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void) {
    let answer = task.watch.lookAgain { state.withLock { $0.cancelKeeping(task, then) } }
    answer?()
    flush()
    tell(task.session.identifier)
  }
}

extension LinkState {
  /// Asks the daemon to cancel a task and keep its remnant. Returns the call back if the daemon need not be asked: of a
  /// task that it does not know, what the task was made with is still there.
  fileprivate mutating func cancelKeeping(
    _ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void
  ) -> (@Sendable () -> Void)? {
    let (session, number) = (task.session.identifier, task.taskIdentifier)
    let spool = sessions[session]?.folder?.spool
    switch task.facts.withLock({ $0.cancel() }) {
    case .endHere?:
      let remnant = task.facts.withLock { $0.remnant }
      let failure = sessions[session]?.refusal ?? SessionFailure(.cancelled, "cancelled")
      end(number, of: session, with: failure, leaving: remnant)
      return { then(task.resumeData(remnant, spool)) }
    case .cancel? where sessions[session]?.refusal == nil:
      keepers[TaskPlace(session: session, task: number)] = { remnant in then(task.resumeData(remnant, spool)) }
      askAnyway(.cancelKeeping(.init(session: session, task: Int64(number))), of: session)
      return nil
    case let deed?:
      carryOut(deed, on: task)
      return { then(nil) }
    case nil: return { then(nil) }
    }
  }

  /// Handles the answer to the cancelling of a task, with the remnant that it left.
  mutating func left(
    _ asked: AppInterface.CancelTaskKeeping.Parameters, _ answer: Answer, _ entry: OutboxEntry?
  ) -> Hearing {
    var remnant: AppInterface.Remnant?
    if case .left(let found) = answer { remnant = found }
    var hearing = cancelled(.init(session: asked.session, task: asked.task), answer, entry)
    if let keeper = keepers.removeValue(forKey: TaskPlace(session: asked.session, task: Int(asked.task))) {
      hearing.asks.append { [remnant] in keeper(remnant) }
    }
    return hearing
  }

  /// Notes that a task goes on at the offset of a remnant, if the server still has the same version.
  mutating func resumed(_ task: Int, of session: String, at remnant: AppInterface.Remnant) {
    guard let object = sessions[session]?.tasks[task] else { return }
    let isNews = object.facts.withLock { $0.goOn(with: remnant, for: object.kind) }
    if isNews { sessions[session]?.inbox.append(.resumed(task: task)) }
  }
}

extension URLSessionTask {
  /// The resume data of this task, if it has left a remnant. The spooled copy of an upload is kept for it.
  func resumeData(_ remnant: AppInterface.Remnant?, _ spool: Spool?) -> Data? {
    guard let remnant else { return nil }
    let request = facts.withLock { $0.replacement } ?? originalRequest
    let file = kind.file.map { spool?.keep($0) ?? $0 }
    return ResumeData.of(remnant, request: request, file: file).map { session.seal.sealed($0) }
  }
}

/// Identifies a task by its session and its number.
struct TaskPlace: Hashable {
  let session: String
  let task: Int
}
