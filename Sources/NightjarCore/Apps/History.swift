import NightjarModel

/// What has happened to one app lately, oldest first.
struct History: Sendable {
  /// The entries, behind those that have gone already: where one goes with each that comes, they are moved up once for many.
  private var all: [HistoryEntry] = []
  private var goneCount = 0

  var entries: ArraySlice<HistoryEntry> { all[goneCount...] }

  /// The number of the next entry.
  var next: Int64 { (all.last?.id.number ?? 0) + 1 }

  /// Takes in an entry; returns what has to go for it, at least the last one staying.
  mutating func add(_ entry: HistoryEntry, max: Int) -> [HistoryEntry.ID] {
    all.append(entry)
    let old = entries.prefix(Swift.max(entries.count - Swift.max(max, 1), 0)).map(\.id)
    goneCount += old.count
    if goneCount > Swift.max(max / 4, 8) { moveUp() }
    return old
  }

  /// Takes in an entry as it was saved.
  mutating func restore(_ entry: HistoryEntry) { all.append(entry) }

  private mutating func moveUp() {
    all.removeFirst(goneCount)
    goneCount = 0
  }

  /// Whether a life has begun of whose end nothing is known.
  var isOpen: Bool { entries.last { $0.kind.endsLife != nil }?.kind.endsLife == false }

  /// How the last life ended that did.
  var lastEnd: HistoryEntry? { entries.last { $0.kind.endsLife == true } }

  /// Why the last life that ended was ended; nil if it did so by itself.
  var lastReason: HistoryEntry? {
    guard let end = lastEnd else { return nil }
    return entries.last { $0.kind.isReason && $0.life == end.life && $0.id < end.id }
  }
}
