import Logging
import NIOCore
import NIOHTTP1
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What an attempt makes of servers that want to know who asks, or whom nobody vouches for.
extension Attempt {
  /// Shows server and proxy what they want to see with a request, as far as it is known.
  func showCredentials(in head: inout HTTPRequestHead) {
    let (origin, target) = (itinerary.address.origin, head.uri)
    if let proxy = route?.readingProxy {
      head.address(itinerary.address, through: proxy)
      let keeper = Gatekeeper.proxy(proxy, before: origin)
      if let field = proxyCredentials.field(for: keeper, method: itinerary.method, target: head.uri) {
        head.headers.replaceOrAdd(name: "Proxy-Authorization", value: field)
      }
    }
    if itinerary.showsCredentials,
      let field = credentials.field(for: .server(origin), method: itinerary.method, target: target)
    {
      head.headers.replaceOrAdd(name: "Authorization", value: field)
    }
  }

  /// An answer that wants credentials, for the file or for going on with it. False if it is to be taken as it is.
  func demand(_ head: AnswerHead) -> Bool {
    guard itinerary.showsCredentials else { return false }
    credentials.own = itinerary.own  // A redirect may have ended that they go along.
    let next = credentials.read(head, of: .server(itinerary.address.origin), url: shownURL).next
    if let next { ignore(then: next) }
    return next != nil
  }

  /// A proxy that reads the request wants credentials. Its refusal is never the answer: nobody asked the proxy.
  func heed(_ head: AnswerHead, of proxy: ProxyServer) {
    ignore(then: next(after: head, of: proxy))
  }

  private func next(after head: AnswerHead, of proxy: ProxyServer) -> Next {
    let keeper = Gatekeeper.proxy(proxy, before: itinerary.address.origin)
    return proxyCredentials.read(head, of: keeper, url: itinerary.address.text).next
      ?? .fail(.wantsPassword("the proxy \(proxy.host)"), retryAfter: nil)
  }

  /// An error before the answer. What TLS did not like is looked at more closely: the app may have a word to say.
  func diagnose(_ error: any Error) {
    if case ProxyError.refused(let head)? = error as? ProxyError, head.status == 407, let proxy = route?.proxy {
      return proceed(to: next(after: head, of: proxy))  // It wants credentials before it opens a tunnel.
    }
    let failure = TransferFailure.reading(error, host: host, proxy: route?.proxy)
    if [.secureConnectionFailed, .certificateUntrusted].contains(failure.code) {
      let facts: Logger.Metadata = ["transfer": "\(order.id)", "reason": "\(TransferFailure.plain(error))"]
      tools.logger.debug("no secure connection", metadata: facts)
    }
    let isUnseen = error is UnseenCertificate
    let mayWantIdentity =
      itinerary.showsCredentials && route?.tlsProfile.identity == nil && failure.code == .secureConnectionFailed
      && error.isHandshakeAlert
    let isDoubtful = isUnseen || mayWantIdentity || failure.code == .certificateUntrusted
    guard isDoubtful, ending == nil, let route else { return fail(failure) }
    tools.examine(route).assumeIsolated().whenComplete { [self] result in
      switch result {
      case .failure: fail(failure)
      case .success(let sighting) where mayWantIdentity: wantIdentity(sighting, else: failure)
      case .success(let sighting): doubt(sighting, isUnseen ? nil : sighting.refined(failure, host))
      }
    }
  }

  private func doubt(_ sighting: Sighting, _ distrust: TransferFailure?) {
    guard order.asks.credentials || distrust == nil else {
      return fail(distrust ?? TransferFailure(.certificateUntrusted, "nobody was asked about \(host)"))
    }
    let challenge = Challenge(space: space(.serverTrust), chain: sighting.chain, distrust: distrust)
    end(.asked(.challenge(challenge)))
  }

  private func wantIdentity(_ sighting: Sighting, else failure: TransferFailure) {
    guard sighting.wantsIdentity else { return fail(failure) }
    guard order.asks.credentials else {
      return fail(TransferFailure(.clientCertificateRequired, "\(host) insists on a certificate of ours"))
    }
    end(.asked(.challenge(Challenge(space: space(.clientCertificate)))))
  }

  private func space(_ method: Challenge.Method) -> ProtectionSpace {
    let origin = itinerary.address.origin
    return ProtectionSpace(method: method, host: origin.host, port: origin.port, isSecure: origin.isSecure)
  }
}

extension Credentials.Next {
  /// What the attempt does next; nil if the refusal is the answer.
  fileprivate var next: Attempt.Next? {
    switch self {
    case .show: .requestAgain
    case .ask(let challenge): .ask(challenge)
    case .fail(let failure): .fail(failure, retryAfter: nil)
    case .settle: nil
    }
  }
}

extension Sighting {
  /// A distrust in more precise words, where the dates of the certificates explain it.
  fileprivate func refined(_ failure: TransferFailure, _ host: String) -> TransferFailure {
    let (now, words) = (Int(time(nil)), "no secure connection to \(host): its certificate, or one that vouches for it,")
    if validity.contains(where: { now > $0.upperBound }) {
      return TransferFailure(.certificateExpired, "\(words) is no longer valid")
    }
    if validity.contains(where: { now < $0.lowerBound }) {
      return TransferFailure(.certificateNotYetValid, "\(words) is not valid yet")
    }
    return failure
  }
}

extension Error {
  /// Whether the other side broke off the handshake in a way that means, among other things, that it wants a
  /// certificate of ours (RFC 8446, section 6.2).
  fileprivate var isHandshakeAlert: Bool {
    let text = "\(self)"
    return ["CERTIFICATE_REQUIRED", "ALERT_HANDSHAKE_FAILURE", "ALERT_BAD_CERTIFICATE"].contains { text.contains($0) }
  }
}
