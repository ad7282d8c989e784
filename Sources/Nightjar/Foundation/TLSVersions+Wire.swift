extension tls_protocol_version_t {
  /// The version as the daemon names it; nil for DTLS, which HTTP does not use.
  var wireName: String? {
    switch self {
    case .TLSv10: "1.0"
    case .TLSv11: "1.1"
    case .TLSv12: "1.2"
    case .TLSv13: "1.3"
    case .DTLSv10, .DTLSv12: nil
    }
  }
}
