public import Foundation
import NightjarWire

/// What came of a background fetch (Apple's `UIBackgroundFetchResult`).
public enum UIBackgroundFetchResult: UInt, Sendable {
  /// There was something new, and the app has it.
  case newData
  /// There was nothing new.
  case noData
  /// It could not be found out.
  case failed
}

/// The same as `UIApplication.backgroundFetchIntervalMinimum`, under its earlier name.
public let UIApplicationBackgroundFetchIntervalMinimum = UIApplication.backgroundFetchIntervalMinimum
/// The same as `UIApplication.backgroundFetchIntervalNever`, under its earlier name.
public let UIApplicationBackgroundFetchIntervalNever = UIApplication.backgroundFetchIntervalNever

extension UIApplication {
  /// As often as Nightjar finds it worth while: its own least interval, 15 minutes, is the floor.
  public nonisolated static let backgroundFetchIntervalMinimum: TimeInterval = 0
  /// Not at all: how every app begins.
  public nonisolated static let backgroundFetchIntervalNever = TimeInterval.greatestFiniteMagnitude

  /// Says how many seconds must pass at least between two background fetches.
  ///
  /// It is a floor, no period: fetches come when the person is likely to open the app soon, and never more often than that. Once
  /// said it holds until something else is said, over restarts and reboots. The app has to declare the background mode
  /// `fetch`: if it does not, its log has the command that adds it. When it returns, the wish is on its way to the daemon, or
  /// waits in memory for one.
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

  /// Does what the daemon has the app do.
  func run(_ errand: Errand, scheduler: BGTaskScheduler, link: Link) {
    switch errand {
    case .fetch(let number, let remaining):
      backgroundEnd = max(backgroundEnd, .now + remaining)
      fetch(FetchReport(number: number, link: link))
    case .task(let asked):
      backgroundEnd = max(backgroundEnd, .now + .milliseconds(asked.remainingMs))
      scheduler.run(asked, link: link)
    case .expiry(let number): scheduler.expire(number)
    }
  }

  private func fetch(_ report: FetchReport) {
    guard let delegate else { return report.make(.failed) }
    delegate.application(self, performFetchWithCompletionHandler: report.make)
  }
}

/// What is owed after a fetch: its result, once, from whichever thread the completion handler is called on.
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
