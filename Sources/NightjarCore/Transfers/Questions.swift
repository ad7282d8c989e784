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
    let next = waiting[line]?.first?.key
    if next == nil { waiting[line] = nil }
    guard heard[line] == id else { return nil }
    heard[line] = next
    return next
  }

  /// The other transfers in a transfer's line.
  func others(inLineOf id: TransferID) -> [TransferID] {
    guard let line = lineOf[id] else { return [] }
    return (waiting[line]?.entries(after: nil, limit: .max) ?? []).map(\.key).filter { $0 != id }
  }
}
