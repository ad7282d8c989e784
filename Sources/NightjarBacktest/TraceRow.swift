/// One line of a trace, with numbers for its names. 16 bytes, so that millions fit into memory.
struct TraceRow: Hashable {
  /// What a line tells.
  enum Kind: UInt32 {
    /// The app is in the foreground, and the person at the device.
    case seen
    /// The app has left the foreground.
    case closed
  }

  /// Seconds since 1970 on the person's clock.
  var time: Int64
  /// The person's number.
  var user: UInt32
  private var appAndKind: UInt32

  init(user: UInt32, time: Int64, app: UInt32, kind: Kind) {
    (self.user, self.time, appAndKind) = (user, time, app << 1 | kind.rawValue)
  }

  /// The app's number.
  var app: UInt32 { appAndKind >> 1 }
  /// What happened.
  var kind: Kind { appAndKind & 1 == 0 ? .seen : .closed }
}

/// Numbers for names, in the order in which they were first seen.
struct TraceNames {
  /// How many different names there may be: far more than a trace has, and few enough to keep.
  static let countMax = 1 << 20
  /// The longest name.
  static let bytesMax = 256

  private var numbers: [UInt64: UInt32] = [:]
  private var names: [[UInt8]] = []

  /// The name of a number.
  subscript(number: UInt32) -> String { String(decoding: names[Int(number)], as: UTF8.self) }

  /// The number of a name; nil if there are too many names.
  mutating func number(of name: UnsafeRawBufferPointer) -> UInt32? {
    var key: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a; another name of the same key takes the next key that is free.
    for byte in name { key = (key ^ UInt64(byte)) &* 0x100_0000_01b3 }
    while let number = numbers[key] {
      if names[Int(number)].elementsEqual(name) { return number }
      key &+= 1
    }
    guard names.count < Self.countMax else { return nil }
    names.append(Array(name))
    numbers[key] = UInt32(names.count - 1)
    return UInt32(names.count - 1)
  }
}
