public import NightjarModel

/// One start of the desktop's notification service. The numbers that it gives out mean nothing to another.
struct DesktopServer: Hashable, Sendable {
  /// The bus's own identifier, which no other bus has.
  var bus: String
  /// Its unique name there, which the bus never gives out again.
  var name: String
}

/// What becomes of notifications on the desktop.
public enum DesktopFact: Hashable, Sendable {
  /// The desktop has accepted it.
  case shown(NoticeID)
  /// A person has clicked it, or the button that opens its app.
  case tapped(NoticeID)
  /// A person has closed it.
  case dismissed(NoticeID)
  /// Why no desktop shows notifications, in a sentence; nil once one does, or could.
  case lacking(String?)
}

/// Which notifications should be on the desktop, and which are; what to ask of its service, and what its answers mean.
/// Pure.
///
/// Each is shown once. It is shown once more, quietly, where it would be lost otherwise: by a service that starts anew
/// while it was open, and after a restart of the daemon by one that keeps what it shows.
struct DesktopBoard: Sendable {
  /// What to do, in this order.
  enum Deed: Hashable {
    /// Have it shown, in place of the notification with that number unless it is 0; the answer to this attempt goes to
    /// ``DesktopBoard/answered(_:_:)``.
    case notify(Banner, replacing: UInt32, isQuiet: Bool, attempt: Int)
    /// Have the notification with that number closed.
    case close(UInt32)
    /// Report this.
    case report(DesktopFact)
  }

  /// The state of a notification.
  private enum Stage: Hashable {
    /// It is to be shown; again, if it was open at a place.
    case wanted(isQuiet: Bool, DesktopRecord.Place?)
    /// The service has been asked to show it.
    case asked(isQuiet: Bool, isRetracted: Bool, DesktopRecord.Place?)
    /// It is open, under the service's number.
    case open(DesktopRecord.Place, isTapped: Bool)
    /// An earlier daemon has left it open, if the service is still the same.
    case found(DesktopRecord.Place)
    /// It is to be closed if the service is still the same.
    case unwanted(DesktopRecord.Place)
    /// It was shown before, at a place that is not known.
    case seen
    /// The service has refused to show it; another one will be asked.
    case refused(by: DesktopServer)
    /// The desktop has closed it, or one service after the other has died of it. It is not shown again.
    case closed
  }

  private struct Entry {
    var banner: Banner?
    var stage: Stage
    /// How many services in a row have gone while they were asked for it.
    var losses = 0
  }

  /// After so many, it is they that go because of it.
  private static let lossesMax = 3

  private var entries: [NoticeID: Entry] = [:]
  private var server: DesktopServer?
  private var isPersistent = false
  private var asked: NoticeID?
  /// The number of the newest attempt; only the service's answer to that one counts.
  private var attempts = 0

  /// A board with what an earlier daemon has left.
  init(_ left: [DesktopRecord] = []) {
    for record in left {
      entries[record.id] = Entry(stage: record.open.map { .found($0) } ?? .closed)
    }
  }

  /// What the next daemon has to know.
  var records: [DesktopRecord] {
    entries.keys.sorted().compactMap { id in
      switch entries[id]!.stage {
      case .open(let place, _), .found(let place), .unwanted(let place): DesktopRecord(id: id, open: place)
      case .wanted(_, let place), .asked(_, _, let place): place.map { DesktopRecord(id: id, open: $0) }
      case .closed: DesktopRecord(id: id, open: nil)
      case .seen, .refused: nil
      }
    }
  }

  /// Whether a notification waits for a service.
  var isWaiting: Bool {
    entries.values.contains { if case .wanted(isQuiet: false, _) = $0.stage { true } else { false } }
  }

  // MARK: What is wanted

  /// A notification is to be shown.
  mutating func show(_ banner: Banner) -> [Deed] {
    guard let entry = entries[banner.id] else {
      entries[banner.id] = Entry(banner: banner, stage: .wanted(isQuiet: false, nil))
      return next()
    }
    entries[banner.id]?.banner = banner
    switch entry.stage {
    case .open, .closed: return [.report(.shown(banner.id))]
    case .found:  // The last daemon ended before it could note that it was shown.
      resolve(banner.id)
      return [.report(.shown(banner.id))] + next()
    case .seen:
      entries[banner.id]?.stage = .wanted(isQuiet: false, nil)
      return next()
    case .unwanted(let place):
      entries[banner.id]?.stage = .wanted(isQuiet: false, place)
      return next()
    case .wanted, .asked, .refused: return []
    }
  }

  /// A daemon has started: `seen` were shown before and stay, `unseen` are about to be shown. What else was left open
  /// is closed.
  mutating func restore(seen: [Banner], unseen: [NoticeID]) -> [Deed] {
    let kept = Set(seen.map(\.id)).union(unseen)
    for id in entries.keys.sorted() where !kept.contains(id) { leave(id) }
    for banner in seen {
      entries[banner.id, default: Entry(stage: .seen)].banner = banner
      resolve(banner.id)
    }
    return closeUnwanted() + next()
  }

  /// A notification is no longer to be shown.
  mutating func retract(_ id: NoticeID) -> [Deed] {
    guard let entry = entries[id] else { return [] }
    if case .asked(let isQuiet, _, let place) = entry.stage {
      entries[id]?.stage = .asked(isQuiet: isQuiet, isRetracted: true, place)
      return []
    }
    leave(id)
    return closeUnwanted()
  }

