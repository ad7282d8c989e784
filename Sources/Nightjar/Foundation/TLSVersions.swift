// Apple's Security framework has these; the values are those of RFC 8446 and RFC 9147.

/// A version of TLS.
public enum tls_protocol_version_t: UInt16, Sendable, Comparable {
  case TLSv10 = 0x0301
  case TLSv11 = 0x0302
  case TLSv12 = 0x0303
  case TLSv13 = 0x0304
  case DTLSv10 = 0xfeff
  case DTLSv12 = 0xfefd

  /// Orders older versions before newer ones, and TLS before DTLS.
  public static func < (one: Self, other: Self) -> Bool { one.age < other.age }

  private var age: Int {
    switch self {
    case .TLSv10: 0
    case .TLSv11: 1
    case .TLSv12: 2
    case .TLSv13: 3
    case .DTLSv10: 4
    case .DTLSv12: 5
    }
  }
}

/// A cipher suite of TLS by its number in IANA's registry.
public struct tls_ciphersuite_t: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A version of TLS as older code names it.
public enum SSLProtocol: Int32, Sendable {
  case sslProtocolUnknown = 0
  case tlsProtocol1 = 4
  case tlsProtocol11 = 7
  case tlsProtocol12 = 8
  case dtlsProtocol1 = 9
  case tlsProtocol13 = 10
  case dtlsProtocol12 = 11
  case tlsProtocolMaxSupported = 999

  /// The version as a `tls_protocol_version_t`; nil for no particular version.
  var version: tls_protocol_version_t? {
    switch self {
    case .sslProtocolUnknown, .tlsProtocolMaxSupported: nil
    case .tlsProtocol1: .TLSv10
    case .tlsProtocol11: .TLSv11
    case .tlsProtocol12: .TLSv12
    case .tlsProtocol13: .TLSv13
    case .dtlsProtocol1: .DTLSv10
    case .dtlsProtocol12: .DTLSv12
    }
  }

  init(_ version: tls_protocol_version_t) {
    self =
      switch version {
      case .TLSv10: .tlsProtocol1
      case .TLSv11: .tlsProtocol11
      case .TLSv12: .tlsProtocol12
      case .TLSv13: .tlsProtocol13
      case .DTLSv10: .dtlsProtocol1
      case .DTLSv12: .dtlsProtocol12
      }
  }
}
