import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What an attempt makes of servers that want to know who asks, or whom nobody vouches for.
extension Attempt {
  /// An answer that wants credentials. False if it is to be taken as it is.
  func demand(_ head: AnswerHead) -> Bool {
    switch papers.read(head, at: itinerary.address) {
    case .show: ignore(then: .ask)
    case .ask(let challenge): ignore(then: .question(challenge))
    case .settle: return false
    }
    return true
  }

  /// An error before the answer. What TLS did not like is looked at more closely: the app may have a word to say.
  func diagnose(_ error: any Error) {
    let failure = TransferFailure.reading(error, host: host, proxy: route?.proxy)
    let isUnseen = error is UnseenCertificate
    let mayWantIdentity =
      route?.guise.identity == nil && failure.code == .secureConnectionFailed && error.isHandshakeAlert
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
