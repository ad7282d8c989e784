import NightjarModel

/// Options as lines of a name and a value, one for each that differs from its default.
///
/// An unknown name makes the row damaged: a newer version wrote it, and its migration should have announced it.
extension TransferOptions {
  var lines: [HTTPField] {
    var lines: [HTTPField] = []
    if isDiscretionary { lines.append(HTTPField("discretionary", "yes")) }
    if isFromBackground { lines.append(HTTPField("background", "yes")) }
    if !allowsCellular { lines.append(HTTPField("cellular", "no")) }
    if !allowsExpensive { lines.append(HTTPField("expensive", "no")) }
    if !allowsConstrained { lines.append(HTTPField("constrained", "no")) }
    if let earliestBegin { lines.append(HTTPField("earliest_begin", "\(earliestBegin.nanoseconds)")) }
    if let bytesExpectedToSend { lines.append(HTTPField("expected_to_send", "\(bytesExpectedToSend)")) }
    if let bytesExpectedToReceive { lines.append(HTTPField("expected_to_receive", "\(bytesExpectedToReceive)")) }
    if let connectionsPerHostMax { lines.append(HTTPField("connections_per_host_max", "\(connectionsPerHostMax)")) }
    if let bytesPerSecondMax { lines.append(HTTPField("bytes_per_second_max", "\(bytesPerSecondMax)")) }
    if let checksum { lines.append(HTTPField("checksum", "\(checksum)")) }
    if let tlsMinimum { lines.append(HTTPField("tls_minimum", tlsMinimum.rawValue)) }
    if showsAnswer { lines.append(HTTPField("shows_answer", "")) }
    return lines + sessionFields.map { HTTPField("session_field", $0) } + (proxies?.lines ?? [])
  }

  init(lines: [HTTPField]) throws(DamagedRow) {
    self.init()
    for line in lines { try take(line) }
  }

  private mutating func take(_ line: HTTPField) throws(DamagedRow) {
    switch line.name {
    case "discretionary": isDiscretionary = try line.flag()
    case "background": isFromBackground = try line.flag()
    case "cellular": allowsCellular = try line.flag()
    case "expensive": allowsExpensive = try line.flag()
    case "constrained": allowsConstrained = try line.flag()
    case "earliest_begin": earliestBegin = Timestamp(nanoseconds: try line.number())
    case "expected_to_send": bytesExpectedToSend = try line.number()
    case "expected_to_receive": bytesExpectedToReceive = try line.number()
    case "connections_per_host_max": connectionsPerHostMax = try line.number()
    case "bytes_per_second_max": bytesPerSecondMax = try line.number()
    case "checksum": checksum = try line.value(Checksum.init)
    case "tls_minimum": tlsMinimum = try line.value(TLSVersion.init(rawValue:))
    case "shows_answer": showsAnswer = true
    case "session_field": sessionFields.append(line.value)
    case "proxies": proxies = Proxies()
    case "proxy_http": proxies?.http = line.value
    case "proxy_https": proxies?.https = line.value
    case "proxy_except": proxies?.exceptions.append(line.value)
    default: throw DamagedRow(detail: "its option '\(line.name)' is not known")
    }
  }
}

extension Proxies {
  /// The first line says that the transfer has its own proxy settings, even if all of them are empty.
  fileprivate var lines: [HTTPField] {
    let servers = [("proxy_http", http), ("proxy_https", https)].compactMap { name, url in
      url.map { HTTPField(name, $0) }
    }
    return [HTTPField("proxies", "own")] + servers + exceptions.map { HTTPField("proxy_except", $0) }
  }
}

extension HTTPField {
  fileprivate func flag() throws(DamagedRow) -> Bool {
    try value { $0 == "yes" ? true : $0 == "no" ? false : nil }
  }

  fileprivate func number<Number: FixedWidthInteger>() throws(DamagedRow) -> Number { try value { Number($0) } }

  fileprivate func value<Value>(_ read: (String) -> Value?) throws(DamagedRow) -> Value {
    guard let value = read(value) else { throw DamagedRow(detail: "its option '\(name)' cannot be '\(self.value)'") }
    return value
  }
}
