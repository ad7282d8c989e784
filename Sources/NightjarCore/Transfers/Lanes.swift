import NightjarModel

/// Where transfers wait for their turn: one lane for each app and host, so that no app and no host holds up another.
///
/// Lanes take turns. Within one, higher priority goes first, then the lower number, among the transfers whose needs the
/// device meets and whose session may have one more connection. So a lane has a line for each kind of transfer. Finding
/// the next costs the same however many wait: every class of needs has an index of the lanes that could start one of
/// its transfers (``Turns``).
///
/// An app takes a place only while it has less than three quarters of the places that the others leave. So of 32 places
/// the next three apps find some, however slow the first app's servers are. The same holds for the places of one host
/// while several apps wait for it; one that waits alone may have all of them. An app waits for a host also while the
/// device does not offer what its transfers need: its share is there when the device does.
struct Lanes: Sendable {
  /// One app's transfers to one host.
  struct Lane: Hashable, Comparable, Sendable {
    var host: Host
    var app: AppID

    static func < (a: Lane, b: Lane) -> Bool { (a.host, a.app) < (b.host, b.app) }
  }

  /// Which line of its lane a transfer stands in.
  struct Line: Hashable, Sendable {
    var needs: Needs
    /// The bound that its session sets for one host, if it does.
    var share: Share?
    /// Whether it is a download with nothing in the staging area yet: held back once its app has too much there.
    var isFresh = false
  }

  /// How many of one session's transfers may run with one host.
  struct Share: Hashable, Sendable {
    var session: String
    var max: Int
  }

  /// Where one transfer stands.
  struct Stand: Hashable, Sendable {
    var lane: Lane
    var line: Line
    var priority: Float
  }

  private struct Place: Comparable, Sendable {
    var priority: Float
    var id: TransferID

    static func < (a: Place, b: Place) -> Bool { (-a.priority, a.id) < (-b.priority, b.id) }
  }

  /// The lines of one lane, none of them empty, and under which classes of needs the lane is shown.
  private struct Queue: Sendable {
    var turn = 0
    var lines: [(line: Line, places: OrderedIndex<Place, Void>)] = []
    var shown: UInt32 = 0

    mutating func enter(_ place: Place, _ line: Line) -> Bool {
      if let index = lines.firstIndex(where: { $0.line == line }) {
        lines[index].places[place] = ()
        return false
      }
      var places = OrderedIndex<Place, Void>()
      places[place] = ()
      lines.append((line, places))
      return true
    }

    mutating func leave(_ place: Place, _ line: Line) -> Bool {
      guard let index = lines.firstIndex(where: { $0.line == line }) else { return false }
      lines[index].places[place] = nil
      guard lines[index].places.isEmpty else { return false }
      lines.remove(at: index)
      return true
    }
  }

  private struct SessionAtHost: Hashable, Sendable {
    var lane: Lane
    var session: String
  }

  let runningMax: Int
  let perHostMax: Int
  private(set) var running = 0
  /// Apps whose fresh transfers are held back.
  private(set) var heldApps: Set<AppID> = []
  /// Lanes that start nothing.
  private var closed: Set<Lane> = []

  private var queues: [Lane: Queue] = [:]
  private var turnLast = 0
  private var turns = Turns()
  /// The apps that wait for each host, so that a place that becomes free is offered to all of them; and the hosts that
  /// each app waits for.
  private var appsOfHost: [Host: OrderedIndex<AppID, Void>] = [:]
  private var hostsOfApp: [AppID: OrderedIndex<Host, Void>] = [:]
  private var runningOfApp = OrderedIndex<AppID, Int>()
  private var runningOfHost: [Host: Int] = [:]
  private var runningAtHost: [Host: OrderedIndex<AppID, Int>] = [:]
  private var runningOfSession: [SessionAtHost: Int] = [:]

  init(runningMax: Int, perHostMax: Int) { (self.runningMax, self.perHostMax) = (runningMax, perHostMax) }

  /// How many transfers of an app run.
  func running(of app: AppID) -> Int { runningOfApp[app] ?? 0 }

  /// Whether an app has its share of all places.
  func isFull(_ app: AppID) -> Bool {
    Self.isShare(running(of: app), of: runningMax, with: running)
  }

  func isFull(_ host: Host) -> Bool { running(with: host) >= perHostMax }

