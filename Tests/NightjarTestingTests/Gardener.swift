import Foundation
import Nightjar
import NightjarTesting

/// An app that puts work off, as apps do: it registers what is to be done while it is launched, and asks for it
/// whenever it goes to the background.
@MainActor
final class Gardener: UIResponder, UIApplicationDelegate {
  static let (watering, weeding) = ("dev.example.watering", "dev.example.weeding")
  static var done: [String] = []
  static var refusals: [BGTaskScheduler.Error.Code] = []
  /// Before when it does not want to water.
  private static var earliest = Date.distantPast

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.watering, using: .main) { task in
      MainActor.assumeIsolated {
        Self.note(AppSimulation<Gardener>.now < Self.earliest ? "watered too early" : "watered", task)
      }
      task.setTaskCompleted(success: true)
    }
    BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.weeding, using: nil) { task in
      DispatchQueue.main.async {
        Self.note("weeded", task)
        task.setTaskCompleted(success: true)
      }
    }
    return true
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    let watering = BGAppRefreshTaskRequest(identifier: Self.watering)
    Self.earliest = AppSimulation<Gardener>.now.addingTimeInterval(4 * 3600)
    watering.earliestBeginDate = Self.earliest
    let weeding = BGProcessingTaskRequest(identifier: Self.weeding)
    weeding.requiresExternalPower = true
    do {
      try BGTaskScheduler.shared.submit(watering)
      try BGTaskScheduler.shared.submit(weeding)
    } catch {
      Self.done.append("\(error)")
      if let error = error as? BGTaskScheduler.Error { Self.refusals.append(error.code) }
    }
  }

  private static func note(_ what: String, _ task: BGTask) {
    let state = UIApplication.shared.applicationState
    done.append("\(what) as \(type(of: task)) in the \(state)")
  }
}
