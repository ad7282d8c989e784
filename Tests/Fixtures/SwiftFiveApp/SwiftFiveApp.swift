// Source as it stands in iOS apps, in Swift 5 mode: it has to compile with one added import, without a warning.

import Foundation
import Nightjar

protocol Session {
  init(configuration: URLSessionConfiguration)
  init(configuration: URLSessionConfiguration, delegate: URLSessionDelegate?, delegateQueue: OperationQueue?)
  func downloadTask(with request: URLRequest) -> URLSessionDownloadTask
}

extension URLSession: Session {}

public class AppDelegate: UIResponder, UIApplicationDelegate {
  public var window: UIWindow?
  var backgroundSessionCompletionHandler: (() -> Void)?
  var observer: NSObjectProtocol?
  var handlers: [String: () -> Void] = [:]

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    window = UIWindow()
    observer = NotificationCenter.default.addObserver(
      forName: UIApplication.willTerminateNotification, object: nil, queue: .main
    ) { _ in DownloadManager.shared.cancelAll() }
    if application.applicationState == .background { DownloadManager.shared.restore() }
    return launchOptions?[.url] == nil
  }

  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    handlers[identifier] = completionHandler
    backgroundSessionCompletionHandler = completionHandler
  }

  public func applicationWillResignActive(_ application: UIApplication) {
    application.isIdleTimerDisabled = false
    application.isNetworkActivityIndicatorVisible.toggle()
    application.beginBackgroundTask()
    application.beginBackgroundTask(withName: "resign") { print("the time is up") }
  }
  public func applicationWillEnterForeground(_ application: UIApplication) {}
}

class DownloadManager: NSObject, URLSessionDownloadDelegate {
  static let shared = DownloadManager()
  var onProgress: ((Float) -> Void)?
  var received = [Int: Data]()

  lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.background(withIdentifier: "com.example.downloads")
    configuration.isDiscretionary = false
    configuration.sessionSendsLaunchEvents = true
    configuration.httpMaximumConnectionsPerHost = 2
    configuration.timeoutIntervalForResource = 24 * 60 * 60
    configuration.sharedContainerIdentifier = "group.example"
    configuration.allowsExpensiveNetworkAccess = false
    configuration.networkServiceType = .responsiveData
    return URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
  }()

  func start(_ url: URL) -> URLSessionDownloadTask {
    let task = session.downloadTask(with: url)
    task.taskDescription = url.lastPathComponent
    task.priority = URLSessionTask.highPriority
    task.earliestBeginDate = Date().addingTimeInterval(60)
    task.countOfBytesClientExpectsToReceive = 1 << 20
    task.resume()
    return task
  }

  func restore() {
    session.getAllTasks { tasks in
      for task in tasks where task.state == .suspended { task.resume() }
    }
    session.getTasksWithCompletionHandler { _, uploads, downloads in
      print(uploads.count, downloads.first?.originalRequest?.url?.absoluteString ?? "")
    }
  }

  func cancelAll() { session.invalidateAndCancel() }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    guard let response = downloadTask.response as? HTTPURLResponse, response.statusCode == 200 else { return }
    let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    try? FileManager.default.moveItem(
      at: location, to: folder.appendingPathComponent(response.suggestedFilename ?? "f"))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    guard totalBytesExpectedToWrite != NSURLSessionTransferSizeUnknown else { return }
    onProgress?(Float(totalBytesWritten) / Float(totalBytesExpectedToWrite))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    guard let error = error as NSError? else { return }
    if error.domain == NSURLErrorDomain, error.code == NSURLErrorCancelled { return }
    if (error as? URLError)?.code == .networkConnectionLost { task.resume() }
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    DispatchQueue.main.async {
      guard let delegate = UIApplication.shared.delegate as? AppDelegate else { return }
      delegate.backgroundSessionCompletionHandler?()
      delegate.backgroundSessionCompletionHandler = nil
    }
  }
}

class Uploader: NSObject, URLSessionDataDelegate {
  var answers = [Int: Data]()

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) { completionHandler(.allow) }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    answers[dataTask.taskIdentifier, default: Data()].append(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {}

  func upload(_ file: URL, to url: URL, in session: URLSession) {
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    session.uploadTask(with: request, fromFile: file).resume()
  }
}
