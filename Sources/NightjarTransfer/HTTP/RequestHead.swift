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
  /// Throws `badURL` if the request's head could not be sent as it is, before anything is sent.
  func checkSendable() throws(TransferFailure) {
    if let fault = faultInHead { throw TransferFailure(.badURL, fault.reason) }
  }

  /// Whether a later request for the rest would get the rest of this request's answer.
  var isResumable: Bool {
    !isUpload && method == "GET" && body.isEmpty
      && !headers.contains { ["range", "if-range"].contains($0.name.lowercased()) }
  }
}
