import Foundation
import Nightjar

/// An app that writes down what it is told, and fetches as the test says.
@MainActor
final class Newspaper: UIResponder, UIApplicationDelegate {
  static var heard: [String] = []
  static var instances = 0
  static var showsHeadlines = false
  /// Whether its headlines are more than a view may have.
  static var isWordy = false
  /// What it asks for; by default it fetches only when a person says so.
  static var interval = UIApplication.backgroundFetchIntervalNever
  nonisolated(unsafe) static var passed: TimeInterval?
  /// Whether it asks for something again and again, as fast as it can.
  static var fidgets = false
  static var kept: ((UIBackgroundFetchResult) -> Void)?
  /// What a test has it do when it has come to the foreground, and when it is about to end.
  static var opened: () -> Void = {}
  static var ends: () -> Void = {}
  private static var fetch: (@escaping (UIBackgroundFetchResult) -> Void) -> Void = { $0(.newData) }
  private let headlines = Headlines()
  var window: UIWindow?

  /// Begins a test.
  static func begin(fetch: @escaping (@escaping (UIBackgroundFetchResult) -> Void) -> Void = { $0(.newData) }) {
    (heard, instances, showsHeadlines, isWordy, passed) = ([], 0, false, false, nil)
    interval = UIApplication.backgroundFetchIntervalNever
    (opened, ends) = ({}, {})
    self.fetch = fetch
  }

  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Self.instances += 1
    guard Self.showsHeadlines else { return true }
    let window = UIWindow()
    window.rootViewController = headlines
    window.makeKeyAndVisible()
    self.window = window
    return true
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Self.heard.append("launched \(application.applicationState)")
    application.setMinimumBackgroundFetchInterval(Self.interval)
    return true
  }

  /// Comes to no rest before it is told to.
  static func fidget() {
    guard fidgets else { return }
    UIApplication.shared.applicationIconBadgeNumber += 1
    DispatchQueue.main.async { fidget() }
  }

  func applicationDidBecomeActive(_ application: UIApplication) { Self.opened() }

  func applicationWillTerminate(_ application: UIApplication) { Self.ends() }

  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    Self.heard.append("fetch \(application.applicationState)")
    headlines.fetched += 1
    headlines.setNeedsDisplay()
    Self.fetch(completionHandler)
  }
}

/// A completion handler on its way to another thread.
// Unchecked: it is called once, by the thread that it was handed to.
struct Once: @unchecked Sendable {
  private let handler: (UIBackgroundFetchResult) -> Void
  init(_ handler: @escaping (UIBackgroundFetchResult) -> Void) { self.handler = handler }
  func call(_ result: UIBackgroundFetchResult) { handler(result) }
}

/// What the newspaper shows.
final class Headlines: HTMLViewController {
  var fetched = 0
  override func html() -> HTML {
    let words = Newspaper.isWordy ? String(repeating: "word ", count: 60_000) : ""
    return "<p>\(fetched) fetched</p>\(words)"
  }
}