  /// How many transfers of an app run with a host.
  func running(in lane: Lane) -> Int { runningAtHost[lane.host]?[lane.app] ?? 0 }

  /// Whether an app that waits for a host has its share of the host's places, while others wait for it, too.
  func isFull(_ lane: Lane) -> Bool {
    isContested(lane.host) && Self.isShare(running(in: lane), of: perHostMax, with: running(with: lane.host))
  }

  /// Whether a session has as many transfers with a host as it may.
  func isFull(_ share: Share, in lane: Lane) -> Bool {
    runningOfSession[SessionAtHost(lane: lane, session: share.session), default: 0] >= share.max
  }

  /// Lets a transfer wait.
  mutating func enter(_ id: TransferID, at stand: Stand) {
    let isNew = queues[stand.lane] == nil
    if isNew {
      appsOfHost[stand.lane.host, default: .init()][stand.lane.app] = ()
      hostsOfApp[stand.lane.app, default: .init()][stand.lane.host] = ()
    }
    let opened = queues[stand.lane, default: Queue()].enter(Place(priority: stand.priority, id: id), stand.line)
    if isNew { lineUp(stand.lane) } else if opened { refresh(stand.lane) }
    if isNew, appsOfHost[stand.lane.host]?.count == 2 { refreshSharers(of: stand.lane.host) }
  }

  /// Takes a transfer out of the line; one that does not wait is left alone.
  mutating func leave(_ id: TransferID, at stand: Stand) {
    guard queues[stand.lane]?.leave(Place(priority: stand.priority, id: id), stand.line) == true else { return }
    refresh(stand.lane)
    if queues[stand.lane]?.lines.isEmpty == true { forget(stand.lane) }
  }

  /// The transfer whose turn it is among those whose needs are met; it now counts as running.
  mutating func next(_ meets: (Needs) -> Bool) -> TransferID? {
    guard let lane = nextLane(meets) else { return nil }
    guard let (line, place) = first(of: lane, meets) else { preconditionFailure("\(lane) has a turn and none to go") }
    leave(place.id, at: Stand(lane: lane, line: line, priority: place.priority))
    began(lane, line.share)
    lineUp(lane)
    return place.id
  }

  /// A running transfer has given up its place.
  mutating func freed(_ lane: Lane, _ share: Share?) {
    guard let hostCount = runningOfHost[lane.host] else { preconditionFailure("nothing runs on \(lane.host.name)") }
    let wasFull = isFull(lane.host)
    count(-1, lane.app)
    count(-1, in: lane)
    if let share { count(-1, SessionAtHost(lane: lane, session: share.session)) }
    refresh(lane, andAllOfHost: wasFull)
    if isTight(hostCount) { refreshSharers(of: lane.host) }
  }

  /// Holds back, or lets go, the fresh transfers of an app.
  mutating func hold(_ app: AppID, _ isHeld: Bool) {
    guard heldApps.contains(app) != isHeld else { return }
    if isHeld { heldApps.insert(app) } else { heldApps.remove(app) }
    for (host, _) in hostsOfApp[app]?.entries(after: nil, limit: .max) ?? [] { refresh(Lane(host: host, app: app)) }
  }

  /// Closes a lane, or opens it again.
  mutating func close(_ lane: Lane, _ isClosed: Bool) {
    if isClosed { closed.insert(lane) } else { closed.remove(lane) }
    refresh(lane)
  }

  private func nextLane(_ meets: (Needs) -> Bool) -> Lane? {
    var best: (key: Int, value: Lane)?
    for number in 0..<UInt8(Needs.count) {
      guard let first = turns.first(of: Int(number)), meets(Needs(rawValue: number)) else { continue }
      if best.map({ first.key < $0.key }) ?? true { best = first }
    }
    return best?.value
  }

  /// The first place of a lane's lines that may go.
  private func first(of lane: Lane, _ meets: (Needs) -> Bool) -> (Line, Place)? {
    var best: (line: Line, place: Place)?
    for (line, places) in queues[lane]?.lines ?? [] {
      guard let place = places.first?.key, isOpen(line, in: lane), meets(line.needs) else { continue }
      if best.map({ place < $0.place }) ?? true { best = (line, place) }
    }
    return best
  }

  private func isOpen(_ line: Line, in lane: Lane) -> Bool {
    if line.isFresh, heldApps.contains(lane.app) { return false }
    return line.share.map { !isFull($0, in: lane) } ?? true
  }

