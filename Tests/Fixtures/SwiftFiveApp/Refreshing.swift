// Background fetches and tasks as they stand in iOS apps, in Swift 5 mode.

import Foundation
import Nightjar

public class RefreshingDelegate: UIResponder, UIApplicationDelegate {
  let feed = Feed()

  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
    application.setMinimumBackgroundFetchInterval(UIApplicationBackgroundFetchIntervalNever)
    application.setMinimumBackgroundFetchInterval(60 * 60)
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) { task in
      self.handleAppRefresh(task: task as! BGAppRefreshTask)
    }
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.cleaning", using: DispatchQueue.global()) {
      [weak self] task in
      guard let task = task as? BGProcessingTask else { return task.setTaskCompleted(success: false) }
      self?.handleCleaning(task)
    }
    return application.backgroundRefreshStatus == .available
  }

  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    feed.load { result in
      switch result {
      case .success(let count): completionHandler(count > 0 ? .newData : .noData)
      case .failure: completionHandler(UIBackgroundFetchResult.failed)
      }
    }
  }

  public func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool {
    application.extendStateRestoration()
    feed.load { _ in DispatchQueue.main.async { application.completeStateRestoration() } }
    return true
  }

  public func applicationDidEnterBackground(_ application: UIApplication) {
    scheduleAppRefresh()
    scheduleCleaning()
  }

  func scheduleAppRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.refresh")
    request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch BGTaskScheduler.Error.notPermitted {
      print("not permitted")
    } catch let error as BGTaskScheduler.Error where error.code == .tooManyPendingTaskRequests {
      BGTaskScheduler.shared.cancelAllTaskRequests()
    } catch {
      print("Could not schedule app refresh: \(error)", (error as NSError).code)
    }
  }

  func scheduleCleaning() {
    let request = BGProcessingTaskRequest(identifier: "com.example.cleaning")
    request.requiresNetworkConnectivity = false
    request.requiresExternalPower = true
    try? BGTaskScheduler.shared.submit(request)
    BGTaskScheduler.shared.getPendingTaskRequests { requests in
      for request in requests where request.earliestBeginDate == nil {
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: request.identifier)
      }
    }
  }

  func handleAppRefresh(task: BGAppRefreshTask) {
    scheduleAppRefresh()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let operation = BlockOperation { [feed] in feed.load { _ in } }
    task.expirationHandler = { queue.cancelAllOperations() }
    operation.completionBlock = { task.setTaskCompleted(success: !operation.isCancelled) }
    queue.addOperations([operation], waitUntilFinished: false)
  }

  func handleCleaning(_ task: BGProcessingTask) {
    let work = Task {
      let isDone = await feed.clean()
      task.setTaskCompleted(success: isDone)
    }
    task.expirationHandler = {
      work.cancel()
      task.setTaskCompleted(success: false)
    }
  }
}

/// A scheduler that tests put another in the place of.
protocol Scheduling {
  func submit(_ taskRequest: BGTaskRequest) throws
  func cancel(taskRequestWithIdentifier identifier: String)
  func cancelAllTaskRequests()
}

extension BGTaskScheduler: Scheduling {}

class Feed {
  func load(_ then: @escaping (Result<Int, Error>) -> Void) {
    URLSession.shared.dataTask(with: URL(string: "https://example.com/feed")!) { data, _, error in
      if let error { then(.failure(error)) } else { then(.success(data?.count ?? 0)) }
    }.resume()
  }

  func clean() async -> Bool { !Task.isCancelled }
}
