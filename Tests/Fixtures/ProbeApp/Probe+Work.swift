import Foundation
import Glibc
import Nightjar

extension Probe {
  /// Locks a file in the folder of an app group, and never lets go.
  func lock() {
    guard let group = instructions.locksIn else { return }
    guard let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) else {
      fatalError("no folder for \(group)")
    }
    let file = Glibc.open(folder.appendingPathComponent("shared").path, O_RDWR | O_CREAT, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { fatalError("cannot lock: \(errno)") }
    note("locked")
  }

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
