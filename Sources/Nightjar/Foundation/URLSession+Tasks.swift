public import Foundation
public import FoundationNetworking

extension URLSession {
  /// Creates a download of a URL to a file, suspended.
  public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

  /// Creates a download to a file, suspended. In a background session the request's body may have up to 1 MiB, and
  /// cannot be a stream: the task fails with `URLError.requestBodyStreamExhausted` then.
  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    switch home {
    case .process(let local): local.downloadTask(with: request, in: self, .delegate)
    case .daemon(let link):
      link.keeping(checked(request, for: "downloads"), .download, in: self, URLSessionDownloadTask.init)
    }
  }

  /// Creates an upload of a file, suspended. The file must neither move nor change until the task has ended.
  ///
  /// In a background session a file that cannot be read ends the process, as on iOS. In another session the task fails
  /// once it is resumed, with `URLError.fileDoesNotExist` or `noPermissionsToReadFile`.
  public func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask {
    switch home {
    case .process(let local): return local.uploadTask(with: request, .file(file), in: self, .delegate)
    case .daemon(let link):
      guard file.isFileURL, access(file.path, R_OK) == 0 else { Misuse.unreadable(file.absoluteString) }
      let request = checked(request, for: "uploads")
      let kind = TaskKind.upload(file: file.standardizedFileURL.path)
      return link.keeping(request, kind, in: self, URLSessionUploadTask.init)
    }
  }

  /// Calls the handler on the delegate queue with all tasks whose end the delegate has not been told of, including
  /// those of earlier lives.
  ///
  /// The handler is called once the daemon has listed the tasks; without a daemon, as soon as one runs.
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    carrier.tellTasks(of: self) { [delegateQueue] tasks in delegateQueue.addCall { completionHandler(tasks) } }
  }

  /// Calls the handler with the tasks of `getAllTasks`, by kind.
  public func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
  ) {
    getAllTasks { tasks in
      let (data, uploads, downloads) = tasks.byKind
      completionHandler(data, uploads, downloads)
    }
  }

  /// The tasks of `getAllTasks`.
  public var allTasks: [URLSessionTask] {
    get async { await withCheckedContinuation { told in carrier.tellTasks(of: self) { told.resume(returning: $0) } } }
  }

  /// The tasks of `getAllTasks`, by kind.
  public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    get async { await allTasks.byKind }
  }

  func checked(_ request: URLRequest, for deed: String) -> URLRequest {
    guard let scheme = request.url?.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      Misuse.badScheme(request.url?.scheme, for: deed)
    }
    return request
  }
}

extension Link {
  /// Makes a task of a background session and keeps it; the delegate is told before the task is returned.
  func keeping<Task: URLSessionTask>(
    _ request: URLRequest, _ kind: TaskKind, in session: URLSession,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task
  ) -> Task {
    keeping(request, in: session) { make($0, $1, $2, kind, $3) }
  }

  /// The same, where `make` decides the kind of the task.
  func keeping<Task: URLSessionTask>(
    _ request: URLRequest, in session: URLSession, _ make: (URLSession, Int, URLRequest?, TaskFacts) -> Task
  ) -> Task {
    let (identifier, facts) = newTask(of: session)
    let task = make(session, identifier, request, facts)
    keep(task)
    session.taskDelegate?.urlSession(session, didCreateTask: task)
    return task
  }
}

extension [URLSessionTask] {
  /// Data tasks that are not uploads, uploads, and downloads.
  fileprivate var byKind: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    (
      compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
      compactMap { $0 as? URLSessionUploadTask }, compactMap { $0 as? URLSessionDownloadTask }
    )
  }
}
