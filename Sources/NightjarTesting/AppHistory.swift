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
    /// What clocks show, such as `08:42`.
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
    /// How long before it the app was last brought up to date, by a fetch that did not fail or by being used with a network;
    /// nil if it never was.
    public let age: TimeInterval?
  }

  /// A background fetch that the app was told to make.
  public struct Fetch: Hashable, Sendable {
    /// How the app was brought to run.
    public enum Manner: String, Hashable, Sendable {
      /// It was launched, thawed, or ran already.
      case launched, thawed, running
    }

    /// When it was told.
    public let began: Moment
    /// What `applicationState` was when it was told.
    public let applicationState: UIApplication.State
    /// What the completion handler was given; nil if it was not called in time.
    public let result: UIBackgroundFetchResult?
    /// Whether its 30 seconds ran out before the completion handler was called.
    public let isLate: Bool
    /// How the app was brought to run.
    public let manner: Manner
  }

  /// A call of the delegate about the app's life, as observers are told it, too.
  public struct Step: Hashable, Sendable {
    /// When.
    public let at: Moment
    /// Such as `UIApplication.didBecomeActiveNotification`.
    public let name: Notification.Name
    /// What `applicationState` was.
    public let applicationState: UIApplication.State
  }

  /// Something that a person could see.
  public struct Sight: Hashable, Sendable {
    /// What it was.
    public enum Kind: Hashable, Sendable {
      /// The app's view.
      case view
      /// The app's snapshot in the switcher.
      case snapshot
      /// A notification; the text is its body.
      case notification
    }

    /// When.
    public let at: Moment
    /// What it was.
    public let kind: Kind
    /// The HTML, or the words.
    public let text: String
  }

  /// How often the app was launched, by a person or into the background.
  public let launches: Int
  /// When a person used it.
  public let visits: [Visit]
  /// When it was told to fetch.
  public let fetches: [Fetch]
  /// The tasks of its background sessions, in the order in which it queued them.
  public let transfers: [Transfer]
  /// What its delegate was told about its life.
  public let steps: [Step]
  /// What could be seen of it.
  public let shown: [Sight]
  /// What the daemon's log says of it.
  public let log: [String]
  private let chronicle: Chronicle

  init(
    _ chronicle: Chronicle, statesAtFetch: [Int: UIApplication.State], transfers: [Transfer], launches: Int,
    steps: [Step], shown: [Sight], log: [String]
  ) {
    (self.chronicle, self.transfers, self.launches, self.steps) = (chronicle, transfers, launches, steps)
    (self.shown, self.log) = (shown, log)
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

  /// A drawing of it all, as SVG: to be attached to a test that fails, or looked at.
  public var picture: String { chronicle.picture().svg }

  /// What the app is called where it needs a name.
  static let appName = "App"
}

extension UIBackgroundFetchResult {
  /// What a completion handler was given; nil if it was not called in time.
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
