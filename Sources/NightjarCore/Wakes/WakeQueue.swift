import NightjarModel

/// What one app has yet to be told, in order: told once to each attachment, kept until it is acknowledged.
struct WakeQueue: Sendable {
  /// What waits for one session.
  private struct Line: Sendable {
    var waiting = OrderedIndex<Int64, Void>()
    var parked = OrderedIndex<Int64, Void>()
    /// The last number that was sent to the present holder of the session.
    var cursor: Int64 = 0
    var inFlight = 0
  }

  private var wakes: [Int64: Wake] = [:]
  private var lines: [String: Line] = [:]
  private var numbers: [TransferID: Int64] = [:]

  subscript(number: Int64) -> Wake? { wakes[number] }
  func number(of transfer: TransferID) -> Int64? { numbers[transfer] }
  var count: Int { wakes.count }
  var isEmpty: Bool { wakes.isEmpty }

  /// The sessions for which something waits that is not parked, by name.
  var sessions: [String] { lines.filter { !$0.value.waiting.isEmpty }.keys.sorted() }
  /// Wakes that crashed the app too often, lowest number first.
  var parked: [Wake] {
    lines.keys.sorted().flatMap { lines[$0]!.parked.entries(after: nil, limit: .max) }.map { wakes[$0.key]! }
  }

  /// Whether something waits for a session that is not parked.
  func waits(_ session: String) -> Bool { lines[session]?.waiting.isEmpty == false }
  /// Whether everything that waits for a session has been sent to its holder.
  func isSent(_ session: String) -> Bool { lines[session].map { $0.waiting.last?.key ?? 0 <= $0.cursor } ?? true }
  /// Whether events of a session were sent and not yet acknowledged.
  func isInFlight(_ session: String) -> Bool { lines[session].map { $0.inFlight > 0 } ?? false }
  /// The numbers of all wakes, parked ones too.
  var allNumbers: [Int64] { wakes.keys.sorted() }
  /// Events sent and not yet acknowledged.
  var inFlight: Int { lines.values.reduce(0) { $0 + $1.inFlight } }

  /// Takes in a wake, or one that has changed.
  mutating func keep(_ wake: Wake, crashesMax: Int) {
    wakes[wake.number] = wake
    numbers[wake.transfer] = wake.number
    let isParked = wake.crashes >= crashesMax
    lines[wake.session, default: Line()].waiting[wake.number] = isParked ? nil : ()
    lines[wake.session, default: Line()].parked[wake.number] = isParked ? () : nil
  }

  /// Forgets an acknowledged wake.
  mutating func remove(_ number: Int64) -> Wake? {
    guard let wake = wakes.removeValue(forKey: number), var line = lines[wake.session] else { return nil }
    numbers[wake.transfer] = nil
    if line.waiting[number] != nil, number <= line.cursor { line.inFlight -= 1 }
    line.waiting[number] = nil
    line.parked[number] = nil
    lines[wake.session] = line.waiting.isEmpty && line.parked.isEmpty ? nil : line
    return wake
  }

  /// Begins to tell a session's events from the first: it has a new holder, or none.
  mutating func rewind(_ session: String) {
    lines[session]?.cursor = 0
    lines[session]?.inFlight = 0
  }

  /// The events to send next, with at most `max` in flight.
  mutating func send(_ session: String, inFlightMax max: Int) -> [Wake] {
    guard var line = lines[session], line.inFlight < max else { return [] }
    let next = line.waiting.entries(after: line.cursor, limit: max - line.inFlight)
    guard let last = next.last?.key else { return [] }
    (line.cursor, line.inFlight) = (last, line.inFlight + next.count)
    lines[session] = line
    return next.map { wakes[$0.key]! }
  }

  /// The event that the app was most likely handling for a session: the first that waits.
  func first(_ session: String) -> Wake? { lines[session]?.waiting.first.flatMap { wakes[$0.key] } }
}
