import Foundation
import FoundationNetworking
import NightjarWire

extension URLSessionTaskMetrics {
  /// The daemon's metrics of a task's last attempt; nil without a request.
  convenience init?(_ wire: WireMetrics) {
    guard let first = wire.exchanges.first else { return nil }
    self.init(making: { Figures(wire, from: Date(nanoseconds: first.fetchStart)) })
  }
}

extension URLSessionTaskMetrics {
  /// The metrics of a task of whose attempts nothing is known: its request, and the moment of its end.
  convenience init(of task: URLSessionTask, endedAt now: Date) {
    let transactions = task.currentRequest.map { [URLSessionTaskTransactionMetrics(request: $0)] } ?? []
    self.init(transactions: transactions, interval: DateInterval(start: now, end: now), redirects: 0)
  }
}

extension URLSessionTaskMetrics.Figures {
  fileprivate init(_ wire: WireMetrics, from start: Date) {
    transactions = wire.exchanges.compactMap(URLSessionTaskTransactionMetrics.init)
    let end = transactions.compactMap { $0.responseEndDate ?? $0.requestEndDate ?? $0.fetchStartDate }.max() ?? start
    interval = DateInterval(start: start, end: max(start, end))
    redirects = Int(wire.redirects)
  }
}

extension URLSessionTaskTransactionMetrics {
  fileprivate convenience init?(_ wire: WireMetrics.Exchange) {
    guard let url = URL(string: wire.url) else { return nil }
    self.init(request: URLRequest(url: url))
    response = wire.status.flatMap {
      HTTPURLResponse(url: url, statusCode: Int($0), httpVersion: wire.protocol, headerFields: nil)
    }
    takeTimes(of: wire)
    takeConnection(of: wire)
    resourceFetchType = .networkLoad
    (countOfRequestHeaderBytesSent, countOfRequestBodyBytesSent) = (wire.requestHeaderBytes, wire.requestBodyBytes)
    countOfRequestBodyBytesBeforeEncoding = wire.requestBodyBytes
    countOfResponseHeaderBytesReceived = wire.responseHeaderBytes
    countOfResponseBodyBytesReceived = wire.responseBodyBytes
    countOfResponseBodyBytesAfterDecoding = wire.decodedBodyBytes
  }

  private func takeTimes(of wire: WireMetrics.Exchange) {
    fetchStartDate = Date(nanoseconds: wire.fetchStart)
    (domainLookupStartDate, domainLookupEndDate) = wire.lookup.dates
    (connectStartDate, connectEndDate) = wire.connect.dates
    (secureConnectionStartDate, secureConnectionEndDate) = wire.secure.dates
    (requestStartDate, requestEndDate) = wire.request.dates
    (responseStartDate, responseEndDate) = wire.response.dates
  }

  private func takeConnection(of wire: WireMetrics.Exchange) {
    (networkProtocolName, isReusedConnection, isProxyConnection) = (wire.protocol, wire.reused, wire.proxied)
    (localAddress, localPort) = (wire.local?.address, wire.local.map { Int($0.port) })
    (remoteAddress, remotePort) = (wire.remote?.address, wire.remote.map { Int($0.port) })
    negotiatedTLSProtocolVersion = wire.tlsVersion.flatMap { tls_protocol_version_t(rawValue: UInt16(clamping: $0)) }
  }
}

extension WireMetrics.Span? {
  fileprivate var dates: (Date?, Date?) {
    (self.map { Date(nanoseconds: $0.start) }, self?.end.map(Date.init(nanoseconds:)))
  }
}

extension Date {
  /// A time as the wire writes it: nanoseconds since 1970.
  init(nanoseconds: Int64) { self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}
