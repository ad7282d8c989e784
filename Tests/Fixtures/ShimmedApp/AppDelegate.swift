// An app delegate as it stands in iOS apps: nothing was added, not even an import.

import BackgroundTasks
import UIKit
import UserNotifications

public class AppDelegate: UIResponder, UIApplicationDelegate {
  public var window: UIWindow?
  var completionHandlers: [String: () -> Void] = [:]
  lazy var session = URLSession(
    configuration: .background(withIdentifier: Bundle.main.bundleIdentifier ?? "com.example.app"), delegate: self,
    delegateQueue: nil)

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge]) { granted, _ in
      print("notifications are allowed: \(granted)")
    }
    session.getAllTasks { tasks in tasks.forEach { $0.resume() } }
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) { task in
      task.setTaskCompleted(success: true)
    }
    return true
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    do { try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "com.example.refresh")) } catch {
      print(error)
    }
  }

  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.noData) }

  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { completionHandlers[identifier] = completionHandler }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([.banner, .sound]) }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    window?.rootViewController?.title = response.notification.request.content.title
    completionHandler()
  }
}

extension AppDelegate: URLSessionDownloadDelegate {
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    autoreleasepool { try? FileManager.default.copyItem(at: location, to: location.appendingPathExtension("kept")) }
  }

  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    DispatchQueue.main.async { [self] in
      completionHandlers.removeValue(forKey: session.configuration.identifier ?? "")?()
    }
  }
}
