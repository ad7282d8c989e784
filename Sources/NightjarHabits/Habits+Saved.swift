public import NightjarModel

/// The saved form: four bytes that say what it is and in which version, then the person, then each app, then a sum over
/// all bytes before it. An app takes about 1.2 kB.
extension Habits {
  /// Everything that was learned, as bytes. Habits restored from them go on exactly as these would.
  public var saved: [UInt8] {
    var writer = SavedWriter()
    writer.add(latest == nil ? Int64(0) : 1)
    writer.add(latest?.seconds ?? 0)
    writer.add(latest?.offset ?? 0)
    for number in [lived, active, openUntil] { writer.add(number) }
    for bits in [recentSlots, recentActivity] { writer.add(bits) }
    writer.add(weight)
    person.save(into: &writer)
    writer.add(Int64(apps.count))
    for app in apps { app.save(into: &writer) }
    let bytes = Self.mark + [Self.version] + writer.bytes
    var sum = SavedWriter()
    sum.add(Self.sum(bytes[...]))
    return bytes + sum.bytes
  }

  /// How many bytes the person's own part takes when saved, and how many an app does.
  public static let byteCount = Habits().saved.count
  public static func byteCount(of app: AppID) -> Int { byteCountOfNumbers + app.rawValue.utf8.count }

  private static let byteCountOfNumbers: Int = {
    var writer = SavedWriter()
    let app = AppHabits(id: AppID("a.b"), at: 0)
    app.save(into: &writer)
    return writer.bytes.count - app.id.rawValue.utf8.count
  }()

  /// Restores saved habits.
  ///
  /// - Throws: `HabitsError` for bytes that are no saved habits, of a newer version, or damaged in any way.
  public init(saved bytes: [UInt8]) throws(HabitsError) {
    guard bytes.count > Self.mark.count, bytes.starts(with: Self.mark) else { throw .notHabits }
    guard bytes[Self.mark.count] == Self.version else { throw .newerVersion(Int(bytes[Self.mark.count])) }
    var end = SavedReader(bytes.suffix(8))
    guard try end.bits() == Self.sum(bytes.dropLast(8)) else { throw .damaged("their sum is wrong") }
    var reader = SavedReader(bytes.dropLast(8).dropFirst(Self.mark.count + 1))
    self.init()
    try readMoment(&reader)
    person = try PersonHabits(&reader)
    for _ in 0..<(try reader.whole("the number of apps", in: 0...Int64(Self.appsMax))) {
      let app = try AppHabits(&reader, lived: lived)
      guard places.updateValue(apps.count, forKey: app.id) == nil else { throw .damaged("\(app.id) is there twice") }
      apps.append(app)
    }
    guard reader.isAtEnd else { throw .damaged("there are bytes at their end that mean nothing") }
  }

  private mutating func readMoment(_ reader: inout SavedReader) throws(HabitsError) {
    let isKnown = try reader.whole("a mark", in: 0...1) == 1
    let seconds = Int64(bitPattern: try reader.bits())
    let time = LocalTime(seconds: seconds, offset: Int64(bitPattern: try reader.bits()))
    latest = isKnown ? time : nil
    lived = try reader.whole("the device's life", in: 0...Self.livedMax)
    active = try reader.whole("the latest use", in: 0...lived)
    openUntil = try reader.whole("the end of a visit", in: 0...lived + Self.visitMax)
    recentSlots = try reader.steps(max: Slot.count)
    recentActivity = try reader.steps(max: Activity.count)
    guard recentSlots.nonzeroBytes == recentActivity.nonzeroBytes else { throw .damaged("ticks are missing") }
    weight = try reader.weight()
    guard (1...Self.weightMax * 2).contains(weight) else { throw .damaged("evidence weighs \(weight)") }
  }

  /// FNV-1a over eight bytes' numbers: it finds what was lost or changed by accident, and is no proof against intent.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static let mark: [UInt8] = [0x4e, 0x4a, 0x68]
  private static let version: UInt8 = 1
  /// A thousand years, so that no sum of times can overflow.
  static let livedMax: Int64 = 1000 * 366 * 86_400
}

extension PersonHabits {
  fileprivate init(_ reader: inout SavedReader) throws(HabitsError) {
    ticks = try reader.weights(Slot.count)
    totals = try reader.weights(2)
    profile = try reader.evidence(Slot.count)
    gaps = try reader.evidence(Gap.count)
    activity = try reader.evidence(Activity.count)
  }

  fileprivate func save(into writer: inout SavedWriter) {
    writer.add(ticks)
    writer.add(totals)
    for evidence in [profile, gaps, activity] { writer.add(evidence) }
  }
}

extension AppHabits {
  fileprivate init(_ reader: inout SavedReader, lived: Int64) throws(HabitsError) {
    let name = try reader.text(max: 128)
    guard AppID.isValid(name) else { throw .damaged("no app is called \(name)") }
    self.init(id: AppID(name), at: 0)
    visits = try reader.whole("a number of visits", in: 0...Int64(1) << 40)
    opened = try reader.whole("a visit's begin", in: 0...lived)
    used = try reader.whole("a visit's end", in: 0...lived)
    isOpen = try reader.whole("a mark", in: 0...1) == 1
    recent = try reader.steps(max: Gap.count)
    total = try reader.weight()
    for kind in 0...1 { ticks[kind] = try reader.weight() }
    uses = try reader.weights(Slot.count)
    gaps = try reader.evidence(Gap.count)
  }

  fileprivate func save(into writer: inout SavedWriter) {
    writer.add(id.rawValue)
    for number in [visits, opened, used, isOpen ? 1 : 0] { writer.add(number) }
    writer.add(recent)
    writer.add(total)
    for kind in 0...1 { writer.add(ticks[kind]) }
    writer.add(uses)
    writer.add(gaps)
  }
}

extension SavedReader {
  /// Eight steps of a kind that has so many, each a byte that is one more than the step, or 0.
  fileprivate mutating func steps(max: Int) throws(HabitsError) -> UInt64 {
    let steps = try bits()
    for shift in stride(from: UInt64(0), to: 64, by: 8) where (steps >> shift) & 0xff > UInt64(max) {
      throw .damaged("there is no step \(steps >> shift & 0xff)")
    }
    return steps
  }
}

extension UInt64 {
  /// Which of the eight bytes are not zero.
  fileprivate var nonzeroBytes: [Bool] { (0..<8).map { (self >> UInt64($0 * 8)) & 0xff != 0 } }
}