  /// Has a notification closed if it is open, and forgets it.
  private mutating func leave(_ id: NoticeID) {
    switch entries[id]?.stage {
    case .open(let place, _), .found(let place), .unwanted(let place), .wanted(_, let place?), .asked(_, _, let place?):
      entries[id]?.stage = .unwanted(place)
    case .wanted(_, nil), .asked(_, _, nil), .seen, .refused, .closed, nil: entries[id] = nil
    }
  }

  // MARK: The service

  /// A service has come: another than before, or the first.
  mutating func serverCame(_ server: DesktopServer, isPersistent: Bool) -> [Deed] {
    (self.server, self.isPersistent) = (server, isPersistent)
    for id in entries.keys.sorted() { resolve(id) }
    return closeUnwanted() + next()
  }

  /// The service has gone. What it was asked for is asked of the next one, a few times: a notification that no service
  /// survives would have one after the other started, and those behind it would never be shown.
  mutating func serverWent() -> [Deed] {
    server = nil
    guard let id = asked else { return [] }
    asked = nil
    guard let entry = entries[id], case .asked(let isQuiet, isRetracted: false, let place) = entry.stage else {
      leave(id)
      return []
    }
    entries[id]?.losses += 1
    let isGivenUp = entry.losses + 1 >= Self.lossesMax
    entries[id]?.stage = isGivenUp ? .closed : .wanted(isQuiet: isQuiet, place)
    return isGivenUp ? [.report(.shown(id))] : []
  }

  /// Updates a notification's state now that the service is known.
  private mutating func resolve(_ id: NoticeID) {
    guard let server, let entry = entries[id] else { return }
    switch entry.stage {
    case .open(let place, _) where place.server != server: entries[id]?.stage = .wanted(isQuiet: true, place)
    case .found(let place) where entry.banner != nil:
      let isLost = place.server != server
      entries[id]?.stage = isLost || isPersistent ? .wanted(isQuiet: true, place) : .open(place, isTapped: false)
    case .seen where isPersistent: entries[id]?.stage = .wanted(isQuiet: true, nil)
    case .refused(let other) where other != server: entries[id]?.stage = .wanted(isQuiet: false, nil)
    case .unwanted(let place) where place.server != server: entries[id] = nil
    case .wanted, .asked, .open, .found, .unwanted, .seen, .refused, .closed: break
    }
  }

  private mutating func closeUnwanted() -> [Deed] {
    guard let server else { return [] }
    return entries.keys.sorted().compactMap { id in
      guard case .unwanted(let place) = entries[id]!.stage, place.server == server else { return nil }
      entries[id] = nil
      return .close(place.number)
    }
  }

  /// What to ask of the service next: one notification at a time, the oldest first.
  private mutating func next() -> [Deed] {
    guard let server, asked == nil else { return [] }
    for id in entries.keys.sorted() {
      guard case .wanted(let isQuiet, let place) = entries[id]!.stage, let banner = entries[id]!.banner else {
        continue
      }
      entries[id]?.stage = .asked(isQuiet: isQuiet, isRetracted: false, place)
      asked = id
      attempts += 1
      let replaced = place.flatMap { $0.server == server ? $0.number : nil } ?? 0
      return [.notify(banner, replacing: replaced, isQuiet: isQuiet, attempt: attempts)]
    }
    return []
  }

  // MARK: What it tells

  /// The service has answered with its number; nil if it has refused or said nothing that makes sense.
  mutating func answered(_ attempt: Int, _ number: UInt32?) -> [Deed] {
    guard let server, attempt == attempts, let id = asked, case .asked(_, let isRetracted, _) = entries[id]?.stage
    else { return [] }  // Late: the service has gone meanwhile.
    asked = nil
    entries[id]?.losses = 0
    if let number, number > 0 {
      if let other = self.id(of: number) { entries[other]?.stage = .closed }  // Its number has gone to this one.
      entries[id]?.stage = .open(.init(server: server, number: number), isTapped: false)
    } else if !isRetracted {
      entries[id]?.stage = .refused(by: server)
      return next()
    }
    guard isRetracted else { return [.report(.shown(id))] + next() }
    leave(id)
    return closeUnwanted() + next()
  }

  /// A person has clicked the notification with that number.
  mutating func tapped(_ number: UInt32) -> [Deed] {
    guard let server, let id = id(of: number) else { return [] }
    entries[id]?.stage = .open(.init(server: server, number: number), isTapped: true)
    return [.report(.tapped(id))]
  }

  /// The service has closed it; the reason is one of the specification's.
  mutating func closed(_ number: UInt32, reason: Int64) -> [Deed] {
    guard let id = id(of: number), case .open(_, let isTapped) = entries[id]?.stage else { return [] }
    entries[id]?.stage = .closed
    return reason == Self.byPerson && !isTapped ? [.report(.dismissed(id))] : []
  }

  private static let byPerson: Int64 = 2

  private func id(of number: UInt32) -> NoticeID? {
    guard let server else { return nil }
    let place = DesktopRecord.Place(server: server, number: number)
    return entries.keys.sorted().first { id in
      if case .open(place, _) = entries[id]!.stage { true } else { false }
    }
  }
}
