// Background fetches and tasks as they stand in new iOS apps, in Swift 6 mode.

import Foundation
import Nightjar

public final class RefreshingDelegate: UIResponder, UIApplicationDelegate {
  private let feed = Feed()

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: .main) { task in
      guard let task = task as? BGAppRefreshTask else { return }
      MainActor.assumeIsolated { self.refresh(task) }
    }
    let feed = feed
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.cleaning", using: nil) { @Sendable task in
      let cleaning = Task {
        await feed.clean()
        task.setTaskCompleted(success: !Task.isCancelled)
      }
      task.expirationHandler = { cleaning.cancel() }
    }
    return true
  }

  public func applicationPerformFetch(_ application: UIApplication) async -> UIBackgroundFetchResult {
    do { return try await feed.load() > 0 ? .newData : .noData } catch { return .failed }
  }

  private func refresh(_ task: BGAppRefreshTask) {
    let work = Task {
      let count = try? await feed.load()
      task.setTaskCompleted(success: count != nil)
    }
    task.expirationHandler = { work.cancel() }
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    Task {
      let pending = await BGTaskScheduler.shared.pendingTaskRequests()
      guard !pending.contains(where: { $0.identifier == "com.example.refresh" }) else { return }
      let request = BGAppRefreshTaskRequest(identifier: "com.example.refresh")
      request.earliestBeginDate = .now.addingTimeInterval(900)
      do { try BGTaskScheduler.shared.submit(request) } catch BGTaskScheduler.Error.unavailable {} catch {
        print(error.localizedDescription)
      }
    }
  }
}

/// A delegate whose fetch has the older form.
@MainActor
public final class OlderDelegate: UIResponder, UIApplicationDelegate {
  private let feed = Feed()

  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    Task {
      let count = (try? await feed.load()) ?? 0
      completionHandler(count > 0 ? .newData : .noData)
    }
  }
}

actor Feed {
  func load() async throws -> Int {
    try await URLSession.shared.data(from: URL(string: "https://example.com/feed")!).0.count
  }

  func clean() {}
}
