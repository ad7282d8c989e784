import Foundation
import Nightjar
import NightjarTesting
import Testing

/// Where a simulation ends: what an app does not declare, what it does when none of its lives runs, and the test's own
/// end.
@Suite struct LimitTests {
  @Test(arguments: [(["fetch"], true), ([], false)] as [(Set<String>, Bool)])
  func `an app that does not declare it is never refreshed, as on a device`(
    modes: Set<String>, isRefreshed: Bool
  ) async {
    await #expect(processExitsWith: .success) { [modes, isRefreshed] in
      try await onMainActor {
        Newspaper.begin()
        Newspaper.interval = UIApplication.backgroundFetchIntervalMinimum
        var simulation = AppSimulation(of: Newspaper.self)
        simulation.backgroundModes = modes

        let history = try await simulation.run("days 3\nopens at 09:00")

        #expect(history.fetches.isEmpty != isRefreshed)
      }
    }
  }

  @Test func `what outlives the app's lives reaches no daemon, and leaves nothing in its home`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let home = NSTemporaryDirectory() + "nightjar-home-\(UUID().uuidString)"
        setenv("NIGHTJAR_HOME", home, 1)
        setenv("NIGHTJAR_SOCKET", home + "/nightjar.sock", 1)
        Newspaper.begin()
        _ = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00")

        let session = URLSession(
          configuration: .background(withIdentifier: "late"), delegate: Late(), delegateQueue: nil)
        session.downloadTask(with: try #require(URL(string: "http://localhost:9/late"))).resume()
        await session.flush()

        #expect(!FileManager.default.fileExists(atPath: home))
      }
    }
  }

  @Test func `a simulation whose test is cancelled ends, and lets the next one in`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        let cancelled = Task { @MainActor in
          try await AppSimulation(of: Newspaper.self).run("days 3000\nopens at 09:00")
        }
        cancelled.cancel()

        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00")
        #expect(next.visits.count == 1)
      }
    }
  }
}

private final class Late: NSObject, URLSessionDownloadDelegate {
  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {}
}
