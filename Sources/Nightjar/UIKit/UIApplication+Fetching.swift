public import Foundation
import NightjarWire

/// The result of a background fetch (Apple's `UIBackgroundFetchResult`).
public enum UIBackgroundFetchResult: UInt, Sendable {
  /// There was new data, and the app has loaded it.
  case newData
  /// There was no new data.
  case noData
  /// The fetch failed.
  case failed
}

/// The earlier name of `UIApplication.backgroundFetchIntervalMinimum`.
public let UIApplicationBackgroundFetchIntervalMinimum = UIApplication.backgroundFetchIntervalMinimum
/// The earlier name of `UIApplication.backgroundFetchIntervalNever`.
public let UIApplicationBackgroundFetchIntervalNever = UIApplication.backgroundFetchIntervalNever

extension UIApplication {
  /// The shortest interval that Nightjar allows, 15 minutes; it fetches when that is worthwhile.
  public nonisolated static let backgroundFetchIntervalMinimum: TimeInterval = 0
  /// No fetches at all; the default of every app.
  public nonisolated static let backgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude

  /// Sets the minimum number of seconds between two background fetches.
  ///
  /// It is a minimum, not a period: fetches come when the person is likely to open the app soon, and never more often
  /// than that. The interval holds until another one is set, over restarts and reboots. The app must declare the
  /// background mode `fetch`; if it does not, its log shows the command that adds it. When this returns, the interval
  /// is on its way to the daemon, or waits in memory for one.
  public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
    setFetchInterval(minimumBackgroundFetchInterval, link: Link.shared)
  }

  func setFetchInterval(_ seconds: TimeInterval, link: Link) {
    guard !seconds.isNaN else {
      return Console.warn("setMinimumBackgroundFetchInterval: what is no number changes nothing")
    }
    let isNever = seconds >= Self.backgroundFetchIntervalNever
    link.setFetchInterval(isNever ? nil : max(seconds, 0))
  }

  /// Carries out an errand of the daemon's.
  func run(_ errand: Errand, scheduler: BGTaskScheduler, link: Link) {
    switch errand {
    case .fetch(let number, let remaining):
      backgroundEnd = max(backgroundEnd, .now + remaining)
      fetch(FetchReport(number: number, link: link))
    case .task(let asked):
      backgroundEnd = max(backgroundEnd, .now + .milliseconds(asked.remainingMs))
      scheduler.run(asked, link: link)
    case .expiry(let number): scheduler.expire(number, link: link)
    }
  }

  private func fetch(_ report: FetchReport) {
    guard let delegate else { return report.make(.failed) }
    delegate.application(self, performFetchWithCompletionHandler: report.make)
  }
}

/// Reports the result of a fetch to the daemon once, from whichever thread the completion handler is called on.
private final class FetchReport: Sendable {
  private let number: Int64
  private let link: Link
  private let first = FirstCall()

  init(number: Int64, link: Link) { (self.number, self.link) = (number, link) }

  /// The completion handler.
  @Sendable func make(_ result: UIBackgroundFetchResult) {
    guard first.isThis() else {
      return Console.warn("performFetch: the completion handler was called again, with .\(result): nothing changes")
    }
    AppLife.onMain { [number, link] in
      UIApplication.shared.endBackgroundWork()
      link.finishFetch(number, result.outcome)
    }
  }
}

extension UIBackgroundFetchResult {
  fileprivate var outcome: AppInterface.FinishFetch.Outcome {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}
