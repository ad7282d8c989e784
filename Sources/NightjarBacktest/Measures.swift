import NightjarCore
import NightjarModel

/// What is reported of one policy for one person.
struct Measures: Sendable {
  var fetchesPerAppDay: Double
  var fresh15: Double
  var fresh30: Double
  var fresh60: Double
  /// Nil where no launch came after an idle half hour.
  var idleFresh30: Double?
  var ageMedian: Double
  var ageP90: Double
  /// Nil where nothing was fetched.
  var wasted: Double?
  var wakesPerDay: Double
  /// Joules a day, for each of ``radios``.
  var joules: [Double]
  var joulesBatched: [Double]

  /// The radios whose energy is computed.
  static let radios = [Radio.lte, .umts, .wifi]

  /// Nil where the person launched nothing that counts.
  init?(_ tally: Tally, traffic: [Range<Int64>]) {
    guard !tally.ages.isEmpty else { return nil }
    let ages = tally.ages.sorted()
    fetchesPerAppDay = tally.fetchesPerAppDay
    fresh15 = Self.share(of: ages, minutes: 15)
    fresh30 = Self.share(of: ages, minutes: 30)
    fresh60 = Self.share(of: ages, minutes: 60)
    idleFresh30 = tally.agesAfterIdle.isEmpty ? nil : Self.share(of: tally.agesAfterIdle, minutes: 30)
    ageMedian = ages.quantile(0.5) / 60
    ageP90 = ages.quantile(0.9) / 60
    wasted = tally.fetches == 0 ? nil : 1 - Double(tally.usefulFetches) / Double(tally.fetches)
    wakesPerDay = Double(tally.batches.count) / Double(tally.days)
    joules = Self.radios.map { tally.joulesApart($0) }
    joulesBatched = Self.radios.map { tally.joulesBatched($0, traffic: traffic) }
  }

  private static func share(of ages: [Int64], minutes: Int64) -> Double {
    Double(ages.count { $0 <= minutes * 60 }) / Double(ages.count)
  }
}
