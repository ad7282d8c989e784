import Foundation
import Nightjar

extension Probe {
  /// Begins a background task, and looks four times a second whether the file is still there that it works for.
  @MainActor
  func work(_ application: UIApplication) {
    guard let name = instructions.worksWhile else { return }
    let file = documents.appendingPathComponent(name).path
    let task = application.beginBackgroundTask(withName: "work") { [self] in note("expired") }
    note("began", count: Int64(application.backgroundTimeRemaining.rounded()))
    _ = Timer.scheduledTimer(withTimeInterval: 0.25, repeats: true) { [self] timer in
      guard !FileManager.default.fileExists(atPath: file) else { return }
      timer.invalidate()
      note("worked")
      MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(task) }
    }
  }
}
