import Foundation
import Nightjar

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

/// Queues what the instructions say and writes down what it is told. An ordinary iOS downloader otherwise.
final class Probe: NSObject, @unchecked Sendable {
  let documents: URL
  let instructions: Instructions
  let diary: Diary
  private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  /// The files that streamed uploads send. Main thread only.
  private var streams: [Int: String] = [:]
  /// The tasks that were cancelled by this life. Main thread only.
  private var cancelled: Set<Int> = []
  /// The transfers that were cancelled by any life and had to go on. Main thread only.
  private lazy var paused = Set(diary.lines().filter { $0.call == "kept" }.compactMap(\.name))
  /// What the app was given with a session's events. Main thread only.
  var handler: (() -> Void)?

  init?(documents: URL) {
    let file = documents.appendingPathComponent("instructions.json")
    guard let data = try? Data(contentsOf: file),
      let instructions = try? JSONDecoder().decode(Instructions.self, from: data)
    else { return nil }
    (self.documents, self.instructions) = (documents, instructions)
    diary = Diary(at: documents.appendingPathComponent("heard.jsonl").path)
  }

  private var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.background(withIdentifier: instructions.session ?? "probe")
    if let timeout = instructions.requestTimeout { configuration.timeoutIntervalForRequest = timeout }
    if let port = instructions.proxyPort {
      configuration.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": port]
    }
    return configuration
  }

  /// Queues what was not queued in an earlier life. The tasks are asked for before the diary is read: what ends in
  /// between stands in one or the other.
  func start() {
    session.getAllTasks { [self] tasks in
      let ended = diary.lines().filter { $0.call == "didComplete" && $0.error == nil }.compactMap(\.name)
      let known = Set(tasks.compactMap(\.taskDescription) + ended)
      for transfer in instructions.transfers where !known.contains(transfer.name) { queue(transfer) }
      quitIfDone()
    }
  }

  /// Makes sure that the session is there.
  func open() { _ = session }

  func note(
    _ call: String, _ task: URLSessionTask? = nil, count: Int64? = nil, status: Int? = nil, error: (any Error)? = nil
  ) {
    diary.write(
      Heard(
        call: call, pid: getpid(), task: task?.taskIdentifier, name: task?.taskDescription, count: count,
        status: status ?? (task?.response as? HTTPURLResponse)?.statusCode, error: (error as? URLError)?.code.rawValue,
        detail: error?.localizedDescription, session: instructions.session ?? "probe"))
    if instructions.diesIn?.contains(call) == true { kill(getpid(), SIGKILL) }
  }

  func quitIfDone() {
    let ended = Set(diary.lines().filter { $0.call == "didComplete" }.compactMap(\.name))
    let isDone = instructions.transfers.allSatisfy { ended.contains($0.name) }
    guard instructions.quitsWhenDone == true, isDone else { return }
    if instructions.quitsElsewhere == true { quitElsewhere() } else { exit(0) }
  }

  private static let exitHasBegun = DispatchSemaphore(value: 0)

  private func quitElsewhere() {
    atexit { Probe.exitHasBegun.signal() }  // Before all that was registered earlier.
    Thread.detachNewThread { exit(0) }
    Self.exitHasBegun.wait()
  }

  func queue(_ transfer: Instructions.Transfer) {
    guard let url = URL(string: transfer.url) else { fatalError("no URL: \(transfer.url)") }
    var request = URLRequest(url: url)
    let task: URLSessionTask
    if let data = remains(for: transfer) {
      task =
        transfer.file == nil ? session.downloadTask(withResumeData: data) : session.uploadTask(withResumeData: data)
    } else if let file = transfer.file {
      request.httpMethod = transfer.method ?? "PUT"
      task = upload(request, file, transfer.source)
    } else if transfer.onAnswer != nil {
      task = session.dataTask(with: request)
    } else {
      task = session.downloadTask(with: request)
    }
    task.taskDescription = transfer.name
    if let seconds = transfer.after { task.earliestBeginDate = Date(timeIntervalSinceNow: seconds) }
    if let pid = instructions.halts { kill(pid, SIGSTOP) }
    task.resume()
    note("queued", task)
  }

  /// What a transfer goes on with: what the one that it names has left, or what it has left itself.
  private func remains(for transfer: Instructions.Transfer) -> Data? {
    if let earlier = transfer.resumes { return (try? Data(contentsOf: kept(earlier))) ?? Data() }
    return transfer.cancelsAfter == nil ? nil : try? Data(contentsOf: kept(transfer.name))
  }

  /// Where the resume data of a transfer is kept.
  private func kept(_ name: String) -> URL { documents.appendingPathComponent("kept/" + name) }

  private func keep(_ data: Data?, of task: URLSessionTask) {
    guard let data, let name = task.taskDescription else { return }
    let file = kept(name)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    } catch { fatalError("\(error)") }
  }

  /// Cancels a task that has come far enough, and keeps what another goes on with.
  private func cancelIfFar(_ task: URLSessionTask, _ count: Int64) {
    if let bytes = instructions.cancelsAfter, count >= bytes, cancelled.insert(task.taskIdentifier).inserted {
      return cancel(task)
    }
    guard let transfer = instructions.transfers.first(where: { $0.name == task.taskDescription }),
      let bytes = transfer.cancelsAfter, count >= bytes, paused.insert(transfer.name).inserted
    else { return }
    cancel(task) { [self] in queue(transfer) }
  }

  private func cancel(_ task: URLSessionTask, andThen goOn: @escaping @Sendable () -> Void = {}) {
    let then: @Sendable (Data?) -> Void = { [self] data in
      keep(data, of: task)
      note("kept", task, count: data.map { Int64($0.count) })
      goOn()
    }
    switch task {
    case let download as URLSessionDownloadTask: download.cancel(byProducingResumeData: then)
    case let upload as URLSessionUploadTask: upload.cancel(byProducingResumeData: then)
    default: fatalError("cannot be cancelled so: \(task)")
    }
  }

  private func upload(_ request: URLRequest, _ file: String, _ source: String?) -> URLSessionTask {
    switch source {
    case "data":
      guard let data = FileManager.default.contents(atPath: file) else { fatalError("cannot read \(file)") }
      return session.uploadTask(with: request, from: data)
    case "stream":
      let task = session.uploadTask(withStreamedRequest: request)
      streams[task.taskIdentifier] = file
      return task
    default: return session.uploadTask(with: request, fromFile: URL(fileURLWithPath: file))
    }
  }
}

