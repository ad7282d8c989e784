import NightjarCore

/// Writes a diary from one person's rows, which come in order.
///
/// A visit lasts until a row that ends it: of another app, of the system, or of its own leaving. Without any it lasts
/// 15 minutes from the last row that shows it. A visit that begins within ten minutes of the end of the last one is a
/// return, and does not count as a launch (protocol, "visit").
struct DiaryWriter {
  static let visitMax: Int64 = 900
  static let returnMax: Int64 = 600
  static let idleMin: Int64 = 1800
  static let tick: Int64 = 300
  static let switchSeconds = FetchSettings().openingTraffic.components.seconds

  /// One app's part in the five minutes that are being written.
  private struct Part {
    var app: Int32
    var wasOpen: Bool
    var opened: Noted?
    var left: Noted?
  }

  /// Something that happened, and its number in the order of the rows: things of one time keep that order, so that an
  /// app is left before the next one is opened.
  private struct Noted {
    var number: Int
    var happening: Diary.Happening
  }

  private var diary: Diary
  private let name: (UInt32) -> String
  private var places: [UInt32: Int32] = [:]
  private var lastEnd: [Int64?] = []
  private var lastDay: [Int64] = []
  private var isOpen: [Bool] = []
  /// The app in the foreground, and when it was seen there last.
  private var current: (app: Int32, seen: Int64)?
  private var lastRow: Int64?
  private var slot = Int64.min
  private var parts: [Part] = []
  /// The index of each app's part; -1 without one.
  private var placesOfParts: [Int] = []
  private var noticed: Noted?
  private var notes = 0

  init(user: String, name: @escaping (UInt32) -> String) { (diary, self.name) = (Diary(user: user), name) }

  /// Takes the next row. A row of the system ends an app's visit and shows that the device is in use.
  mutating func add(_ row: TraceRow, isSystem: Bool) {
    expire(before: row.time)
    turn(to: row.time)
    noticed = note(.noticed, of: -1, at: row.time)
    let day = row.time / 86_400
    if diary.days.last != day { diary.days.append(day) }
    let place = isSystem ? nil : self.place(of: row.app)
    switch row.kind {
    case .seen: see(place, at: row.time)
    case .closed: if let current, current.app == place { leave(current.app, at: row.time) }
    }
    lastRow = row.time
  }

  /// The diary, once all rows were added.
  mutating func finish() -> Diary {
    expire(before: .max)
    flush()
    return diary
  }

  private mutating func place(of app: UInt32) -> Int32 {
    if let place = places[app] { return place }
    let place = Int32(diary.apps.count)
    places[app] = place
    diary.apps.append(Diary.App(name: name(app)))
    lastEnd.append(nil)
    lastDay.append(.min)
    isOpen.append(false)
    placesOfParts.append(-1)
    return place
  }

  /// Ends a visit whose longest time is over.
  private mutating func expire(before time: Int64) {
    guard let current, current.seen + Self.visitMax < time else { return }
    turn(to: current.seen + Self.visitMax)
    leave(current.app, at: current.seen + Self.visitMax)
  }

  private mutating func see(_ place: Int32?, at time: Int64) {
    if let current, current.app == place {
      self.current = (current.app, time)
      return
    }
    if let current { leave(current.app, at: time) }
    guard let place else { return }
    open(place, at: time)
    current = (place, time)
  }

  private mutating func open(_ app: Int32, at time: Int64) {
    let index = Int(app)
    let isReturn = lastEnd[index].map { time - $0 <= Self.returnMax } ?? false
    let wasIdle = lastRow.map { time - $0 >= Self.idleMin } ?? true
    if !isReturn { countLaunch(index, at: time) }
    addTraffic(at: time)
    let part = part(of: app)
    if parts[part].opened == nil {
      parts[part].opened = note(isReturn ? .returned : wasIdle ? .launchedAfterIdle : .launched, of: app, at: time)
    }
    isOpen[index] = true
  }

  private mutating func countLaunch(_ index: Int, at time: Int64) {
    diary.apps[index].launches += 1
    if lastDay[index] != time / 86_400 { diary.apps[index].days += 1 }
    lastDay[index] = time / 86_400
  }

  private mutating func addTraffic(at time: Int64) {
    let end = time + Self.switchSeconds
    if let last = diary.traffic.last, last.upperBound >= time {
      diary.traffic[diary.traffic.count - 1] = last.lowerBound..<end
    } else {
      diary.traffic.append(time..<end)
    }
  }

  private mutating func leave(_ app: Int32, at time: Int64) {
    let part = part(of: app)
    parts[part].left = note(.left, of: app, at: time)
    lastEnd[Int(app)] = time
    isOpen[Int(app)] = false
    current = nil
  }

  private mutating func part(of app: Int32) -> Int {
    if placesOfParts[Int(app)] < 0 {
      placesOfParts[Int(app)] = parts.count
      parts.append(Part(app: app, wasOpen: isOpen[Int(app)]))
    }
    return placesOfParts[Int(app)]
  }

  /// Begins the five minutes that a time belongs to: those after one tick, up to and including the next.
  private mutating func turn(to time: Int64) {
    let next = (time + Self.tick - 1) / Self.tick
    guard next != slot else { return }
    flush()
    slot = next
  }

  private mutating func note(_ kind: Diary.Kind, of app: Int32, at time: Int64) -> Noted {
    notes += 1
    return Noted(number: notes, happening: Diary.Happening(time: time, app: app, kind: kind))
  }

  private mutating func flush() {
    var written = [noticed].compactMap { $0 }
    for part in parts {
      written += whatIsLeft(of: part)
      placesOfParts[Int(part.app)] = -1
    }
    written.sort { $0.number < $1.number }
    diary.happenings += written.map(\.happening)
    parts.removeAll(keepingCapacity: true)
    noticed = nil
  }

  /// What is left of one app's coming and going within five minutes.
  private func whatIsLeft(of part: Part) -> [Noted] {
    let isOpen = isOpen[Int(part.app)]
    if part.wasOpen, isOpen { return [] }
    return [part.wasOpen ? nil : part.opened, isOpen ? nil : part.left].compactMap { $0 }
  }
}
