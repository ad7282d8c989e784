import Foundation
import Nightjar

/// An app that looks what is pending before it asks for more.
@MainActor
final class Bookkeeper: UIResponder, UIApplicationDelegate {
  nonisolated static let balancing = "dev.example.balancing"

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.balancing, using: .main) { task in
      task.setTaskCompleted(success: true)
    }
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) { Self.askOnce() }

  private nonisolated static func askOnce() {
    BGTaskScheduler.shared.getPendingTaskRequests { pending in
      guard !pending.contains(where: { $0.identifier == balancing }) else { return }
      try? BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: balancing))
    }
  }
}
