package import NightjarCore
package import NightjarModel

/// Plays a scenario on a stage: moves the time, and acts for the person and the device. The apps, made up or real, are
/// played by others.
package struct Director: Sendable {
  /// The scenario that is played.
  package let scenario: Scenario
  /// The stage that it is played on.
  package var stage: Stage
  /// What has happened so far.
  package var chronicle: Chronicle
  /// The visits that have begun and were not taken yet by the players of the apps.
  private var begun: [Int] = []
  private let timetable: Timetable
  private var next = 0
  private var leaves = Heap<Int>()
  private var device: PlayedDevice
  private let places: [AppID: Int]
  /// The apps' identifiers, by their places. They are kept since a made-up app computes its own on each access.
  package let ids: [AppID]
  /// The apps' states, in their order, and the places of fetches in the chronicle, by number.
  var parts: [Part]
  var fetchPlaces: [Int64: Int] = [:]
  /// The current visit, and when it is over.
  private var visit: Int?
  private var leavesAt: Int64 = 0
  /// Whether its app has ended meanwhile.
  private var isVisitOver = false

  /// Begins a scenario, with its apps installed, which declare these background modes.
  package init(
    _ scenario: Scenario, seed: UInt64, modes: Set<String> = ["fetch", "processing"], limits: Limits = Limits()
  ) {
    let timetable = Timetable(scenario, seed: seed)
    (self.scenario, self.timetable) = (scenario, timetable)
    chronicle = Chronicle(scenario, seed: seed, timetable)
    let ids = scenario.apps.map(\.id)
    self.ids = ids
    places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    parts = scenario.apps.map { _ in Part() }
    device = PlayedDevice(scenario)
    stage = Stage(
      apps: zip(scenario.apps, ids).map { Self.installed($0, $1, modes) }, at: timetable.start,
      rules: timetable.rules(knownAt: timetable.start),
      conditions: device.conditions, seed: seed, limits: limits)
    chronicle.weather = [.init(at: timetable.start, conditions: device.conditions)]
  }

  private static func installed(
    _ app: Scenario.MadeUpApp, _ id: AppID, _ modes: Set<String>
  ) -> InstalledApp {
    let bundle = "/Applications/\(id).app"
    return InstalledApp(
      id: id, displayName: app.name, kind: .bundle(path: bundle, executable: "\(bundle)/app"),
      modes: modes.sorted())
  }

  /// Whether there is a network.
  package var isOnline: Bool { device.isOnline }

  /// The place of an app in the scenario.
  package func place(of app: AppID) -> Int? { places[app] }

  /// Takes the visits that have begun since they were last taken, by their places in the chronicle.
  package mutating func takeBegunVisits() -> [Int] {
    defer { begun.removeAll(keepingCapacity: true) }
    return begun
  }

  /// Lets the time pass to the next event of the scenario, the supervisor's next look, or the given moment, whichever
  /// comes first. False at the end of the scenario.
  package mutating func step(notAfter moment: Int64 = .max) -> Bool {
    let incident = next < timetable.entries.count ? timetable.entries[next].at : Int64.max
    let leave = leaves.next ?? .max
    let due = max(min(incident, leave, moment, timetable.end), stage.now)
    stage.pass(until: due)
    guard stage.now == due, stage.cues.isEmpty else { return true }  // The supervisor was woken before.
    if leave == due, let (_, visit) = leaves.pop() {
      if leavesAt <= due { self.leave(visit) }
    } else if incident == due {
      next += 1
      take(timetable.entries[next - 1].incident)
    } else if due == timetable.end {
      return false
    }
    return true
  }

  /// Ends the scenario, and returns the chronicle.
  package mutating func finished() -> Chronicle {
    if let visit { chronicle.visits[visit].until = timetable.end }
    for index in chronicle.fetches.indices { settle(index) }
    (chronicle.turns, chronicle.digest) = (stage.turns, stage.digest)
    return chronicle
  }

  /// Completes a fetch from the log of decisions, which has the decision and its cost.
  private mutating func settle(_ index: Int) {
    guard let decision = stage.decisions[chronicle.fetches[index].decision] else { return }
    chronicle.fetches[index].joins = decision.verdict == .joins
    chronicle.fetches[index].window = decision.window
    chronicle.fetches[index].joules = decision.cost?.joules ?? 0
    if let outcome = decision.outcome { chronicle.fetches[index].outcome = outcome }
  }

  // MARK: The person

  /// The person opens an app; one that is open already is used for longer.
  private mutating func open(_ app: Int, for length: Int64) {
    if let visit, chronicle.visits[visit].app == app, !isVisitOver {
      return leave(visit, at: max(leavesAt, stage.now + length))
    }
    if let visit { endVisit(visit) }
    let number = chronicle.visits.count
    (visit, isVisitOver) = (number, false)
    let age = parts[app].refreshedAt.map { stage.now - $0 }
    chronicle.visits.append(.init(app: app, at: stage.now, until: stage.now, age: age, hasNewest: false))
    leave(number, at: stage.now + length)
    stage.order(.launch(ids[app], arguments: []))
    begun.append(number)
  }

  /// Notes that an app has ended: opened again, it is launched, even during a visit.
  mutating func noteEnd(of id: AppID) {
    if let visit, ids[chronicle.visits[visit].app] == id { isVisitOver = true }
  }

  private mutating func leave(_ number: Int, at time: Int64) {
    leavesAt = time
    leaves.insert(number, at: time)
  }

  /// The person leaves the app, unless for another app long ago.
  private mutating func leave(_ number: Int) {
    guard visit == number else { return }
    endVisit(number)
    stage.order(.leave)
  }

  /// Ends a visit. An app refreshes itself while it is used, if it can.
  private mutating func endVisit(_ number: Int) {
    chronicle.visits[number].until = stage.now
    if isOnline { parts[chronicle.visits[number].app].refreshedAt = stage.now }
    visit = nil
  }

  // MARK: The device

  private mutating func take(_ incident: Timetable.Incident) {
    switch incident {
    case .opens(let app, let length): if !stage.isAsleep { open(app, for: length) }
    case .begins(.asleep): fallAsleep()
    case .ends(.asleep): wakeUp()
    case .begins(let kind): change { $0.count(kind, 1) }
    case .ends(let kind): change { $0.count(kind, -1) }
    case .battery(let percent): change { $0.percent = percent }
    case .act(let act): if !stage.isAsleep || act.setsClocks { take(act) }
    }
  }

  private mutating func take(_ act: Scenario.Act.Kind) {
    switch act {
    case .removes(let app):
      if let visit, chronicle.visits[visit].app == app { endVisit(visit) }
      stage.order(.removeFromSwitcher(ids[app]))
    case .refresh(let app, let isOn):
      stage.order(.changeSettings(app.map { ids[$0] }, SettingsChange(refreshes: isOn)))
    case .fetch(let app): stage.order(.fetchNow(ids[app], request: nil))
    case .zone: stage.post([.located(timetable.rules(knownAt: stage.now))])
    case .clocks: break  // The device knows it already, as from the file of its zone.
    }
  }

  /// Changes the device. While it sleeps nobody is told: the daemon senses all of it when it wakes.
  private mutating func change(_ change: (inout PlayedDevice) -> Void) {
    let before = device.conditions
    change(&device)
    guard device.conditions != before else { return }
    chronicle.weather.append(.init(at: stage.now, conditions: device.conditions))
    if !stage.isAsleep { stage.post([.sensed(device.conditions)]) }
  }

  private mutating func fallAsleep() {
    if let visit { leave(visit) }
    change { $0.count(.asleep, 1) }
    stage.isAsleep = true
  }

  /// Wakes the machine up when the last of several stretches ends; it is awake before that is reported.
  private mutating func wakeUp() {
    var woken = device
    woken.count(.asleep, -1)
    stage.isAsleep = woken.isAsleep
    change { $0 = woken }
  }
}
