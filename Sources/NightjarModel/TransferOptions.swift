/// What only some transfers ask for. Left as it is, a transfer goes as soon and as fast as it may.
///
/// They survive with the request; ``TransferRequest/options`` keeps them out of the way of the many transfers that ask
/// for nothing.
public struct TransferOptions: Hashable, Sendable {
  /// Whether the transfer waits for an unmetered network, external power, the end of low power mode, and a battery that
  /// is charging or not low (`isDiscretionary`).
  public var isDiscretionary = false
  /// Whether its app was running in the background when it queued it: then it waits like a discretionary one. Found out
  /// by the daemon, not asked for.
  public var isFromBackground = false
  /// Whether it may use a cellular network (`allowsCellularAccess`).
  public var allowsCellular = true
  /// Whether it may use a network that costs money (`allowsExpensiveNetworkAccess`).
  public var allowsExpensive = true
  /// Whether it may use a network on which the person saves data (`allowsConstrainedNetworkAccess`).
  public var allowsConstrained = true
  /// No attempt is begun before this time on the wall clock (`earliestBeginDate`).
  public var earliestBegin: Timestamp?
  /// The app's own guess of the bytes it will send, header fields included (`countOfBytesClientExpectsToSend`).
  public var bytesExpectedToSend: Int64?
  /// The app's own guess of the bytes it will receive (`countOfBytesClientExpectsToReceive`).
  public var bytesExpectedToReceive: Int64?
  /// At most so many of its session's transfers run with one host (`httpMaximumConnectionsPerHost`); nil leaves that to
  /// the daemon.
  public var connectionsPerHostMax: Int?
  /// At most so many bytes a second.
  public var bytesPerSecondMax: Int64?
  /// What the finished file must hash to.
  public var checksum: Checksum?
  /// Through which proxies it goes (`connectionProxyDictionary`); nil for the daemon's own settings.
  public var proxies: Proxies?
  /// The oldest TLS that it speaks (`tlsMinimumSupportedProtocolVersion`); nil for TLS 1.2.
  public var tlsMinimum: TLSVersion?
  /// Whether its app, shown the head of the final answer, has yet to say that it wants the body: a data task
  /// (`becomeDownload`).
  public var showsAnswer = false
  /// Which of the header fields its app's session has added (`httpAdditionalHeaders`, cookies): the app did not give
  /// them.
  public var sessionFields: [String] = []

  /// Nothing out of the ordinary.
  public init() {}

  /// Nothing out of the ordinary.
  public static let ordinary = TransferOptions()

  /// Why the transfer waits for the device's convenience; nil if it does not.
  public var discretion: Lack.Discretion? { isDiscretionary ? .asked : isFromBackground ? .background : nil }
}

/// The hash that a finished file must have.
public struct Checksum: Hashable, Sendable {
  /// How it is computed (FIPS 180-4; RFC 1321 for MD5). The raw value is its name on the wire.
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case sha256
    case sha512
    case sha1
    case md5

    /// The length of the hash in bytes.
    public var length: Int {
      switch self {
      case .sha256: 32
      case .sha512: 64
      case .sha1: 20
      case .md5: 16
      }
    }
  }

  /// How it is computed.
  public let algorithm: Algorithm
  /// Lowercase hexadecimal digits, two for each byte.
  public let digits: String

  /// A checksum of these hexadecimal digits in either case; nil if they are not as many as the algorithm yields.
  public init?(_ algorithm: Algorithm, digits: String) {
    guard digits.utf8.count == algorithm.length * 2, digits.utf8.allSatisfy(Self.isHexadecimal) else { return nil }
    (self.algorithm, self.digits) = (algorithm, digits.lowercased())
  }

  /// Reads what ``description`` writes, such as `sha256:9f86d0…`; nil for anything else.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let algorithm = Algorithm(rawValue: text[..<colon].lowercased()) else {
      return nil
    }
    self.init(algorithm, digits: String(text[text.index(after: colon)...]))
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }
}

extension Checksum: CustomStringConvertible {
  public var description: String { "\(algorithm.rawValue):\(digits)" }
}
