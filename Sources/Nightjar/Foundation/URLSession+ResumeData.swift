public import Foundation
public import FoundationNetworking
import NightjarWire
import Synchronization

/// The key under which the error of a download that failed has its resume data, where another can go on with it.
public let NSURLSessionDownloadTaskResumeData = "NSURLSessionDownloadTaskResumeData"

/// The key under which the error of an upload that failed has its resume data, where another can go on with it.
public let NSURLSessionUploadTaskResumeData = "NSURLSessionUploadTaskResumeData"

extension URLError {
  /// What ``URLSession/downloadTask(withResumeData:)`` goes on with; nil where nothing is left of the download.
  public var downloadTaskResumeData: Data? { userInfo[NSURLSessionDownloadTaskResumeData] as? Data }
  /// What ``URLSession/uploadTask(withResumeData:)`` goes on with; nil where the server keeps nothing of the upload.
  public var uploadTaskResumeData: Data? { userInfo[NSURLSessionUploadTaskResumeData] as? Data }
}

extension URLSessionDownloadTask {
  /// Ends the task and hands over, on the delegate queue, what another can go on with: nil where nothing can be resumed,
  /// because no byte came, or the server named no version of the file.
  ///
  /// The daemon keeps the bytes for 30 days, over relaunches of the app and restarts of the machine. The data can be
  /// used once, by the same app. The delegate is told `URLError.cancelled` too.
  ///
  /// Of a session in the app's own process the bytes lie in the temporary folder, synced, until they are used or the folder
  /// is emptied. The request must be a GET without a range of its own.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancelKeeping(completionHandler)
  }

  /// The same as `cancel(byProducingResumeData:)`.
  public func cancelByProducingResumeData() async -> Data? { await cancelKeeping() }
}

extension URLSessionUploadTask {
  /// Ends the task and hands over, on the delegate queue, what another can go on with: nil where the server does not take
  /// resumable uploads, or has not said yet that it does.
  ///
  /// The daemon keeps the upload's URL for 30 days, over relaunches of the app and restarts of the machine; the server may
  /// give it up sooner. The file must stay as it is; of an upload from data or from a stream the copy is kept. The data can
  /// be used once, by the same app. The delegate is told `URLError.cancelled` too. In a session of the app's own process
  /// it is always nil.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancelKeeping(completionHandler)
  }

  /// The same as `cancel(byProducingResumeData:)`.
  public func cancelByProducingResumeData() async -> Data? { await cancelKeeping() }
}

extension URLSessionTask {
  fileprivate func cancelKeeping(_ then: @escaping @Sendable (Data?) -> Void) {
    session.carrier.cancelKeeping(self) { [session] data in session.delegateQueue.addOperation { then(data) } }
  }

  fileprivate func cancelKeeping() async -> Data? {
    await withCheckedContinuation { told in session.carrier.cancelKeeping(self) { told.resume(returning: $0) } }
  }
}