  private mutating func began(_ lane: Lane, _ share: Share?) {
    count(1, lane.app)
    count(1, in: lane)
    if let share { count(1, SessionAtHost(lane: lane, session: share.session)) }
    refresh(lane, andAllOfHost: isFull(lane.host))
    if isTight(running(with: lane.host)) { refreshSharers(of: lane.host) }
  }

  private mutating func count(_ change: Int, _ app: AppID) {
    running += change
    let own = running(of: app) + change
    runningOfApp[app] = own > 0 ? own : nil
    if own == 0 { turns.pass(over: app, false) }
    // While many places are free, no app has its full share.
    guard turns.passesAny || running >= runningMax * 3 / 4 else { return }
    for (app, _) in runningOfApp.entries(after: nil, limit: .max) { turns.pass(over: app, isFull(app)) }
  }

  private mutating func count(_ change: Int, in lane: Lane) {
    let (all, own) = (running(with: lane.host) + change, running(in: lane) + change)
    runningOfHost[lane.host] = all > 0 ? all : nil
    runningAtHost[lane.host, default: .init()][lane.app] = own > 0 ? own : nil
    if all == 0 { runningAtHost[lane.host] = nil }
  }

  private mutating func count(_ change: Int, _ session: SessionAtHost) {
    let count = runningOfSession[session, default: 0] + change
    runningOfSession[session] = count > 0 ? count : nil
  }

  /// Gives a lane the last turn.
  private mutating func lineUp(_ lane: Lane) {
    guard queues[lane] != nil else { return }
    show(lane, 0)
    turnLast += 1
    queues[lane]!.turn = turnLast
    refresh(lane)
  }

  private mutating func refresh(_ lane: Lane, andAllOfHost isAll: Bool) {
    guard isAll else { return refresh(lane) }
    for (app, _) in appsOfHost[lane.host]?.entries(after: nil, limit: .max) ?? [] {
      refresh(Lane(host: lane.host, app: app))
    }
  }

  /// Refreshes the lanes of the apps that run transfers with a host: only these can have their shares of its places.
  private mutating func refreshSharers(of host: Host) {
    for (app, _) in runningAtHost[host]?.entries(after: nil, limit: .max) ?? [] { refresh(Lane(host: host, app: app)) }
  }

  private func running(with host: Host) -> Int { runningOfHost[host, default: 0] }

  /// Whether several apps wait for a host.
  private func isContested(_ host: Host) -> Bool { appsOfHost[host].map { $0.count > 1 } ?? false }

  /// Whether so many transfers run with a host that an app may have its share of the places.
  private func isTight(_ count: Int) -> Bool { count >= perHostMax * 3 / 4 }

  /// Whether an app has its share of places, of which so many are taken: three quarters of those that others leave, and
  /// at least one.
  private static func isShare(_ own: Int, of max: Int, with taken: Int) -> Bool {
    own >= Swift.max(1, (max - (taken - own)) * 3 / 4)
  }

  /// Shows a lane under exactly those classes of needs of which it could start a transfer.
  private mutating func refresh(_ lane: Lane) {
    guard let queue = queues[lane] else { return }
    var classes: UInt32 = 0
    if !closed.contains(lane), !isFull(lane.host), !isFull(lane) {
      for (line, _) in queue.lines where isOpen(line, in: lane) { classes |= 1 << UInt32(line.needs.rawValue) }
    }
    show(lane, classes)
  }

  private mutating func show(_ lane: Lane, _ classes: UInt32) {
    guard let queue = queues[lane], queue.shown != classes else { return }
    var changed = queue.shown ^ classes
    while changed != 0 {
      let number = changed.trailingZeroBitCount
      turns.show(lane, at: queue.turn, of: number, classes & (1 << UInt32(number)) != 0)
      changed &= changed - 1
    }
    queues[lane]!.shown = classes
  }

  private mutating func forget(_ lane: Lane) {
    queues[lane] = nil
    appsOfHost[lane.host]?[lane.app] = nil
    if appsOfHost[lane.host]?.isEmpty == true { appsOfHost[lane.host] = nil }
    if appsOfHost[lane.host]?.count == 1 { refreshSharers(of: lane.host) }
    hostsOfApp[lane.app]?[lane.host] = nil
    guard hostsOfApp[lane.app]?.isEmpty == true else { return }
    hostsOfApp[lane.app] = nil
    turns.forget(lane.app)
  }
}
