import NightjarCore

/// The result of one policy for one person, in the days that count.
struct Tally: Sendable {
  /// Fetches made at one tick.
  struct Batch: Sendable {
    var time: Int64
    var count: Int
  }

  var appDays = 0
  var days = 0
  /// How old the content was at each launch, in seconds.
  var ages: [Int64] = []
  /// The same for launches at least half an hour after the person's previous line.
  var agesAfterIdle: [Int64] = []
  var fetches = 0
  /// Fetches that were the last before a launch.
  var usefulFetches = 0
  var batches: [Batch] = []
  /// With content: launches that met its newest state, and fetches that brought nothing new.
  var (upToDate, inVain) = (0, 0)

  var fetchesPerAppDay: Double { Double(fetches) / Double(max(1, appDays)) }

  /// What fetches cost beside the person's own traffic, in joules a day: those of one tick in one go.
  func joulesBatched(_ radio: Radio, traffic: [Range<Int64>]) -> Double {
    var (with, without) = (RadioMeter(radio), RadioMeter(radio))
    var next = 0
    for batch in batches {
      while next < traffic.count, traffic[next].lowerBound <= batch.time {
        Self.count(traffic[next], &with)
        next += 1
      }
      with.count(batch)
    }
    for own in traffic[next...] { Self.count(own, &with) }
    for own in traffic { Self.count(own, &without) }
    return (with.joules - without.joules) / Double(max(1, days))
  }

  /// What fetches would cost if each had the radio to itself, in joules a day.
  func joulesApart(_ radio: Radio) -> Double {
    let each = radio.joules(apart: Fetching.seconds, received: Fetching.received, sent: Fetching.sent)
    return Double(fetches) * each / Double(max(1, days))
  }

  private static func count(_ own: Range<Int64>, _ meter: inout RadioMeter) {
    meter.count(begin: Double(own.lowerBound), seconds: Double(own.upperBound - own.lowerBound))
  }
}

/// What one fetch is assumed to be (protocol v1).
enum Fetching {
  static let received: Int64 = 100_000
  static let sent: Int64 = 10_000
  /// How long the first fetch of a batch takes, and how much longer each further one.
  static let (seconds, furtherSeconds) = (2.0, 0.5)
}

extension RadioMeter {
  fileprivate mutating func count(_ batch: Tally.Batch) {
    count(
      begin: Double(batch.time), seconds: Fetching.seconds + Fetching.furtherSeconds * Double(batch.count - 1),
      received: Fetching.received * Int64(batch.count), sent: Fetching.sent * Int64(batch.count))
  }
}
