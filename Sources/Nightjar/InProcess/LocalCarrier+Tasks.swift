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

  private func keeping<Task: URLSessionTask>(
    _ request: URLRequest, _ kind: TaskKind, _ body: LocalBody, in session: URLSession, _ hearer: LocalHearer,
    _ make: (URLSession, Int, URLRequest?, TaskKind, TaskFacts) -> Task
  ) -> Task {
    let (identifier, facts) = newTask(of: session)
    let task = make(session, identifier, request, kind, facts)
    keep(task, body, hearer)
    return task
  }
}
