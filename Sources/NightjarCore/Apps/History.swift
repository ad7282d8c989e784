import NightjarModel

/// What has happened to one app lately, oldest first.
struct History: Sendable {
  private(set) var entries: [HistoryEntry] = []

  /// The number of the next entry.
  var next: Int64 { (entries.last?.id.number ?? 0) + 1 }

  /// Takes in an entry; returns what has to go for it, at least the last one staying.
  mutating func add(_ entry: HistoryEntry, max: Int) -> [HistoryEntry.ID] {
    entries.append(entry)
    let old = entries.prefix(Swift.max(entries.count - Swift.max(max, 1), 0)).map(\.id)
    entries.removeFirst(old.count)
    return old
  }

  /// Takes in an entry as it was saved.
  mutating func restore(_ entry: HistoryEntry) { entries.append(entry) }

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
