import Foundation
import FoundationNetworking

// The tasks that a session in this process has.
extension LocalCarrier {
  func dataTask(with request: URLRequest, in session: URLSession, _ hearer: LocalHearer) -> URLSessionDataTask {
    keeping(request, .data, .request, in: session, hearer, URLSessionDataTask.init)
  }

  func downloadTask(with request: URLRequest, in session: URLSession, _ hearer: LocalHearer) -> URLSessionDownloadTask {
    keeping(request, .download, .request, in: session, hearer, URLSessionDownloadTask.init)
  }

  func uploadTask(
    with request: URLRequest, _ body: LocalBody, in session: URLSession, _ hearer: LocalHearer
  ) -> URLSessionUploadTask {
    keeping(request, .upload(file: ""), body, in: session, hearer, URLSessionUploadTask.init)
  }

  /// A download that goes on with resume data. The bytes that a daemon keeps are out of reach here.
  func downloadTask(
    resuming read: Result<ResumeData, SessionFailure>, in session: URLSession, _ hearer: LocalHearer
  ) -> URLSessionDownloadTask {
    let start: LocalStart =
      switch read {
      case .success(let data): data.point.map { .goingOn(LocalRemnant(token: data.token, point: $0)) } ?? .fresh
      case .failure(let trouble): .impossible(trouble)
      }
    let request = (try? read.get())?.request
    return keeping(request, .download, .request, in: session, hearer, URLSessionDownloadTask.init, start)
  }

  /// An upload with the resume data of a background session: it begins at the first byte, since FoundationNetworking
  /// cannot ask a server what it has.
  func uploadTask(
    resuming read: Result<ResumeData, SessionFailure>, in session: URLSession, _ hearer: LocalHearer
  ) -> URLSessionUploadTask {
    let (request, file) = ((try? read.get())?.request, (try? read.get())?.file ?? "")
    let start: LocalStart =
      switch read {
      case .success where access(file, R_OK) == 0: .fresh
      case .success: .impossible(SessionFailure(.cannotOpenFile, "\(FileTrouble("read", file))"))
      case .failure(let trouble): .impossible(trouble)
      }
    let body = LocalBody.file(URL(fileURLWithPath: file))
    return keeping(request, .upload(file: file), body, in: session, hearer, URLSessionUploadTask.init, start)
  }

  private func keeping<Task: URLSessionTask>(
    _ request: URLRequest?, _ kind: TaskKind, _ body: LocalBody, in session: URLSession, _ hearer: LocalHearer,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task,
    _ start: LocalStart = .fresh
  ) -> Task {
    let (identifier, facts) = newTask(of: session)
    let task = make(session, identifier, request, kind, facts)
    keep(task, body, hearer, start)
    return task
  }
}
