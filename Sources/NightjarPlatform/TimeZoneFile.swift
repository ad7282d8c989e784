public import NightjarModel

/// Reads a time zone as tzfile(5) and RFC 8536 have it.
public enum TimeZoneFile {
  /// The years up to which the rule at the file's end is written out.
  static let yearMax = 2100
  /// No change is further from 1970 than this, in seconds (35,000 years), except the first, which in some files stands
  /// for the beginning of all time.
  private static let distanceMax: Int64 = 1 << 40

  /// The rules in a file's bytes; nil if they are no time zone.
  public static func rules(_ bytes: [UInt8], name: String) -> ZoneRules? {
    guard let old = Header(bytes, at: 0) else { return nil }
    guard old.version >= 2 else { return old.rules(bytes, timeSize: 4, name: name)?.rules }
    let start = Header.size + old.bodySize(timeSize: 4)
    guard let header = Header(bytes, at: start), let data = header.rules(bytes, timeSize: 8, name: name) else {
      return nil
    }
    var rules = data.rules
    if let rule = footer(bytes, from: data.end) { rule.extend(&rules, through: yearMax) }
    return rules
  }

  /// The rule between the two line feeds that follow the data.
  private static func footer(_ bytes: [UInt8], from start: Int) -> ZoneRule? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\n") else { return nil }
    let text = bytes[(start + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    return ZoneRule(String(decoding: text, as: UTF8.self))
  }

  /// The counts at the beginning of each of the two data blocks.
  private struct Header {
    static let size = 44
    let start: Int
    let version: Int
    let counts: [Int]  // UT indicators, standard indicators, leap seconds, times, types, characters.

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      self.start = start
      version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
      counts = (0..<6).map { Int(bytes.integer(at: start + 20 + 4 * $0, size: 4)) }
      guard counts.allSatisfy({ (0...bytes.count).contains($0) }) else { return nil }
    }

    func bodySize(timeSize: Int) -> Int {
      counts[3] * (timeSize + 1) + counts[4] * 6 + counts[5] + counts[2] * (timeSize + 4) + counts[1] + counts[0]
    }

    func rules(_ bytes: [UInt8], timeSize: Int, name: String) -> (rules: ZoneRules, end: Int)? {
      let times = start + Self.size
      let (indexes, types) = (times + counts[3] * timeSize, times + counts[3] * (timeSize + 1))
      let end = times + bodySize(timeSize: timeSize)
      guard end <= bytes.count, counts[4] > 0 else { return nil }
      let offsets = (0..<counts[4]).map { bytes.integer(at: types + 6 * $0, size: 4) }
      var rules = ZoneRules(name: name, offset: offsets[0])
      for number in 0..<counts[3] {
        let type = Int(bytes[indexes + number])
        let time = bytes.integer(at: times + number * timeSize, size: timeSize)
        let at = number == 0 ? max(time, -distanceMax) : time
        guard type < offsets.count, at > rules.changes.last?.at ?? .min, at <= distanceMax else { return nil }
        rules.changes.append(.init(at: at, offset: offsets[type]))
      }
      return (rules, end)
    }
  }
}

extension [UInt8] {
  /// A signed integer, highest byte first.
  fileprivate func integer(at index: Int, size: Int) -> Int64 {
    let bits = self[index..<index + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }
}
