/// How short of memory the device is.
public enum MemoryPressure: String, Hashable, Comparable, Sendable, CaseIterable {
  /// There is enough.
  case none
  /// Apps should give back what they can make again.
  case warning
  /// Memory has to be freed at once.
  case urgent

  private var rank: Int {
    switch self {
    case .none: 0
    case .warning: 1
    case .urgent: 2
    }
  }

  public static func < (a: MemoryPressure, b: MemoryPressure) -> Bool { a.rank < b.rank }
}

/// One life of one app.
public struct AppLifeID: Hashable, Sendable {
  /// The app.
  public var app: AppID
  /// Which of its lives, counted from 1.
  public var life: Int

  /// A life of an app.
  public init(_ app: AppID, life: Int) { (self.app, self.life) = (app, life) }
}

/// A measurement of memory.
public struct MemoryReading: Hashable, Sendable {
  /// How short it is now.
  public var pressure: MemoryPressure
  /// Bytes that the machine has.
  public var total: Int64
  /// Bytes that lives take up, in memory and swapped out. A life that is not named is gone, or takes up less than
  /// others.
  public var footprints: [AppLifeID: Int64]

  /// What was measured.
  public init(pressure: MemoryPressure, total: Int64, footprints: [AppLifeID: Int64]) {
    (self.pressure, self.total, self.footprints) = (pressure, total, footprints)
  }
}
