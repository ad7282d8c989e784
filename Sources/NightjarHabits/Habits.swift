public import NightjarModel

/// What one device has shown of when its person uses which app, and what follows for the next half hour.
///
/// A forecast is the product of three things: how often the app is used at this time of such a day, how much more often
/// at this distance from its last use, and how much more often at this distance from the device's. Each is learned from
/// ticks of five minutes, and drawn towards what all apps together show while the app itself has shown little. Evidence
/// loses half of its weight in 14 days of the device's life.
///
/// The same calls in the same order give the same bits on every machine. Time that runs backwards or is set to another
/// zone does no harm: nothing is learned from the gap, and all else stays. The same is true of time that jumps ahead,
/// if that is reported (``clockSet(from:to:)``); otherwise it counts as passed, and up to three days of it without use
/// are learned from. How often ``advance(to:)`` is called makes no difference.
public struct Habits: Hashable, Sendable {
  /// The apps, in the order in which they were first opened, and where each of them is.
  var apps: [AppHabits] = []
  var places: [AppID: Int] = [:]
  var person = PersonHabits()

  /// The latest time that was reported.
  var latest: LocalTime?
  /// Seconds that have passed from call to call. It never goes back, whatever clocks do.
  var lived: Int64 = 0
  /// When the device was last in use, on the same line, and until when that is assumed unless something else is
  /// reported.
  var active: Int64 = 0
  var openUntil: Int64 = 0
  /// The weight of new evidence. It grows, so that older evidence loses weight without being touched.
  var weight = 1.0
  /// The half hours of the last six ticks and the steps of the device's activity then, each as a byte, plus one.
  var recentSlots: UInt64 = 0
  var recentActivity: UInt64 = 0

  /// Advances when anything is learned or forgotten, and when an app gets another place.
  var revision = Revision()

  /// Habits without any evidence.
  public init() {}

  /// A person brings an app to the foreground. A return within ten minutes continues the previous visit.
  public mutating func opened(_ app: AppID, at time: LocalTime) {
    noticed(at: time)
    let place = places[app] ?? add(app)
    if apps[place].visits == 0 || apps[place].pause(at: lived) > Self.visitPause {
      apps[place].opened = lived
      apps[place].visits += 1
    }
    apps[place].isOpen = true
    apps[place].used = lived
    openUntil = lived + Self.visitMax
  }

  /// An app leaves the foreground. Until that is reported, a visit is assumed to end after 15 minutes.
  public mutating func left(_ app: AppID, at time: LocalTime) {
    noticed(at: time)
    guard let place = places[app], apps[place].isOpen else { return }
    apps[place].isOpen = false
    apps[place].used = lived
    openUntil = lived
  }

  /// An app is gone from the foreground though no person acted: that ends its visit, but is no use of the device.
  public mutating func lost(_ app: AppID, at time: LocalTime) {
    advance(to: time)
    guard let place = places[app], apps[place].isOpen else { return }
    apps[place].isOpen = false
    apps[place].used = lived
    openUntil = min(openUntil, lived)
  }

  /// The device is in use, whatever for.
  public mutating func noticed(at time: LocalTime) {
    advance(to: time)
    active = lived
  }

  /// The clock was set from one time to another: what lies between has not passed.
  public mutating func clockSet(from old: LocalTime, to new: LocalTime) {
    advance(to: old)
    latest = new
  }

  /// Forgets what was learned of one app, or with nil of everything, but not that an app has been opened before: each
  /// counts as one that has just been opened for the first time.
  public mutating func beginAnew(_ app: AppID?, at time: LocalTime) {
    advance(to: time)
    revision.advance()
    guard let app else {
      var anew = Habits()
      anew.apps = apps.map { $0.anew(at: 0) }
      (anew.places, anew.latest, anew.revision) = (places, latest, revision)
      self = anew
      return
    }
    if let place = places[app] { apps[place] = apps[place].anew(at: lived) }
  }

  /// Forgets an app, which may never have been opened then.
  public mutating func forget(_ app: AppID) {
    guard let place = places[app] else { return }
    revision.advance()
    apps.remove(at: place)
    places[app] = nil
    places = places.mapValues { $0 > place ? $0 - 1 : $0 }  // Hashes no name anew.
  }

  /// Whether the app was ever opened, as far as is remembered.
  public func knows(_ app: AppID) -> Bool { places[app] != nil }

  /// How often the app was opened, since it was first opened or its habits were forgotten.
  public func launches(of app: AppID) -> Int64 { places[app].map { apps[$0].visits } ?? 0 }

  /// The apps that anything is known of, by name.
  public var known: [AppID] { apps.map(\.id).sorted() }

  private mutating func add(_ app: AppID) -> Int {
    if apps.count >= Self.appsMax, let oldest = apps.min(by: { $0.usedUntil < $1.usedUntil }) { forget(oldest.id) }
    revision.advance()
    apps.append(AppHabits(id: app, at: lived))
    places[app] = apps.count - 1
    return apps.count - 1
  }

  /// How many apps are remembered; the one used least recently goes first.
  public static let appsMax = 1000
  /// How long a visit may be interrupted, and how long it lasts at most without a reported end.
  static let (visitPause, visitMax): (Int64, Int64) = (600, 900)
}
