/// The name of an app: the bundle identifier of an installed bundle, or the name under which a program registered.
public struct AppID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The reverse-domain name, such as `dev.nightjar.VideoFarm`.
  public let rawValue: String
  /// The hash of the name, computed once: apps are looked up by their names dozens of times in each turn.
  private let hash: Int

  /// Names an app; use ``isValid(_:)`` first for names that come from outside.
  public init(_ rawValue: String) { (self.rawValue, hash) = (rawValue, rawValue.hashValue) }

  public var description: String { rawValue }

  public static func < (a: AppID, b: AppID) -> Bool { a.rawValue < b.rawValue }
  public static func == (a: AppID, b: AppID) -> Bool { a.hash == b.hash && a.rawValue == b.rawValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// The owner of what is queued from the command line.
  public static let commandLine = AppID("dev.nightjar.cli")

  /// Whether a name may become the name of a folder and of a cgroup: 1 to 128 letters, digits, `.`, `-` and `_`,
  /// beginning with a letter or digit.
  public static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 128, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy {
      isAlphanumeric($0) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains($0)
    }
  }

  /// Whether a new app or program may take a name: a valid one that is not all digits, as the number of a transfer is.
  /// A name that was taken before stays valid.
  public static func mayBeTaken(_ name: String) -> Bool {
    isValid(name) && !name.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// A background session: the identifier that an app chose, within that app.
public struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The app that owns the session.
  public let app: AppID
  /// The identifier given to `URLSessionConfiguration.background(withIdentifier:)`.
  public let identifier: String

  /// Names a session of an app.
  public init(app: AppID, identifier: String) { (self.app, self.identifier) = (app, identifier) }

  public var description: String { "\(app)/\(identifier)" }

  public static func < (a: SessionID, b: SessionID) -> Bool { (a.app, a.identifier) < (b.app, b.identifier) }
}

/// The number of a transfer, given out once by one daemon's database and never again.
public struct TransferID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counts from 1.
  public let rawValue: Int64

  /// Names the transfer with this number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  public var description: String { "\(rawValue)" }

  public static func < (a: TransferID, b: TransferID) -> Bool { a.rawValue < b.rawValue }
}

/// The random 128-bit key by which a repeated request is recognised.
public struct RequestKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The upper 64 bits.
  public let high: UInt64
  /// The lower 64 bits.
  public let low: UInt64

  /// Makes a key of two random numbers.
  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Reads the 32 hexadecimal digits that ``description`` writes; nil for anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// 32 lowercase hexadecimal digits.
  public var description: String { Self.hex(high) + Self.hex(low) }

  public static func < (a: RequestKey, b: RequestKey) -> Bool { (a.high, a.low) < (b.high, b.low) }

  private static func hex(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// One boot of the machine, as `/proc/sys/kernel/random/boot_id` names it.
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's text for it.
  public let rawValue: String

  /// Names a boot.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }
}