extension Probe: URLSessionDownloadDelegate, URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData new: Int64, totalBytesWritten: Int64,
    totalBytesExpectedToWrite: Int64
  ) {
    note("didWriteData", downloadTask, count: totalBytesWritten)
    cancelIfFar(downloadTask, totalBytesWritten)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) { note("didResumeAtOffset", downloadTask, count: fileOffset) }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let files = documents.appendingPathComponent("files")
    let target = files.appendingPathComponent(downloadTask.taskDescription ?? "nameless")
    try? FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: target)
    do { try FileManager.default.moveItem(at: location, to: target) } catch { fatalError("\(error)") }
    let size = (try? FileManager.default.attributesOfItem(atPath: target.path)[.size] as? NSNumber)?.int64Value
    note("didFinishDownloadingTo", downloadTask, count: size)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    note("needNewBodyStream", task)
    completionHandler(streams[task.taskIdentifier].flatMap { InputStream(fileAtPath: $0) })
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    note("metrics", task, count: metrics.transactionMetrics.last?.countOfRequestBodyBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData new: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    note("didSendBodyData", task, count: totalBytesSent)
    cancelIfFar(task, totalBytesSent)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) { note("informed", task, status: response.statusCode) }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("didReceiveData", dataTask, count: Int64(data.count))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let failure = error as? URLError
    keep(failure?.downloadTaskResumeData ?? failure?.uploadTaskResumeData, of: task)
    note("didComplete", task, error: error)
    quitIfDone()
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    note("didFinishEvents")
    note("handlerCalled")
    handler?()
    handler = nil
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    note("didBecomeInvalid", error: error)
  }
}
