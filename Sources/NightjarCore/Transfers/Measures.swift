import NightjarModel

/// What the engine has measured of the latest attempts, until their transfers are forgotten.
///
/// Only for people and delegates: not durable, and the oldest goes when there is no room.
struct Measures: Sendable {
  private let limit: Int
  private var kept: [TransferID: (number: UInt64, metrics: TransferMetrics)] = [:]
  private var oldest = OrderedNumbers()

  /// Numbers in the order they were given out, some of which are void.
  private struct OrderedNumbers: Sendable {
    var next: UInt64 = 0
    var line: [(UInt64, TransferID)] = []
    var first = 0
  }

  init(limit: Int) { self.limit = limit }

  subscript(id: TransferID) -> TransferMetrics? { kept[id]?.metrics }

  mutating func keep(_ metrics: TransferMetrics, of id: TransferID) {
    guard limit > 0 else { return }
    oldest.next += 1
    kept[id] = (oldest.next, metrics)
    oldest.line.append((oldest.next, id))
    while kept.count > limit { dropOldest() }
    compact()
  }

  mutating func forget(_ id: TransferID) { kept[id] = nil }

  private mutating func dropOldest() {
    let (number, id) = oldest.line[oldest.first]
    oldest.first += 1
    if kept[id]?.number == number { kept[id] = nil }
  }

  /// Void numbers go before they outnumber the others.
  private mutating func compact() {
    guard oldest.line.count > 2 * limit + 16 else { return }
    oldest.line = oldest.line[oldest.first...].filter { number, id in kept[id]?.number == number }
    oldest.first = 0
  }
}
