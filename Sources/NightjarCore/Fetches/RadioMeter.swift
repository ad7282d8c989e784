/// What one radio spends on transfers, and what each of them adds to that.
///
/// A transfer costs what it adds to what the radio does anyway. One that wakes the radio pays for the promotion and a
/// tail. One that begins within a tail pays for the part of it that is over, since the tail begins anew, and for the
/// time in which it keeps the radio active. One that overlaps with others pays for its bytes alone. The sum does not
/// depend on the order in which transfers are counted.
public struct RadioMeter: Hashable, Sendable {
  /// A time in which the radio is active.
  private struct Stretch: Hashable {
    var begin: Double
    var end: Double

    var seconds: Double { end - begin }
  }

  /// The radio.
  public let radio: Radio
  /// All that was spent, with the whole tail of the newest transfer.
  public private(set) var joules = 0.0
  /// The radio's latest active times, in order; none touches another.
  private var stretches: [Stretch] = []

  /// The least number of stretches remembered, and half of the most. A transfer that is counted so late that it began
  /// before all of them costs as much as if nothing had been before.
  private static let stretchesMin = 32

  /// A meter at zero.
  public init(_ radio: Radio) { self.radio = radio }

  /// Counts a transfer. Transfers that overlap keep the radio active once, and pay for the bytes of each.
  ///
  /// - Parameter begin: When it begins, in seconds from any moment.
  /// - Returns: What it adds to the total. It may be slightly negative for a transfer that fills a pause between
  ///   others: if the tail and the promotion that it spares them cost more than itself.
  @discardableResult
  public mutating func count(begin: Double, seconds: Double, received: Int64 = 0, sent: Int64 = 0) -> Double {
    let added = add(Stretch(begin: begin, end: begin + max(0, seconds)), received, sent)
    joules += added
    return added
  }

  private mutating func add(_ new: Stretch, _ received: Int64, _ sent: Int64) -> Double {
    let places = places(touchedBy: new)
    var (whole, seconds, pauses) = (new, new.seconds, pause(before: places.upperBound))
    if let first = places.first, let last = places.last {
      whole = Stretch(begin: min(new.begin, stretches[first].begin), end: max(new.end, stretches[last].end))
      seconds = whole.seconds
      for place in places {
        seconds -= stretches[place].seconds
        pauses += pause(before: place)
      }
    }
    let left = pause(stretch(places.lowerBound - 1), whole) + pause(whole, stretch(places.upperBound))
    keep(whole, at: places)
    return radio.joules(joining: seconds, received: received, sent: sent) + left - pauses
  }

  /// The stretches that a new one merges with, or the empty range where it belongs.
  private func places(touchedBy new: Stretch) -> Range<Int> {
    var upper = stretches.count
    while upper > 0, stretches[upper - 1].begin > new.end { upper -= 1 }
    var lower = upper
    while lower > 0, stretches[lower - 1].end >= new.begin { lower -= 1 }
    return lower..<upper
  }

  private func stretch(_ place: Int) -> Stretch? { stretches.indices.contains(place) ? stretches[place] : nil }

  private func pause(before place: Int) -> Double { pause(stretch(place - 1), stretch(place)) }

  /// The energy of the pause from one stretch to the next: the promotion before the first of all, the whole tail after
  /// the last.
  private func pause(_ first: Stretch?, _ second: Stretch?) -> Double {
    switch (first, second) {
    case (nil, nil): 0
    case (nil, _?): radio.promotion.joules
    case (_?, nil): radio.tailJoules()
    case (let first?, let second?): radio.joules(pausing: second.begin - first.end)
    }
  }

  private mutating func keep(_ whole: Stretch, at places: Range<Int>) {
    if places.lowerBound == stretches.count {
      stretches.append(whole)
    } else if places.isEmpty {
      stretches.insert(whole, at: places.lowerBound)
    } else {
      stretches[places.lowerBound] = whole
      if places.count > 1 { stretches.removeSubrange(places.dropFirst()) }
    }
    if stretches.count > 2 * Self.stretchesMin { stretches.removeFirst(Self.stretchesMin) }
  }
}
