import Foundation
import Glibc
import Nightjar

/// Writes down when its delegate is called, on the clock that all processes share.
@main
final class LifeApp: UIResponder, UIApplicationDelegate {
  private lazy var session = URLSession(
    configuration: .background(withIdentifier: "life"), delegate: Teller(), delegateQueue: .main)
  nonisolated private static let log = Glibc.open(
    NSHomeDirectory() + "/Documents/life.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)

  nonisolated static func note(_ call: String) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let line = Array("\(now.tv_sec * 1_000_000_000 + now.tv_nsec) \(call)\n".utf8)
    _ = write(log, line, line.count)
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Self.note("didFinishLaunching")
    var orders = CommandLine.arguments.dropFirst()
    while let order = orders.popFirst(), let value = orders.popFirst() {
      switch order {
      case "queue": session.downloadTask(with: URL(string: value)!).resume()
      case "children": for _ in 0..<(Int(value) ?? 0) { spawn() }
      default: fatalError("unknown order \(order)")
      }
    }
    return true
  }

  func applicationWillEnterForeground(_ application: UIApplication) { Self.note("willEnterForeground") }
  func applicationDidBecomeActive(_ application: UIApplication) { Self.note("didBecomeActive") }
  func applicationDidEnterBackground(_ application: UIApplication) { Self.note("didEnterBackground") }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    Self.note("handleEvents")
    (session.delegate as? Teller)?.handler = completionHandler
  }

  private func spawn() {
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("infinity"), nil]
    defer { arguments.forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, "/bin/sleep", nil, nil, arguments, environ) == 0 else { fatalError("no child") }
  }
}

/// Hears what the session tells. Main thread only.
final class Teller: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  var handler: (() -> Void)?

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) { LifeApp.note("didFinishDownloadingTo") }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    handler?()
    handler = nil
  }
}
