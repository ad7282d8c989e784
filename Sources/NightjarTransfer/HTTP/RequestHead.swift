import NIOHTTP1
import NightjarModel

extension HTTPRequestHead {
  /// The head of one request of a transfer.
  ///
  /// `Accept-Encoding: identity` unless the client chose otherwise: a coded body could not be resumed. Fields that
  /// belong to the connection are ours to send, not the client's.
  ///
  /// - Parameter isConditional: Whether the rest is asked for only if it is still of the same version (`If-Range`).
  init(_ itinerary: Itinerary, rest: ResumePoint?, isConditional: Bool = true, bodyLength: Int64?) {
    var headers: HTTPHeaders = ["Host": itinerary.address.hostField]
    for field in itinerary.headers
    where !HTTPField.belongsToConnection(field.name) && field.name.lowercased() != "cookie" {
      headers.add(name: field.name, value: field.value)
    }
    if let cookies = itinerary.cookies { headers.add(name: "Cookie", value: cookies) }
    for (name, value) in [("Accept", "*/*"), ("Accept-Encoding", "identity"), ("User-Agent", "Nightjar/1")]
    where !headers.contains(name: name) { headers.add(name: name, value: value) }
    if let rest, let condition = rest.validator?.fieldValue {
      headers.add(name: "Range", value: "bytes=\(rest.offset)-")
      if isConditional { headers.add(name: "If-Range", value: condition) }
    }
    if let bodyLength { headers.add(name: "Content-Length", value: "\(bodyLength)") }
    let method = HTTPMethod(rawValue: itinerary.method)
    self.init(version: .http1_1, method: method, uri: itinerary.address.target, headers: headers)
  }

  /// Addresses a proxy that reads the request (RFC 9112, section 3.2.2).
  mutating func address(_ address: WebAddress, through proxy: ProxyServer) {
    uri = address.text
    if let authorization = proxy.authorization {
      headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
    }
  }
}

extension TransferRequest {
  /// Refuses what could not be sent as it is, before anything is.
  func checkSendable() throws(TransferFailure) {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte), method != "CONNECT", method != "TRACE" else {
      throw TransferFailure(.badURL, "the method cannot be used for a transfer: \(method.prefix(40))")
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte),
        HTTPField.carries(field.value)
      else {
        throw TransferFailure(.badURL, "a header field cannot be sent: \(field.name.prefix(40).debugDescription)")
      }
    }
  }

  /// Whether the answer to a later request for the rest would be the rest of this one's.
  var isResumable: Bool {
    !isUpload && method == "GET" && body.isEmpty
      && !headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
