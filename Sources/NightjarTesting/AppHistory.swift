public import Foundation
public import Nightjar

import NightjarModel
import NightjarPictures
import NightjarSimulator

/// What has happened to an app in a simulation, in the order of time.
public struct AppHistory: Sendable {
  /// A moment of the simulation.
  public struct Moment: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The day of the scenario, counted from 1.
    public let day: Int
    /// The time of day, such as `08:42`.
    public let clock: String
    /// The time.
    public let date: Date

    /// The day and the clock: `day 3, 08:42`.
    public var description: String { "day \(day), \(clock)" }

    public static func < (a: Moment, b: Moment) -> Bool { a.date < b.date }
  }

  /// A stretch of time in which a person used the app.
  public struct Visit: Hashable, Sendable {
    /// From when to when.
    public let began: Moment, ended: Moment
    /// The age of the app's content when the visit began: the time since a fetch that did not fail, or since it was
    /// used with a network. Nil if there was neither.
    public let age: TimeInterval?
  }

  /// A background fetch that the app was told to make.
  public struct Fetch: Hashable, Sendable {
    /// How the app came to run for a fetch.
    public enum Manner: String, Hashable, Sendable {
      /// It was launched, thawed, or ran already.
      case launched, thawed, running
    }

    /// When the app was told to fetch.
    public let began: Moment
    /// The `applicationState` at that time.
    public let applicationState: UIApplication.State
    /// The result passed to the completion handler; nil if it was not called in time.
    public let result: UIBackgroundFetchResult?
    /// Whether its 30 seconds ran out before the completion handler was called.
    public let isLate: Bool
    /// How the app came to run.
    public let manner: Manner
  }

  /// A call to the delegate about the app's life, which is also posted as a notification.
  public struct Step: Hashable, Sendable {
    /// When it was made.
    public let at: Moment
    /// The name of the notification, such as `UIApplication.didBecomeActiveNotification`.
    public let name: Notification.Name
    /// The `applicationState` at that time.
    public let applicationState: UIApplication.State
  }

  /// Something that a person could see.
  public struct Sight: Hashable, Sendable {
    /// What a person saw.
    public enum Kind: Hashable, Sendable {
      /// The app's view.
      case view
      /// The app's snapshot in the switcher.
      case snapshot
      /// A notification; the text is its body.
      case notification
    }

    /// When it could be seen.
    public let at: Moment
    /// What it was.
    public let kind: Kind
    /// The HTML of a view or a snapshot, or the body of a notification.
    public let text: String
  }

  /// The number of launches, by a person or into the background.
  public let launches: Int
  /// The visits of a person to the app.
  public let visits: [Visit]
  /// The background fetches that the app was told to make.
  public let fetches: [Fetch]
  /// The runs of its tasks of `BGTaskScheduler`.
  public let tasks: [TaskRun]
  /// The tasks of its background sessions, in the order in which it queued them.
  public let transfers: [Transfer]
  /// The calls to its delegate about its life.
  public let steps: [Step]
  /// Everything of the app that a person could see.
  public let shown: [Sight]
  /// The lines of the daemon's log about the app.
  public let log: [String]
  private let chronicle: Chronicle

  init(
    _ chronicle: Chronicle, statesAtFetch: [Int: UIApplication.State], tasks: [TaskRun], transfers: [Transfer],
    launches: Int, steps: [Step], shown: [Sight], log: [String]
  ) {
    (self.chronicle, self.tasks, self.transfers) = (chronicle, tasks, transfers)
    (self.launches, self.steps, self.shown, self.log) = (launches, steps, shown, log)
    visits = chronicle.visits.map { visit in
      Visit(
        began: chronicle.moment(visit.at), ended: chronicle.moment(visit.until),
        age: visit.age.map { Double($0) / 1000 })
    }
    fetches = chronicle.fetches.enumerated().map { place, fetch in
      Fetch(
        began: chronicle.moment(fetch.at), applicationState: statesAtFetch[place] ?? .background,
        result: fetch.outcome.flatMap(UIBackgroundFetchResult.init), isLate: fetch.outcome == .late,
        manner: Fetch.Manner(rawValue: fetch.manner.rawValue) ?? .running)
    }
  }

  /// The fetches of one day of the scenario, counted from 1.
  public func fetches(onDay day: Int) -> [Fetch] { fetches.filter { $0.began.day == day } }

  /// The visits of one day of the scenario, counted from 1.
  public func visits(onDay day: Int) -> [Visit] { visits.filter { $0.began.day == day } }

  /// A timeline of the history, as SVG, to look at or to attach to a failing test.
  public var picture: String { chronicle.picture().svg }

  /// The name of the app in the scenario.
  static let appName = "App"
}

extension UIBackgroundFetchResult {
  /// The result passed to a completion handler; nil if it was not called in time.
  fileprivate init?(_ outcome: FetchOutcome) {
    switch outcome {
    case .newData: self = .newData
    case .noData: self = .noData
    case .failed: self = .failed
    case .late: return nil
    }
  }
}

extension Chronicle {
  /// A time in milliseconds as a moment of the simulation.
  func moment(_ time: Int64) -> AppHistory.Moment {
    let place = local(time)
    let minutes = Int(place.hour * 60 + 1e-6)
    let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    return AppHistory.Moment(
      day: place.day + 1, clock: "\(two(minutes / 60)):\(two(minutes % 60))",
      date: Date(timeIntervalSince1970: Double(time) / 1000))
  }
}
