import Foundation
import Nightjar
import NightjarTesting
import Synchronization

import class FoundationNetworking.HTTPURLResponse
import struct FoundationNetworking.URLRequest

/// An app that has its pictures brought by a background session, and writes down what it is told.
@MainActor
final class Kiosk: UIResponder, UIApplicationDelegate {
  nonisolated static let session = "dev.example.pictures"
  /// What it is told.
  nonisolated static var heard: [String] { notes.withLock { $0 } }
  nonisolated private static let notes = Mutex<[String]>([])
  /// The file that came last.
  nonisolated(unsafe) static var last = Data()
  /// The header fields with which it came.
  nonisolated(unsafe) static var fields: [String: String] = [:]
  /// What a test has it do with its session when it has come to the foreground, the first time, the second and so on.
  static var visits: [(URLSession) -> Void] = []
  /// What a test has it do when it has come to the background.
  static var left: () -> Void = {}
  /// What a test has it do when it is told to fetch.
  static var fetches: (URLSession) -> Void = { _ in }
  /// Whether it forgets to say that it has handled its session's events.
  nonisolated(unsafe) static var forgets = false
  /// What it sends where a stream is asked for.
  nonisolated(unsafe) static var stream = Data()
  /// Where its session's delegate is told.
  static var queue: OperationQueue?
  /// What a test has it do when a task has ended, with the error that it has ended with.
  nonisolated(unsafe) static var ended: (URLSession, (any Error)?) -> Void = { _, _ in }
  /// How the session is made.
  private static var configure: (URLSessionConfiguration) -> Void = { _ in }
  private let courier = PictureCourier()
  private var pictures: URLSession?

  /// Begins a test.
  static func begin(configure: @escaping (URLSessionConfiguration) -> Void = { _ in }) {
    notes.withLock { $0 = [] }
    (visits, left, ended, self.configure) = ([], {}, { _, _ in }, configure)
    (fetches, forgets, queue) = ({ _ in }, false, nil)
  }

  /// A simulation of it with a server, in which a thousand bytes move in a second.
  static func simulation(_ gallery: Gallery) -> AppSimulation<Kiosk> {
    var simulation = AppSimulation(of: Kiosk.self)
    simulation.bytesPerSecond = 1000
    simulation.server = { gallery.answer($0) }
    return simulation
  }

  nonisolated static func hear(_ what: String) { notes.withLock { $0.append(what) } }

  static func url(_ name: String) -> URL { URL(string: "https://pictures.example/\(name)")! }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let configuration = URLSessionConfiguration.background(withIdentifier: Self.session)
    Self.configure(configuration)
    pictures = URLSession(configuration: configuration, delegate: courier, delegateQueue: Self.queue)
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    guard let pictures, !Self.visits.isEmpty else { return }
    Self.visits.removeFirst()(pictures)
  }

  func applicationDidEnterBackground(_ application: UIApplication) { Self.left() }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    pictures.map(Self.fetches)
    completionHandler(.newData)
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    Self.hear("events of \(identifier) in the \(application.applicationState)")
    courier.finished = completionHandler
  }
}

/// Hears of the pictures.
final class PictureCourier: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
  /// Given on the main thread, and called there.
  nonisolated(unsafe) var finished: (() -> Void)?

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    Kiosk.hear("\(totalBytesWritten) of \(totalBytesExpectedToWrite) bytes")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    Kiosk.hear("sent \(totalBytesSent) of \(totalBytesExpectedToSend) bytes")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    Kiosk.hear("goes on at \(fileOffset)")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let name = downloadTask.originalRequest?.url?.lastPathComponent ?? ""
    let bytes = (try? Data(contentsOf: location)) ?? Data("nothing".utf8)
    let answer = downloadTask.response as? HTTPURLResponse
    let keeper = answer?.value(forHTTPHeaderField: "X-Keeper").map { ", \(answer?.statusCode ?? 0), \($0)" } ?? ""
    Kiosk.hear(
      "\(name): \(bytes.count < 100 ? String(decoding: bytes, as: UTF8.self) : "\(bytes.count) bytes")\(keeper)")
    Kiosk.last = bytes
    Kiosk.fields = answer?.allHeaderFields as? [String: String] ?? [:]
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    Kiosk.hear("\(response.statusCode): \(response.value(forHTTPHeaderField: "link") ?? "nothing")")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
  ) {
    completionHandler(InputStream(data: Kiosk.stream))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    Kiosk.hear("answered \(String(decoding: data, as: UTF8.self))")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { Kiosk.hear("failed: \(error.localizedDescription)") }
    Kiosk.ended(session, error)
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    Kiosk.hear("all told")
    DispatchQueue.main.async {
      if !Kiosk.forgets { self.finished?() }
      self.finished = nil
    }
  }
}

/// A server that writes down what it is asked.
final class Gallery: Sendable {
  private let requests = Mutex<[URLRequest]>([])
  let picture: Data

  init(size: Int = 0) {
    var picture = Data()
    for number in 0..<UInt64((size + 7) / 8) { withUnsafeBytes(of: number) { picture.append(contentsOf: $0) } }
    self.picture = picture.prefix(size)
  }

  /// The requests so far, each with what it wants of the file.
  var asked: [String] {
    requests.withLock { requests in
      requests.map { request in
        let range = request.value(forHTTPHeaderField: "Range").map { ", \($0)" } ?? ""
        return "\(request.httpMethod ?? "") \(request.url?.lastPathComponent ?? "")\(range)"
      }
    }
  }

  /// The bodies that came with them.
  var bodies: [Data] { requests.withLock { $0.compactMap(\.httpBody) } }

  func answer(_ request: URLRequest) -> ServerAnswer {
    requests.withLock { $0.append(request) }
    return ServerAnswer(data: picture.isEmpty ? Data("a picture".utf8) : picture)
  }
}
