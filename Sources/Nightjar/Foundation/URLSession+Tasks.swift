public import Foundation
public import FoundationNetworking

extension URLSession {
  /// A download of a URL, suspended. Its bytes end in a file.
  public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

  /// A download, suspended. Its bytes end in a file. A body of the request may have up to 1 MiB in a background session.
  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    switch home {
    case .process(let local): local.downloadTask(with: request, in: self, .delegate)
    case .daemon(let link):
      link.keeping(checked(request, for: "downloads"), .download, in: self, URLSessionDownloadTask.init)
    }
  }

  /// An upload of a file, suspended. The file stays where it is and must not change until the task has ended.
  public func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask {
    guard file.isFileURL, access(file.path, R_OK) == 0 else { Misuse.unreadable(file.absoluteString) }
    switch home {
    case .process(let local): return local.uploadTask(with: request, .file(file), in: self, .delegate)
    case .daemon(let link):
      let request = checked(request, for: "uploads")
      let kind = TaskKind.upload(file: file.standardizedFileURL.path)
      return link.keeping(request, kind, in: self, URLSessionUploadTask.init)
    }
  }

  /// All tasks whose end the delegate has not been told, those of earlier lives included. Calls back on the delegate
  /// queue once the daemon has named them; without a daemon, as soon as there is one.
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    carrier.tellTasks(of: self) { [delegateQueue] tasks in delegateQueue.addOperation { completionHandler(tasks) } }
  }

  /// The same as `getAllTasks`, by kind.
  public func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
  ) {
    getAllTasks { tasks in
      let (data, uploads, downloads) = tasks.byKind
      completionHandler(data, uploads, downloads)
    }
  }

  /// The same as `getAllTasks`.
  public var allTasks: [URLSessionTask] {
    get async { await withCheckedContinuation { told in carrier.tellTasks(of: self) { told.resume(returning: $0) } } }
  }

  /// The same as `getAllTasks`, by kind.
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
  /// Makes a task of a background session and takes it in; its delegate hears of it before anybody else has it.
  func keeping<Task: URLSessionTask>(
    _ request: URLRequest, _ kind: TaskKind, in session: URLSession,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task
  ) -> Task {
    keeping(request, in: session) { make($0, $1, $2, kind, $3) }
  }

  /// The same for a task that says itself what it does.
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
  /// Data tasks that are no uploads, uploads, and downloads.
  fileprivate var byKind: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    (
      compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
      compactMap { $0 as? URLSessionUploadTask }, compactMap { $0 as? URLSessionDownloadTask }
    )
  }
}
