import Foundation
import Nightjar

extension Probe {
  /// Fetches as the instructions say: queues transfers, waits, and calls the completion handler.
  @MainActor
  func fetch(_ application: UIApplication, _ handler: @escaping (UIBackgroundFetchResult) -> Void) {
    note("performFetch", in: application)
    let known = Set(diary.lines().filter { $0.call == "queued" }.compactMap(\.name))
    for transfer in instructions.fetch?.queues ?? [] where !known.contains(transfer.name) { queue(transfer) }
    guard let name = instructions.fetch?.result else { return }
    let result: UIBackgroundFetchResult = name == "newData" ? .newData : name == "noData" ? .noData : .failed
    let report = FetchHandler(call: handler)
    whenGone(instructions.fetch?.waitsWhile) { [self] in
      note("fetched")
      if instructions.fetch?.elsewhere == true {
        DispatchQueue.global().async { report.call(result) }
      } else {
        report.call(result)
      }
      if instructions.fetch?.twice == true { report.call(.failed) }
    }
  }

  /// Registers and submits the tasks of the instructions.
  @MainActor
  func putOff() {
    guard let tasks = instructions.tasks else { return }
    for task in tasks {
      let isKnown = BGTaskScheduler.shared.register(forTaskWithIdentifier: task.identifier, using: .main) {
        [self] begun in
        MainActor.assumeIsolated { run(begun, as: task) }
      }
      note(isKnown ? "registered" : "notRegistered", task.identifier)
    }
    submit(tasks)
  }

  private func submit(_ tasks: [Instructions.Task]) {
    for task in tasks {
      let request: BGTaskRequest
      if task.isProcessing == true {
        let processing = BGProcessingTaskRequest(identifier: task.identifier)
        processing.requiresExternalPower = true
        request = processing
      } else {
        request = BGAppRefreshTaskRequest(identifier: task.identifier)
      }
      request.earliestBeginDate = task.after.map { Date(timeIntervalSinceNow: $0) }
      do {
        try BGTaskScheduler.shared.submit(request)
        note("submitted", task.identifier)
      } catch {
        note("notSubmitted", task.identifier, detail: error)
      }
    }
    BGTaskScheduler.shared.getPendingTaskRequests { [self] in
      note("pending", $0.map(\.identifier).joined(separator: " "))
    }
  }

  @MainActor
  private func run(_ begun: BGTask, as task: Instructions.Task) {
    note("launchHandler", begun.identifier)
    begun.expirationHandler = { [self] in
      note("expirationHandler", begun.identifier)
      begun.setTaskCompleted(success: false)
    }
    whenGone(task.waitsWhile) { [self] in
      note("completed", begun.identifier)
      begun.setTaskCompleted(success: true)
    }
  }

  private func note(_ call: String, _ name: String, detail: (any Error)? = nil) {
    diary.write(
      Heard(
        call: call, pid: getpid(), name: name, error: (detail as? BGTaskScheduler.Error)?.code.rawValue,
        detail: detail?.localizedDescription))
  }

  @MainActor
  private func note(_ call: String, in application: UIApplication) {
    diary.write(Heard(call: call, pid: getpid(), detail: "\(application.applicationState)"))
  }

  /// Does something once a file is gone, for which it looks four times a second; at once without one.
  private func whenGone(_ name: String?, _ act: @escaping () -> Void) {
    guard let name else { return act() }
    let file = documents.appendingPathComponent(name).path
    let deed = Deed(call: act)
    _ = Timer.scheduledTimer(withTimeInterval: 0.25, repeats: true) { timer in
      guard !FileManager.default.fileExists(atPath: file) else { return }
      timer.invalidate()
      deed.call()
    }
  }
}

/// A completion handler on its way through a timer or to another thread.
private struct FetchHandler: @unchecked Sendable {  // Unchecked: it may be called from any thread.
  let call: (UIBackgroundFetchResult) -> Void
}

/// What is done later on the main thread.
private struct Deed: @unchecked Sendable {  // Unchecked: made and called on the main thread alone.
  let call: () -> Void
}
