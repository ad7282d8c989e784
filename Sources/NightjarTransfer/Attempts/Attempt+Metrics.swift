import NIOCore
import NIOHTTP1
import NightjarModel

/// What has been measured so far, the present request last.
struct Measuring {
  var metrics = TransferMetrics()
  /// Since when the present request is measured.
  var anchor: WallAnchor
}

/// What an attempt measures of each of its requests.
extension Attempt {
  /// Changes what is known of the present request.
  func measure(_ change: (inout ExchangeMetrics) -> Void) {
    guard !measuring.metrics.exchanges.isEmpty else { return }
    change(&measuring.metrics.exchanges[measuring.metrics.exchanges.count - 1])
  }

  /// Begins the metrics of a request, of which only the address is known. The URL of an upload resource is a secret
  /// between its server and the engine, so the metrics name the upload's own URL instead.
  func beginMeasuring() {
    measuring.anchor = WallAnchor(loop.now)
    if measuring.metrics.exchanges.count == TransferMetrics.exchangesMax { measuring.metrics.exchanges.removeFirst() }
    let (url, start) = (shownURL, measuring.anchor.fetchStart)
    measuring.metrics.exchanges.append(ExchangeMetrics(url: url, fetchStart: start))
  }

  /// Adds the facts of the request's connection. If it was used before, its making is no part of this request.
  func measureConnection(_ exchange: Exchange) {
    guard let facts = exchange.facts else { return }
    let anchor = measuring.anchor
    measure { metrics in
      metrics.isReused = exchange.isReused
      if !exchange.isReused {
        let spans = [facts.lookup, facts.connect, facts.secure].map { $0.flatMap(anchor.span) }
        (metrics.lookup, metrics.connect, metrics.secure) = (spans[0], spans[1], spans[2])
      }
      (metrics.protocolName, metrics.isProxied) = (facts.protocolName, facts.isProxied)
      (metrics.local, metrics.remote, metrics.tlsVersion) = (facts.local, facts.remote, facts.tlsVersion)
    }
  }

  /// Notes that the head is sent, and with it the whole request unless a file follows.
  func measureRequest(_ head: HTTPRequestHead, bodyLength: Int64?) {
    let now = measuring.anchor.time(loop.now)
    let line = head.method.rawValue.utf8.count + head.uri.utf8.count + 12
    let fields = head.headers.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    measure { metrics in
      metrics.request = .init(start: now, end: bodyLength == nil ? nil : now)
      metrics.requestHeaderBytes = Int64(line + fields)
      metrics.requestBodyBytes = bodyLength ?? 0
    }
  }

  /// Notes a sent piece of the file; the last one so far ends the request.
  func measureSent(_ count: Int64) {
    let now = measuring.anchor.time(loop.now)
    measure { metrics in
      metrics.requestBodyBytes += count
      metrics.request?.end = now
    }
  }

  func measureInformation(_ head: AnswerHead) { measure { $0.responseHeaderBytes += head.length } }

  func measureAnswer(_ head: AnswerHead) {
    let now = measuring.anchor.time(loop.now)
    measure { metrics in
      (metrics.status, metrics.response) = (head.status, .init(start: now))
      metrics.responseHeaderBytes += head.length
      if metrics.request?.end == nil { metrics.request?.end = now }
    }
  }

  func measureEnd() {
    let now = measuring.anchor.time(loop.now)
    measure { if $0.response?.end == nil { $0.response?.end = now } }
  }
}

extension AnswerHead {
  /// Bytes of the head, as HTTP/1.1 writes it without a reason phrase.
  fileprivate var length: Int64 {
    Int64(headers.reduce(17) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
  }
}
