import Foundation
import Nightjar

/// An app whose task takes until its time is nearly up, and which completes it then, from a thread of its own.
@MainActor
final class Straggler: UIResponder, UIApplicationDelegate {
  nonisolated static let sorting = "dev.example.sorting"
  /// The queue of its launch handler.
  static var queue: DispatchQueue?

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: Self.sorting, using: Self.queue, launchHandler: Self.sort)
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    let sorting = BGProcessingTaskRequest(identifier: Self.sorting)
    sorting.requiresExternalPower = true
    try? BGTaskScheduler.shared.submit(sorting)
  }

  private nonisolated static func sort(_ task: BGTask) {
    task.expirationHandler = {
      DispatchQueue.global().async { task.setTaskCompleted(success: false) }
    }
  }
}
