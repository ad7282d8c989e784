import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension TransferFailure {
  /// What an error of the network means for a transfer, in words that name the host and no secret.
  static func reading(_ error: any Error, host: String, proxy: ProxyServer?) -> TransferFailure {
    guard let proxy else { return reading(error, host: host) }
    switch error {
    case let error as ProxyError: return refusing(error, "the proxy \(proxy.host)", host)
    case is NIOConnectionError, is IOError, is ChannelError: return reading(error, host: "the proxy \(proxy.host)")
    default: return reading(error, host: host)
    }
  }

  private static func refusing(_ error: ProxyError, _ proxy: String, _ host: String) -> TransferFailure {
    switch error {
    case .refused(let answer) where answer.status == 407: wantsPassword(proxy)
    case .socksWantsPassword: wantsPassword(proxy)
    case .refused(let answer) where answer.isBusy:
      TransferFailure(.cannotConnect, "\(proxy) does not reach \(host) just now: it answered \(answer.status)")
    case .refused(let answer):
      TransferFailure(.badServerResponse, "\(proxy) does not lead to \(host): it answered \(answer.status)")
    case .socksRefused(2):
      TransferFailure(.badServerResponse, "\(proxy) does not lead to \(host): its rules forbid it")
    case .socksRefused(let code):
      TransferFailure(.cannotConnect, "\(proxy) does not reach \(host) (SOCKS 5, reply \(code))")
    case .nonsense(let what): TransferFailure(.badServerResponse, "\(proxy) cannot be used: \(what)")
    case .timedOut: TransferFailure(.timedOut, "\(proxy) took the connection and did not lead on to \(host)")
    case .closedEarly:
      TransferFailure(.connectionLost, "\(proxy) closed the connection before it led on to \(host)")
    }
  }

  /// Also for an answer 407 to a request that the proxy read.
  static func wantsPassword(_ proxy: String) -> TransferFailure {
    TransferFailure(
      .badServerResponse, "\(proxy) wants another user and password; write them into its URL before the host")
  }

  /// The same where it is the host that was talked to.
  ///
  /// - Parameter isAnswered: Whether the head of an answer had come.
  static func reading(_ error: any Error, host: String, isAnswered: Bool = false) -> TransferFailure {
    switch error {
    case let error as TransferFailure: error
    case let error as NIOConnectionError: dialling(error, host)
    case is TLSGreeting.TimedOut: TransferFailure(.timedOut, "\(host) took the connection and did not answer in TLS")
    case ChannelError.connectTimeout(let span):
      TransferFailure(.timedOut, "\(host) did not take a connection within \(span.nanoseconds / 1_000_000_000) s")
    case is UnseenCertificate: TransferFailure(.connectionLost, "\(host) shows one certificate now and another then")
    case let error as ExchangeError: breaking(error, host, isAnswered)
    case HTTPParserError.invalidEOFState: closedEarly(host, isAnswered)
    case let error as HTTPParserError:
      TransferFailure(.badServerResponse, "\(host) does not answer in HTTP: \(error.words)")
    case is NIOHTTPDecoderError:
      TransferFailure(.badServerResponse, "\(host) sent an answer that nobody had asked for")
    case NIOSSLError.uncleanShutdown: closedEarly(host, isAnswered)
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: secure(error, host)
    case let error as IOError: socket(error, host)
    case let error as NIOHTTP2Errors.StreamClosed: stream(error, host)
    case is NIOHTTP2Errors.ContentLengthViolated:
      TransferFailure(.badServerResponse, "\(host) announced another length than it sent")
    case is any NIOHTTP2Error: TransferFailure(.badServerResponse, "\(host) breaks HTTP/2 (\(error.nameInWords))")
    default: TransferFailure(.connectionLost, "the connection to \(host) broke: \(error.nameInWords)")
    }
  }

  private static func closedEarly(_ host: String, _ isAnswered: Bool) -> TransferFailure {
    let when = isAnswered ? "before the last byte" : "without an answer"
    return TransferFailure(.connectionLost, "\(host) closed the connection \(when)")
  }

  private static func breaking(_ error: ExchangeError, _ host: String, _ isAnswered: Bool) -> TransferFailure {
    switch error {
    case .closedEarly: closedEarly(host, isAnswered)
    case .endlessInformation: TransferFailure(.badServerResponse, "\(host) answers with 1xx without end")
    case .switchedProtocols:
      TransferFailure(.badServerResponse, "\(host) switches to another protocol (101), which nobody has asked for")
    case .unsendable:
      TransferFailure(.badURL, "the request to \(host) cannot be sent: a part of its head holds control characters")
    case .moreThanAnnounced: TransferFailure(.badServerResponse, "\(host) sent more bytes than it had announced")
    case .noStatus: TransferFailure(.badServerResponse, "\(host) answers without a status from 100 to 999")
    }
  }

  private static func dialling(_ error: NIOConnectionError, _ host: String) -> TransferFailure {
    guard let last = error.connectionErrors.last?.error else {
      let reason = (error.dnsAError ?? error.dnsAAAAError).map { ": \($0)" } ?? ""
      return TransferFailure(.cannotFindHost, "the name \(host) has no address just now\(reason)")
    }
    return reading(last, host: host)
  }

  private static func socket(_ error: IOError, _ host: String) -> TransferFailure {
    let words = String(cString: strerror(error.errnoCode))
    return switch error.errnoCode {
    case ENETUNREACH, ENETDOWN: TransferFailure(.notConnected, "no network leads to \(host): \(words)")
    case ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, EACCES, EADDRNOTAVAIL, EMFILE, ENFILE:
      TransferFailure(.cannotConnect, "cannot connect to \(host): \(words)")
    case ETIMEDOUT: TransferFailure(.timedOut, "the connection to \(host) timed out")
    default: TransferFailure(.connectionLost, "the connection to \(host) broke: \(words)")
    }
  }

  private static func secure(_ error: any Error, _ host: String) -> TransferFailure {
    let text = "\(error)"
    func has(_ signs: String...) -> Bool { signs.contains { text.contains($0) } }
    let words = "no secure connection to \(host)"
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return TransferFailure(.certificateUntrusted, "\(words): its certificate is for other hosts")
    }
    if has("UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION") {
      return TransferFailure(
        .secureConnectionFailed, "\(host) speaks only an older TLS than this transfer may speak\(reason(in: text))")
    }
    if has("CERTIFICATE_VERIFY_FAILED", "unableToValidateCertificate") {
      return TransferFailure(
        .certificateUntrusted,
        "\(words): no authority that is trusted here vouches for its certificate; the daemon's setting "
          + "trusted.certificates adds authorities of one's own")
    }
    if has("failedToLoadCertificate", "failedToLoadPrivateKey") {
      return TransferFailure(.secureConnectionFailed, "\(words): the certificate to be shown there cannot be read")
    }
    // Who closes without an alert has said nothing about TLS: a forwarder does so while the server behind it is down.
    if has("EOF during") { return TransferFailure(.connectionLost, "\(words): it ended the handshake") }
    return TransferFailure(.secureConnectionFailed, "\(words)\(reason(in: text))")
  }

  /// BoringSSL's name for a fault, such as `WRONG_VERSION_NUMBER`, in small letters and parentheses. The rest of its
  /// words are numbers and the paths of its sources, for the log alone. Empty if it names none.
  private static func reason(in text: String) -> String {
    let names = text.split { !($0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_")) }
    let name = names.first { $0.contains("_") && $0.last != "_" && $0.first?.isUppercase == true }
    return name.map { " (\($0.lowercased().replacing("_", with: " ")))" } ?? ""
  }

  /// A library's words for an error, without the paths of its sources. For the log.
  static func plain(_ error: any Error) -> String {
    "\(error)".split(separator: " ").filter { !$0.contains("/") }.joined(separator: " ")
  }

  /// Before an answer, a stream ends with one of these codes when one side takes what the other sent for a breach of
  /// HTTP/2 (RFC 9113, section 7): NIO hands on its own finding in the same form as the server's.
  private static func stream(_ error: NIOHTTP2Errors.StreamClosed, _ host: String) -> TransferFailure {
    switch error.errorCode {
    case .protocolError, .flowControlError, .streamClosed, .frameSizeError, .compressionError:
      TransferFailure(
        .badServerResponse, "the stream to \(host) ended with a breach of HTTP/2 (\(error.errorCode.words))")
    default:
      TransferFailure(.connectionLost, "\(host) ended the stream without an answer (\(error.errorCode.words))")
    }
  }

  /// A stream that ends amid its body is cut, whatever its code: a server whose own source breaks off says
  /// PROTOCOL_ERROR, and NIO of a body that ends short.
  static func ending(_ error: NIOHTTP2Errors.StreamClosed, _ host: String) -> TransferFailure {
    TransferFailure(.connectionLost, "\(host) ended the stream before the last byte (\(error.errorCode.words))")
  }
}
