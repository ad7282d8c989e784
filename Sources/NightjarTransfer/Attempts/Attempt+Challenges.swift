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
    let url = (home ?? itinerary).address.text  // That of an upload resource is a secret.
    switch credentials.read(head, of: .server(itinerary.address.origin), url: url) {
    case .show: ignore(then: .ask)
    case .ask(let challenge): ignore(then: .question(challenge))
    case .fail(let failure): ignore(then: .fail(failure, retryAfter: nil))
    case .settle: return false
    }
    return true
  }

  /// A proxy that reads the request wants credentials. Its refusal is never the answer: nobody asked the proxy.
  func heed(_ head: AnswerHead, of proxy: ProxyServer) {
    switch read(head, of: proxy) {
    case .show: ignore(then: .ask)
    case .ask(let challenge): ignore(then: .question(challenge))
    case .fail(let failure): ignore(then: .fail(failure, retryAfter: nil))
    case .settle: ignore(then: .fail(.wantsPassword("the proxy \(proxy.host)"), retryAfter: nil))
    }
  }

  /// A proxy wants credentials before it opens a tunnel.
  private func heedTunnel(_ head: AnswerHead, of proxy: ProxyServer) {
    switch read(head, of: proxy) {
    case .show: askAgain()
    case .ask(let challenge): end(.asked(.challenge(challenge)))
    case .fail(let failure): fail(failure)
    case .settle: fail(.wantsPassword("the proxy \(proxy.host)"))
    }
  }

  private func read(_ head: AnswerHead, of proxy: ProxyServer) -> Credentials.Next {
    proxyCredentials.read(head, of: .proxy(proxy, before: itinerary.address.origin), url: itinerary.address.text)
  }

  /// An error before the answer. What TLS did not like is looked at more closely: the app may have a word to say.
  func diagnose(_ error: any Error) {
    if case ProxyError.refused(let head)? = error as? ProxyError, head.status == 407, let proxy = route?.proxy {
      return heedTunnel(head, of: proxy)
    }
    let failure = TransferFailure.reading(error, host: host, proxy: route?.proxy)
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
      case .success(let sighting): doubt(sighting, isUnseen ? nil : sighting.refined(failure))
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

extension Sighting {
  /// A distrust in more precise words, where the dates of the certificates explain it.
  fileprivate func refined(_ failure: TransferFailure) -> TransferFailure {
    let now = Int(time(nil))
    if validity.contains(where: { now > $0.upperBound }) {
      return TransferFailure(.certificateExpired, "\(failure.detail); it is no longer valid")
    }
    if validity.contains(where: { now < $0.lowerBound }) {
      return TransferFailure(.certificateNotYetValid, "\(failure.detail); it is not valid yet")
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
