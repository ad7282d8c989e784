public import Foundation
public import FoundationNetworking
import Synchronization

/// The times, bytes and connections of a task (Apple's `URLSessionTaskMetrics`).
// Unchecked: the mutex guards what changes.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  /// The metrics of each request and its response, including redirects, oldest first.
  open var transactionMetrics: [URLSessionTaskTransactionMetrics] { figures.transactions }
  /// The time from the first ``URLSessionTask/resume()`` to the end; for a background task, the time of its last
  /// attempt, or just the moment of its end if there was none, or it was cancelled.
  open var taskInterval: DateInterval { figures.interval }
  /// The number of redirects that were followed; for a background task, in its last attempt.
  open var redirectCount: Int { figures.redirects }

  struct Figures {
    var transactions: [URLSessionTaskTransactionMetrics]
    var interval: DateInterval
    var redirects: Int
  }

  private var figures: Figures { source.withLock { $0.figures } }
  private let source: Mutex<Source>

  init(transactions: [URLSessionTaskTransactionMetrics], interval: DateInterval, redirects: Int) {
    source = Mutex(.ready(Figures(transactions: transactions, interval: interval, redirects: redirects)))
  }

  /// Metrics that are computed when they are first read, which is seldom.
  init(making make: @escaping @Sendable () -> Figures) { source = Mutex(.awaited(make)) }

  /// The figures, or the closure that computes them.
  private enum Source {
    case ready(Figures)
    case awaited(@Sendable () -> Figures)

    var figures: Figures {
      mutating get {
        switch self {
        case .ready(let figures): return figures
        case .awaited(let make):
          let figures = make()
          self = .ready(figures)
          return figures
        }
      }
    }
  }
}

/// The metrics of one request and its response (Apple's `URLSessionTaskTransactionMetrics`). What is not known is nil,
/// false or 0.
// Unchecked: it is filled in before it is handed out, and never changes.
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
  /// The source of the response.
  public enum ResourceFetchType: Int, Sendable {
    case unknown
    case networkLoad
    case serverPush
    case localCache
  }

  /// The protocol by which the host's name was resolved.
  public enum DomainResolutionProtocol: Int, Sendable {
    case unknown
    case udp
    case tcp
    case tls
    case https
  }

  /// The request that was sent.
  public let request: URLRequest
  /// The response, if there was one.
  public internal(set) var response: URLResponse?
  /// When the task began to fetch the resource, from a server or from the cache.
  public internal(set) var fetchStartDate: Date?
  /// When the lookup of the host's name began; nil without one, as on a reused connection.
  public internal(set) var domainLookupStartDate: Date?
  /// When the lookup of the host's name was complete.
  public internal(set) var domainLookupEndDate: Date?
  /// When the connection to the server began to be made; nil for a reused one.
  public internal(set) var connectStartDate: Date?
  /// When the connection was made, its TLS handshake included.
  public internal(set) var connectEndDate: Date?
  /// When the TLS handshake began; nil in the clear, and for a reused connection.
  public internal(set) var secureConnectionStartDate: Date?
  /// When the TLS handshake was complete.
  public internal(set) var secureConnectionEndDate: Date?
  /// When the request began to be sent.
  public internal(set) var requestStartDate: Date?
  /// When the last byte of the request was sent.
  public internal(set) var requestEndDate: Date?
  /// When the first byte of the response arrived.
  public internal(set) var responseStartDate: Date?
  /// When the last byte of the response arrived.
  public internal(set) var responseEndDate: Date?
  /// `http/1.1` or `h2`, as agreed in TLS (RFC 7301).
  public internal(set) var networkProtocolName: String?
  /// Whether the request went through a proxy.
  public internal(set) var isProxyConnection = false
  /// Whether the connection had served another request before.
  public internal(set) var isReusedConnection = false
  /// Whether the response came from a server or from the cache.
  public internal(set) var resourceFetchType = ResourceFetchType.unknown
  /// How the host's name was resolved; always unknown here.
  public internal(set) var domainResolutionProtocol = DomainResolutionProtocol.unknown
  /// Bytes of the request's header that were sent.
  public internal(set) var countOfRequestHeaderBytesSent: Int64 = 0
  /// Bytes of the request's body that were sent.
  public internal(set) var countOfRequestBodyBytesSent: Int64 = 0
  /// Bytes of the request's body as the app gave it.
  public internal(set) var countOfRequestBodyBytesBeforeEncoding: Int64 = 0
  /// Bytes of the response's header that arrived.
  public internal(set) var countOfResponseHeaderBytesReceived: Int64 = 0
  /// Bytes of the response's body as they arrived, with their content coding.
  public internal(set) var countOfResponseBodyBytesReceived: Int64 = 0
  /// Bytes of the response's body as the app receives it, without its content coding.
  public internal(set) var countOfResponseBodyBytesAfterDecoding: Int64 = 0
  /// The IP address of the connection's own end.
  public internal(set) var localAddress: String?
  /// The port of the connection's own end.
  public internal(set) var localPort: Int?
  /// The IP address of the connection's other end.
  public internal(set) var remoteAddress: String?
  /// The port of the connection's other end.
  public internal(set) var remotePort: Int?
  /// The version of TLS that was agreed on; nil in the clear.
  public internal(set) var negotiatedTLSProtocolVersion: tls_protocol_version_t?
  /// The cipher suite of TLS that was agreed on; always nil here.
  public internal(set) var negotiatedTLSCipherSuite: tls_ciphersuite_t?
  /// Whether the connection was over a cellular network; always false here.
  public internal(set) var isCellular = false
  /// Whether the connection was over a network that is expensive to use; always false here.
  public internal(set) var isExpensive = false
  /// Whether the connection was over a network in Low Data Mode; always false here.
  public internal(set) var isConstrained = false
  /// Whether Multipath TCP was agreed on for the connection; always false here.
  public internal(set) var isMultipath = false

  init(request: URLRequest) { self.request = request }
}
