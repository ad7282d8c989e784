public import Foundation
public import Nightjar
import class FoundationNetworking.HTTPURLResponse  // This one type: MemberImportVisibility asks for its module.

// What the session tells, in this life of the app or in one that the daemon began for it. Each call is turned into
// something remembered and something told; when it has returned, the daemon forgets the task.

extension APIClient: URLSessionDownloadDelegate, URLSessionDataDelegate {
  /// A download has come.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    guard let job = Job(downloadTask.taskDescription) else { return }
    arrivals.downloaded(job, at: location, status: Self.status(of: downloadTask) ?? 0).post()
  }

  /// A part of a download has come.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) { tell(progressOf: downloadTask, totalBytesWritten, totalBytesExpectedToWrite) }

  /// A download goes on with what an earlier one has left.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    guard let job = Job(downloadTask.taskDescription) else { return }
    News.wentOn(job, offset: fileOffset, expected: Self.known(expectedTotalBytes)).post()
  }

  /// A part of an upload has gone.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { tell(progressOf: task, totalBytesSent, totalBytesExpectedToSend) }

  /// A task has ended.
  public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (job, problem) = (Job(task.taskDescription), error.map { "\($0)" })
    let kept = (error as? URLError)?.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
    let (number, status) = (task.taskIdentifier, Self.status(of: task))
    if let job { arrivals.completed(job, task: number, status: status, problem: problem, resumeData: kept)?.post() }
    News.completed(job, task: number, error: problem).post()
  }

  /// Everything that waited has been told.
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    News.finishedEvents(session: session.configuration.identifier ?? "").post()
  }

  private func tell(progressOf task: URLSessionTask, _ bytes: Int64, _ expected: Int64) {
    guard let job = Job(task.taskDescription) else { return }
    News.progressed(job, bytes: bytes, expected: Self.known(expected)).post()
  }

  private static func known(_ size: Int64) -> Int64? { size == NSURLSessionTransferSizeUnknown ? nil : size }

  private static func status(of task: URLSessionTask) -> Int? { (task.response as? HTTPURLResponse)?.statusCode }
}
