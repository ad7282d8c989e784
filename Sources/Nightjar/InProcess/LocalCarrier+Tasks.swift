import Foundation
import FoundationNetworking

// Creates the tasks of a session in this process. A task's own delegate is set first, so that it is told of the
// creation, too.
extension LocalCarrier {
  func dataTask(
    with request: URLRequest, in session: URLSession, _ hearer: LocalHearer,
    delegate: (any URLSessionTaskDelegate)? = nil
  ) -> URLSessionDataTask {
    keeping(request, .data, .request, in: session, hearer, delegate, URLSessionDataTask.init)
  }

  func downloadTask(
    with request: URLRequest, in session: URLSession, _ hearer: LocalHearer,
    delegate: (any URLSessionTaskDelegate)? = nil
  ) -> URLSessionDownloadTask {
    keeping(request, .download, .request, in: session, hearer, delegate, URLSessionDownloadTask.init)
  }

  func uploadTask(
    with request: URLRequest, _ body: LocalBody, in session: URLSession, _ hearer: LocalHearer,
    delegate: (any URLSessionTaskDelegate)? = nil
  ) -> URLSessionUploadTask {
    keeping(request, .upload(file: ""), body, in: session, hearer, delegate, URLSessionUploadTask.init)
  }

  /// Creates a download with resume data. The bytes that a daemon keeps are out of reach here.
  func downloadTask(
    resuming read: Result<ResumeData, SessionFailure>, in session: URLSession, _ hearer: LocalHearer,
    delegate: (any URLSessionTaskDelegate)? = nil
  ) -> URLSessionDownloadTask {
    let start: LocalStart =
      switch read {
      case .success(let data): data.point.map { .goingOn(LocalRemnant(token: data.token, point: $0)) } ?? .fresh
      case .failure(let trouble): .impossible(trouble)
      }
    let request = (try? read.get())?.request
    return keeping(request, .download, .request, in: session, hearer, delegate, URLSessionDownloadTask.init, start)
  }

  /// Creates an upload with the resume data of a background session. It starts at the first byte, since
  /// FoundationNetworking cannot ask a server what it has.
  func uploadTask(
    resuming read: Result<ResumeData, SessionFailure>, in session: URLSession, _ hearer: LocalHearer,
    delegate: (any URLSessionTaskDelegate)? = nil
  ) -> URLSessionUploadTask {
    let (request, file) = ((try? read.get())?.request, (try? read.get())?.file ?? "")
    let start: LocalStart =
      switch read {
      case .success: .fresh
      case .failure(let trouble): .impossible(trouble)
      }
    let body = LocalBody.file(URL(fileURLWithPath: file))
    let kind = TaskKind.upload(file: file)
    return keeping(request, kind, body, in: session, hearer, delegate, URLSessionUploadTask.init, start)
  }

  private func keeping<Task: URLSessionTask>(
    _ request: URLRequest?, _ kind: TaskKind, _ body: LocalBody, in session: URLSession, _ hearer: LocalHearer,
    _ delegate: (any URLSessionTaskDelegate)?,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task,
    _ start: LocalStart = .fresh
  ) -> Task {
    var (identifier, facts) = newTask(of: session)
    facts.delegate = delegate
    if hearer.wantsWhole { facts.prefersIncrementalDelivery = false }
    let task = make(session, identifier, request, kind, facts)
    keep(task, body, hearer, start)
    return task
  }
}
