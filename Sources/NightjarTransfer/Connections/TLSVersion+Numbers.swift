import NIOSSL
import NightjarModel

extension NightjarModel.TLSVersion {
  /// The version as NIOSSL names it.
  var inTLS: NIOSSL.TLSVersion {
    switch self {
    case .tls10: .tlsv1
    case .tls11: .tlsv11
    case .tls12: .tlsv12
    case .tls13: .tlsv13
    }
  }
}

extension NIOSSL.TLSVersion {
  /// The version as TLS numbers it on the wire (RFC 8446, section 4.1.2).
  var number: UInt16 {
    switch self {
    case .tlsv1: 0x0301
    case .tlsv11: 0x0302
    case .tlsv12: 0x0303
    case .tlsv13: 0x0304
    }
  }
}
