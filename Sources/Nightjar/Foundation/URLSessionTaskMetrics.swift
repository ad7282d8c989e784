public import Foundation
public import FoundationNetworking
import Synchronization

/// The times, bytes and connections of a task (Apple's `URLSessionTaskMetrics`).
// Unchecked: the mutex guards what changes.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  /// The metrics of each request and its response, including redirects, oldest first.
  open var transactionMetrics: [URLSessionTaskTransactionMetrics] { figures.transactions }
  /// The time from the first ``URLSessionTask/resume()`` to the end; for a background task, the time of its last
  /// attempt.
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
  public internal(set) var fetchStartDate: Date?
  public internal(set) var domainLookupStartDate: Date?
  public internal(set) var domainLookupEndDate: Date?
  public internal(set) var connectStartDate: Date?
  public internal(set) var connectEndDate: Date?
  public internal(set) var secureConnectionStartDate: Date?
  public internal(set) var secureConnectionEndDate: Date?
  public internal(set) var requestStartDate: Date?
  public internal(set) var requestEndDate: Date?
  public internal(set) var responseStartDate: Date?
  public internal(set) var responseEndDate: Date?
  /// `http/1.1` or `h2`, as agreed in TLS (RFC 7301).
  public internal(set) var networkProtocolName: String?
  public internal(set) var isProxyConnection = false
  public internal(set) var isReusedConnection = false
  public internal(set) var resourceFetchType = ResourceFetchType.unknown
  public internal(set) var domainResolutionProtocol = DomainResolutionProtocol.unknown
  public internal(set) var countOfRequestHeaderBytesSent: Int64 = 0
  public internal(set) var countOfRequestBodyBytesSent: Int64 = 0
  public internal(set) var countOfRequestBodyBytesBeforeEncoding: Int64 = 0
  public internal(set) var countOfResponseHeaderBytesReceived: Int64 = 0
  public internal(set) var countOfResponseBodyBytesReceived: Int64 = 0
  public internal(set) var countOfResponseBodyBytesAfterDecoding: Int64 = 0
  public internal(set) var localAddress: String?
  public internal(set) var localPort: Int?
  public internal(set) var remoteAddress: String?
  public internal(set) var remotePort: Int?
  public internal(set) var negotiatedTLSProtocolVersion: tls_protocol_version_t?
  public internal(set) var negotiatedTLSCipherSuite: tls_ciphersuite_t?
  public internal(set) var isCellular = false
  public internal(set) var isExpensive = false
  public internal(set) var isConstrained = false
  public internal(set) var isMultipath = false

  init(request: URLRequest) { self.request = request }
}
