import NightjarModel

/// What has happened to one app lately, oldest first.
struct History: Sendable {
  private var latest = Latest<HistoryEntry>()

  var entries: ArraySlice<HistoryEntry> { latest.elements }

  /// The number of the next entry.
  var next: Int64 { (latest.last?.id.number ?? 0) + 1 }

  /// Adds an entry. Returns those that have to go for it; the newest always stays.
  mutating func add(_ entry: HistoryEntry, max: Int) -> [HistoryEntry.ID] {
    latest.append(entry)
    let max = Swift.max(max, 1)
    guard latest.count > max else { return [] }
    let old = entries.prefix(latest.count - max).map(\.id)
    latest.trim(to: max)
    return old
  }

  /// Takes in an entry as it was saved.
  mutating func restore(_ entry: HistoryEntry) { latest.append(entry) }

  /// Whether a life has begun whose end is not recorded. A reason to end it may be recorded even after its end.
  var isOpen: Bool { entries.last { $0.kind.endsLife != nil && !$0.kind.isReason }?.kind.endsLife == false }

  /// The end of the last life that has ended.
  var lastEnd: HistoryEntry? { entries.last { $0.kind.endsLife == true } }

  /// Why the last life that ended was ended; nil if it did so by itself.
  var lastReason: HistoryEntry? {
    guard let end = lastEnd else { return nil }
    return entries.last { $0.kind.isReason && $0.life == end.life && $0.id < end.id }
  }
}
