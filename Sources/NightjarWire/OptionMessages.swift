package import NightjarModel

// Translates the options of transfers between the protocols' types and the core's, for the daemon and NightjarTesting.

extension WireOptions {
  /// The options that a message asks for, as the core's type. `refuse` makes the interface's own error.
  package func options<Complaint: Error>(
    else refuse: (_ field: String, _ reason: String) -> Complaint
  ) throws(Complaint) -> TransferOptions {
    var options = TransferOptions()
    options.isDiscretionary = discretionary ?? false
    options.allowsCellular = allowsCellular ?? true
    options.allowsExpensive = allowsExpensive ?? true
    options.allowsConstrained = allowsConstrained ?? true
    options.earliestBegin = earliestBegin.map(Timestamp.init(nanoseconds:))
    (options.bytesExpectedToSend, options.bytesExpectedToReceive) = (expectedToSend, expectedToReceive)
    options.connectionsPerHostMax = connectionsPerHostMax.map { Int(clamping: $0) }
    options.bytesPerSecondMax = bytesPerSecondMax
    if let checksum {
      guard let read = Checksum(checksum) else {
        throw refuse("options.checksum", "'\(checksum)' is not like sha256:9f86d0…; sha512, sha1 and md5 are known too")
      }
      options.checksum = read
    }
    options.proxies = proxies.map { Proxies(http: $0.http, https: $0.https, exceptions: $0.exceptions ?? []) }
    if let tlsMinimum {
      guard let version = TLSVersion(rawValue: tlsMinimum) else {
        throw refuse("options.tlsMinimum", "'\(tlsMinimum)' is none of 1.0, 1.1, 1.2 and 1.3")
      }
      options.tlsMinimum = version
    }
    (options.showsAnswer, options.sessionFields) = (showsAnswer ?? false, sessionFields ?? [])
    return options
  }

  /// The options of a request; nil if all have their defaults.
  package init?(_ options: TransferOptions) {
    guard options != .ordinary else { return nil }
    self.init()
    if options.isDiscretionary { discretionary = true }
    if options.isFromBackground { background = true }
    if !options.allowsCellular { allowsCellular = false }
    if !options.allowsExpensive { allowsExpensive = false }
    if !options.allowsConstrained { allowsConstrained = false }
    earliestBegin = options.earliestBegin?.nanoseconds
    (expectedToSend, expectedToReceive) = (options.bytesExpectedToSend, options.bytesExpectedToReceive)
    connectionsPerHostMax = options.connectionsPerHostMax.map { Int64($0) }
    (bytesPerSecondMax, checksum) = (options.bytesPerSecondMax, options.checksum?.description)
    proxies = options.proxies.map {
      WireProxies(http: $0.http, https: $0.https, exceptions: $0.exceptions.isEmpty ? nil : $0.exceptions)
    }
    tlsMinimum = options.tlsMinimum?.rawValue
    if options.showsAnswer { showsAnswer = true }
    if !options.sessionFields.isEmpty { sessionFields = options.sessionFields }
  }
}