extension URLSession {
  /// A download that goes on with what an earlier one has left, suspended.
  ///
  /// Where the daemon no longer has the bytes (they were used, or are older than 30 days), and where the file has changed
  /// on its server, the download begins at the first byte. Data that cannot be used, or that another app was given, makes
  /// the task fail with the reason once it is resumed. Credentials are not part of the data, nor are those
  /// that stood in the URL: those of the session apply, and the server's challenge is put to the delegate.
  ///
  /// The bytes of a background session's download are the daemon's, and those of another session's lie in the app's
  /// temporary folder: given the data of the other kind, a session says so on the standard error, and the download begins
  /// at the first byte.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    let read = ResumeData.read(resumeData, ofUpload: false)
    switch home {
    case .process(let local): return local.downloadTask(resuming: heeding(read), in: self, .delegate)
    case .daemon(let link): return link.resuming(heeding(read), .download, in: self, URLSessionDownloadTask.init)
    }
  }

  /// An upload that goes on with what an earlier one has left, suspended: the server is asked what it has, and sent the
  /// rest.
  ///
  /// Where it no longer has anything, or the daemon no longer knows the upload (the data was used, or is older than 30
  /// days), the upload begins at the first byte. Where the file is not as it was, and where the data cannot be used or was
  /// given to another app, the task fails with the reason once it is resumed. Credentials are not part of the data, nor are
  /// those that stood in the URL: those of the session apply, and the server's challenge is put to the delegate.
  public func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
    let read = ResumeData.read(resumeData, ofUpload: true)
    switch home {
    case .process(let local): return local.uploadTask(resuming: heeding(read), in: self, .delegate)
    case .daemon(let link):
      let file = (try? read.get().file) ?? ""
      return link.resuming(read, .upload(file: file), in: self, URLSessionUploadTask.init)
    }
  }

  /// A download that goes on with what an earlier one has left, suspended; the file is removed when the handler has
  /// returned. Background sessions refuse it.
  public func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    local(else: .completionHandler).downloadTask(
      resuming: heeding(ResumeData.read(resumeData, ofUpload: false)), in: self,
      .file(keepsFile: false, completionHandler))
  }

  /// An upload with what an earlier one of a background session has left, suspended; the handler is given the whole answer.
  /// A session in the app's own process sends the file from its first byte. Background sessions refuse it.
  public func uploadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    local(else: .completionHandler).uploadTask(
      resuming: heeding(ResumeData.read(resumeData, ofUpload: true)), in: self, .data(completionHandler))
  }

  /// Says so where resume data is of the other kind of session, and what it keeps is out of reach.
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
    case .success(let data): (request, facts.remnant) = (data.request, data.point == nil ? data.token : nil)
    case .failure(let trouble): facts.trouble = trouble
    }
    let task = make(session, identifier, request, kind, facts)
    keep(task)
    session.taskDelegate?.urlSession(session, didCreateTask: task)
    return task
  }

  /// Cancels a task and hands over what another can go on with.
  func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void) {
    let isAsked = task.watch.lookAgain {
      state.withLock { state in
        guard let deed = task.facts.withLock({ $0.cancel() }) else { return false }
        guard deed == .cancel, state.sessions[task.session.identifier]?.refusal == nil else {
          state.carryOut(deed, on: task)
          return false
        }
        state.cancelKeeping(task, then)
        return true
      }
    }
    if !isAsked { then(nil) }
    flush()
    tell(task.session.identifier)
  }
}

extension LinkState {
  /// Asks the daemon.
  fileprivate mutating func cancelKeeping(_ task: URLSessionTask, _ then: @escaping @Sendable (Data?) -> Void) {
    let (session, number) = (task.session.identifier, task.taskIdentifier)
    let spool = sessions[session]?.folder?.spool
    keepers[TaskPlace(session: session, task: number)] = { remnant in then(task.resumeData(remnant, spool)) }
    askAnyway(.cancelKeeping(.init(session: session, task: Int64(number))), of: session)
  }

  /// A task was cancelled, and this is left of it.
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

  /// A task goes on where an earlier one has left off.
  mutating func resumed(_ task: Int, of session: String, at remnant: AppInterface.Remnant) {
    guard let object = sessions[session]?.tasks[task] else { return }
    _ = object.facts.withLock { $0.take(remnant.offset, of: remnant.length, for: object.kind) }
    sessions[session]?.inbox.append(.resumed(task: task, offset: remnant.offset, expected: remnant.length))
  }
}

extension URLSessionTask {
  /// What another task goes on with after this one, if it has left something. The copy of what an upload sends is kept.
  func resumeData(_ remnant: AppInterface.Remnant?, _ spool: Spool?) -> Data? {
    guard let remnant else { return nil }
    let request = facts.withLock { $0.replacement } ?? originalRequest
    guard case .upload(let file) = kind else { return ResumeData.of(remnant, request: request) }
    return ResumeData.of(remnant, request: request, file: spool?.keep(file) ?? file)
  }
}

/// A task of a session.
struct TaskPlace: Hashable {
  let session: String
  let task: Int
}
