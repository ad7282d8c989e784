import NightjarModel

/// Which transfers ask what. Transfers of one session that ask the same stand in line, and the app hears only the first
/// of them: its answer may serve them all.
struct Questions: Sendable {
  /// What a session is asked.
  private struct Line: Hashable, Sendable {
    var session: SessionID
    var subject: Challenge.Subject
  }

  private var lineOf: [TransferID: Line] = [:]
  private var waiting: [Line: OrderedIndex<TransferID, Void>] = [:]
  private var heard: [Line: TransferID] = [:]
  /// Transfers that keep their place in line, though their questions are put no longer.
  private var parked: [Line: Set<TransferID>] = [:]
  /// Transfers whose questions concern no other.
  private var alone: Set<TransferID> = []

  func contains(_ id: TransferID) -> Bool { lineOf[id] != nil || alone.contains(id) }
  /// All transfers that ask.
  var all: [TransferID] { (Array(lineOf.keys) + alone).sorted() }

  /// Lets a transfer stand in line. True if it is heard at once.
  mutating func enter(_ id: TransferID, _ question: Question, of session: SessionID) -> Bool {
    guard case .challenge(let challenge) = question else {
      alone.insert(id)
      return true
    }
    let line = Line(session: session, subject: challenge.subject)
    lineOf[id] = line
    waiting[line, default: .init()][id] = ()
    guard heard[line] == nil else { return false }
    heard[line] = id
    return true
  }

  /// Takes a transfer out of its line. Returns the one to be heard next, if this one was heard.
  mutating func leave(_ id: TransferID) -> TransferID? {
    alone.remove(id)
    guard let line = lineOf.removeValue(forKey: id) else { return nil }
    waiting[line]?[id] = nil
    parked[line]?.remove(id)
    if waiting[line]?.isEmpty == true { (waiting[line], parked[line]) = (nil, nil) }
    return heard[line] == id ? hearNext(in: line) : nil
  }

  /// Notes that a transfer's question crashed its app too often. Returns the one to be heard meanwhile, if this one was
  /// heard.
  mutating func park(_ id: TransferID) -> TransferID? {
    guard let line = lineOf[id] else { return nil }
    parked[line, default: []].insert(id)
    return heard[line] == id ? hearNext(in: line) : nil
  }

  private mutating func hearNext(in line: Line) -> TransferID? {
    let silent = parked[line] ?? []
    let first = waiting[line]?.entries(after: nil, limit: silent.count + 1) ?? []
    heard[line] = first.map(\.key).first { !silent.contains($0) }
    return heard[line]
  }

  /// Whether a transfer stands behind another, so that its app has not heard its question yet.
  func isBehind(_ id: TransferID) -> Bool {
    guard let line = lineOf[id] else { return false }
    return heard[line] != id && parked[line]?.contains(id) != true
  }

  /// The other transfers in a transfer's line.
  func others(inLineOf id: TransferID) -> [TransferID] {
    guard let line = lineOf[id] else { return [] }
    return (waiting[line]?.entries(after: nil, limit: .max) ?? []).map(\.key).filter { $0 != id }
  }
}
