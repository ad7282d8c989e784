import NightjarModel

/// Where transfers wait for their turn: one lane for each app and host, so that no app and no host holds up another.
///
/// Lanes take turns. Within one, higher priority goes first, then the lower number. Finding the next costs the same
/// however many wait.
struct Lanes: Sendable {
  /// A line of one app's transfers to one host.
  struct Lane: Hashable, Sendable {
    var host: Host
    var app: AppID
  }

  private struct Place: Comparable, Sendable {
    var priority: Float
    var id: TransferID

    static func < (a: Place, b: Place) -> Bool { (-a.priority, a.id) < (-b.priority, b.id) }
  }

  let perHostMax: Int
  private(set) var running = 0

  /// Who waits, by lane; no lane is empty.
  private var waiting: [Lane: OrderedIndex<Place, Void>] = [:]
  /// The turn of every lane in which somebody waits; it is kept while the host has no place free.
  private var turnOfLane: [Lane: Int] = [:]
  private var turnLast = 0
  /// Lanes whose host has a place free, in the order of their turns: hosts that need a network, and this machine.
  private var remoteTurns = OrderedIndex<Int, Lane>()
  private var localTurns = OrderedIndex<Int, Lane>()
  /// Who waits for a host, so that a place that becomes free is offered to all of them.
  private var appsOfHost: [Host: OrderedIndex<AppID, Void>] = [:]
  private var runningOfHost: [Host: Int] = [:]

  init(perHostMax: Int) { self.perHostMax = perHostMax }

  func isFull(_ host: Host) -> Bool { runningOfHost[host, default: 0] >= perHostMax }

  /// Lets a transfer wait.
  mutating func enter(_ id: TransferID, priority: Float, lane: Lane) {
    if waiting[lane] == nil {
      appsOfHost[lane.host, default: .init()][lane.app] = ()
      lineUp(lane)
    }
    waiting[lane, default: .init()][Place(priority: priority, id: id)] = ()
  }

  /// Takes a transfer out of the line; one that does not wait is left alone.
  mutating func leave(_ id: TransferID, priority: Float, lane: Lane) {
    waiting[lane]?[Place(priority: priority, id: id)] = nil
    guard waiting[lane]?.isEmpty == true else { return }
    waiting[lane] = nil
    hide(lane)
    turnOfLane[lane] = nil
    appsOfHost[lane.host]?[lane.app] = nil
    if appsOfHost[lane.host]?.isEmpty == true { appsOfHost[lane.host] = nil }
  }

  /// The transfer whose turn it is; it now counts as running. Without a network only this machine's own servers count.
  mutating func next(isOnline: Bool) -> TransferID? {
    guard let lane = nextLane(isOnline: isOnline) else { return nil }
    guard let place = waiting[lane]?.first?.key else { preconditionFailure("the lane \(lane) has a turn and is empty") }
    leave(place.id, priority: place.priority, lane: lane)
    if waiting[lane] != nil { lineUp(lane) }
    began(on: lane.host)
    return place.id
  }

  /// A running transfer has given up its place.
  mutating func freed(_ host: Host) {
    guard let count = runningOfHost[host] else { preconditionFailure("nothing runs on \(host.name)") }
    running -= 1
    runningOfHost[host] = count > 1 ? count - 1 : nil
    for lane in lanes(of: host) { show(lane) }
  }

  private func nextLane(isOnline: Bool) -> Lane? {
    guard isOnline, let remote = remoteTurns.first else { return localTurns.first?.value }
    guard let local = localTurns.first else { return remote.value }
    return remote.key < local.key ? remote.value : local.value
  }

  private mutating func began(on host: Host) {
    running += 1
    runningOfHost[host, default: 0] += 1
    guard isFull(host) else { return }
    for lane in lanes(of: host) { hide(lane) }
  }

  private func lanes(of host: Host) -> [Lane] {
    (appsOfHost[host]?.entries(after: nil, limit: .max) ?? []).map { Lane(host: host, app: $0.key) }
  }

  /// Gives a lane the last turn.
  private mutating func lineUp(_ lane: Lane) {
    hide(lane)
    turnLast += 1
    turnOfLane[lane] = turnLast
    show(lane)
  }

  private mutating func show(_ lane: Lane) {
    guard !isFull(lane.host), let turn = turnOfLane[lane] else { return }
    if lane.host.isLoopback { localTurns[turn] = lane } else { remoteTurns[turn] = lane }
  }

  private mutating func hide(_ lane: Lane) {
    guard let turn = turnOfLane[lane] else { return }
    if lane.host.isLoopback { localTurns[turn] = nil } else { remoteTurns[turn] = nil }
  }
}
