import NightjarModel

/// What one app has yet to be told, in order: told once to each attachment, kept until it is acknowledged.
struct WakeQueue: Sendable {
  /// What waits for one session; every number stands in exactly one of `unsent`, `inFlight` and `parked`.
  private struct Line: Sendable {
    /// To be sent to the next holder of the session, or to the present one as soon as there is room.
    var unsent = OrderedIndex<Int64, Void>()
    /// Sent to the present holder, and not acknowledged.
    var inFlight = OrderedIndex<Int64, Void>()
    var parked = OrderedIndex<Int64, Void>()
    /// Those that are questions and not parked.
    var questions = OrderedIndex<Int64, Void>()

    var isEmpty: Bool { unsent.isEmpty && inFlight.isEmpty && parked.isEmpty }

    mutating func remove(_ number: Int64) {
      (unsent[number], inFlight[number], parked[number], questions[number]) = (nil, nil, nil, nil)
    }
  }

  private var wakes: [Int64: Wake] = [:]
  private var lines: [String: Line] = [:]
  private var numbers: [TransferID: Int64] = [:]

  /// What the app is to do, beside what it is to be told: one errand at a time.
  var errand: Errand? {
    get { box?.value }
    set { box = newValue.map { Shared($0) } }
  }
  /// In a box, since it is large and apps mostly have none.
  private var box: Shared<Errand>?
  /// Those parts of it that are asked for far more often than the whole.
  var hasErrand: Bool { box != nil }
  var errandKind: Errand.Kind? { box?.value.kind }
  var errandStage: Errand.Stage? { box?.value.stage }
  func errandDue(warning: Duration) -> Age? { box?.value.due(warning: warning) }

  subscript(number: Int64) -> Wake? { wakes[number] }
  func number(of transfer: TransferID) -> Int64? { numbers[transfer] }
  var count: Int { wakes.count }
  /// How many of them are questions.
  private(set) var questionCount = 0
  var isEmpty: Bool { wakes.isEmpty && !hasErrand }

  /// The sessions with wakes that are not parked, by name.
  var sessions: [String] { lines.isEmpty ? [] : lines.keys.sorted().filter(waits) }
  /// Wakes that crashed the app too often, lowest number first.
  var parked: [Wake] {
    lines.keys.sorted().flatMap { lines[$0]!.parked.entries(after: nil, limit: .max) }.map { wakes[$0.key]! }
  }

  /// Whether a session has wakes that are not parked.
  func waits(_ session: String) -> Bool { lines[session].map { !$0.unsent.isEmpty || !$0.inFlight.isEmpty } ?? false }
  /// Whether a session has questions that are not parked.
  func asks(_ session: String) -> Bool { lines[session].map { !$0.questions.isEmpty } ?? false }
  /// Whether everything that waits for a session has been sent to its holder.
  func isSent(_ session: String) -> Bool { lines[session]?.unsent.isEmpty ?? true }
  /// Whether events of a session were sent and not yet acknowledged.
  func isInFlight(_ session: String) -> Bool { lines[session].map { !$0.inFlight.isEmpty } ?? false }
  /// The numbers of all wakes that are written down, parked ones too.
  var allNumbers: [Int64] { wakes.values.filter { !$0.isQuestion }.map(\.number).sorted() }
  /// Events sent and not yet acknowledged.
  var inFlight: Int { lines.values.reduce(0) { $0 + $1.inFlight.count } }

  /// Takes in a wake, or one that has changed: it will be sent, once, unless it is parked.
  mutating func keep(_ wake: Wake, crashesMax: Int) {
    if wake.isQuestion, wakes[wake.number] == nil { questionCount += 1 }
    wakes[wake.number] = wake
    numbers[wake.transfer] = wake.number
    let isParked = wake.crashes >= crashesMax
    if !isParked, lines[wake.session]?.inFlight[wake.number] != nil { return }
    lines[wake.session, default: Line()].remove(wake.number)
    if isParked {
      lines[wake.session]?.parked[wake.number] = ()
    } else {
      lines[wake.session]?.unsent[wake.number] = ()
      if wake.isQuestion { lines[wake.session]?.questions[wake.number] = () }
    }
  }

  /// Forgets an acknowledged wake.
  mutating func remove(_ number: Int64) -> Wake? {
    guard let wake = wakes.removeValue(forKey: number) else { return nil }
    numbers[wake.transfer] = nil
    if wake.isQuestion { questionCount -= 1 }
    lines[wake.session]?.remove(number)
    if lines[wake.session]?.isEmpty == true { lines[wake.session] = nil }
    return wake
  }

  /// Has all events of a session sent again from the first: it has a new holder, or none.
  mutating func rewind(_ session: String) {
    guard let sent = lines[session]?.inFlight, !sent.isEmpty else { return }
    for (number, _) in sent.entries(after: nil, limit: .max) { lines[session]?.unsent[number] = () }
    lines[session]?.inFlight = .init()
  }

  /// The events to send next, with at most `max` in flight.
  mutating func send(_ session: String, inFlightMax max: Int) -> [Wake] {
    guard let line = lines[session], line.inFlight.count < max else { return [] }
    let next = line.unsent.entries(after: nil, limit: max - line.inFlight.count).map(\.key)
    for number in next {
      lines[session]?.unsent[number] = nil
      lines[session]?.inFlight[number] = ()
    }
    return next.map { wakes[$0]! }
  }

  /// The event that the app was most likely handling for a session: the first that waits.
  func first(_ session: String) -> Wake? {
    guard let line = lines[session] else { return nil }
    return [line.inFlight.first, line.unsent.first].compactMap { $0?.key }.min().flatMap { wakes[$0] }
  }
}
