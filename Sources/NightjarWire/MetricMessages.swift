package import NightjarModel

extension WireMetrics {
  /// The measurements as a message.
  package init(_ metrics: TransferMetrics) {
    self.init(exchanges: metrics.exchanges.map(Exchange.init), redirects: Int64(metrics.redirects))
  }
}

extension WireMetrics.Exchange {
  fileprivate init(_ exchange: ExchangeMetrics) {
    self.init(url: exchange.url, fetchStart: exchange.fetchStart.nanoseconds)
    status = exchange.status.map { Int64($0) }
    (lookup, connect) = (exchange.lookup.map(WireMetrics.Span.init), exchange.connect.map(WireMetrics.Span.init))
    (secure, request) = (exchange.secure.map(WireMetrics.Span.init), exchange.request.map(WireMetrics.Span.init))
    response = exchange.response.map(WireMetrics.Span.init)
    (`protocol`, reused, proxied) = (exchange.protocolName, exchange.isReused, exchange.isProxied)
    local = exchange.local.map(WireMetrics.Endpoint.init)
    remote = exchange.remote.map(WireMetrics.Endpoint.init)
    tlsVersion = exchange.tlsVersion.map { Int64($0) }
    (requestHeaderBytes, requestBodyBytes) = (exchange.requestHeaderBytes, exchange.requestBodyBytes)
    (responseHeaderBytes, responseBodyBytes) = (exchange.responseHeaderBytes, exchange.responseBodyBytes)
    decodedBodyBytes = exchange.decodedBodyBytes
  }
}

extension WireMetrics.Span {
  fileprivate init(_ span: ExchangeMetrics.Span) {
    self.init(start: span.start.nanoseconds, end: span.end?.nanoseconds)
  }
}

extension WireMetrics.Endpoint {
  fileprivate init(_ endpoint: ExchangeMetrics.Endpoint) {
    self.init(address: endpoint.address, port: Int64(endpoint.port))
  }
}
