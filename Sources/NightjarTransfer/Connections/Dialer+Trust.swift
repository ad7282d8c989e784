import NIOCore
import NIOSSL
import Synchronization

/// The system trusts a certificate that the app has not seen and wants to see.
struct UnseenCertificate: Error {}

/// What a server showed in a handshake that was made for that only.
struct Sighting: Hashable, Sendable {
  /// Its certificates in DER, its own first.
  var chain: [[UInt8]] = []
  /// The span in which each is valid, in seconds since 1970.
  var validity: [ClosedRange<Int>] = []
  /// Whether it wants to see a certificate of ours.
  var wantsIdentity = false
}

/// How servers are judged: by the system, or by comparing their certificate.
extension Dialer {
  /// Has the system judge the server. An app that wants to see what the system trusts must have approved the
  /// certificate.
  func dialJudging(_ dial: Dial) -> EventLoopFuture<Dial.Secured> {
    context(for: dial.route, on: dial.loop).flatMap { context in
      dial.secure { try NIOSSLClientHandler(context: context, serverHostname: $0) }
    }.flatMapThrowing { secured in
      do { try Self.inspect(secured.channel, on: dial.route) } catch {
        secured.channel.close(promise: nil)
        throw error
      }
      return secured
    }
  }

  /// Looks at what the system cannot know of a certificate that it trusts: whether it is for the address behind a
  /// proxy, and whether the app has seen it.
  private static func inspect(_ channel: any Channel, on route: Route) throws {
    guard route.hidesAddress || route.tlsProfile.examines else { return }
    let leaf = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
    if route.hidesAddress, leaf?.isFor(address: route.origin.host) != true {
      throw NIOSSLExtraError.failedToValidateHostname
    }
    guard route.tlsProfile.examines else { return }
    guard let leaf = try leaf?.toDERBytes(), route.tlsProfile.approved.contains(leaf) else { throw UnseenCertificate() }
  }

  /// Accepts exactly the certificates that the app trusts, whatever the system says; the system judges any other.
  func dialTrusting(_ dial: Dial) -> EventLoopFuture<Dial.Secured> {
    let flag = Flag()
    return dial.loop.makeCompletedFuture { try Self.bareContext(dial.route) }.flatMap { context in
      dial.secure { name in
        try NIOSSLClientHandler(context: context, serverHostname: name) { chain, verdict in
          let leaf = try? chain.first?.toDERBytes()
          let isKnown = leaf.map { dial.route.tlsProfile.trusted.contains($0) } ?? false
          if !isKnown { flag.raise() }
          verdict.succeed(isKnown ? .certificateVerified : .failed)
        }
      }
    }.flatMapError { error in
      flag.isRaised ? self.dialJudging(dial) : dial.loop.makeFailedFuture(error)
    }
  }

  /// Makes a handshake only to see what the server shows, and closes the connection. No request and no client
  /// certificate is sent to the server.
  func examine(_ route: Route, on loop: any EventLoop) -> EventLoopFuture<Sighting> {
    let sight = Sight()
    var plain = route
    plain.tlsProfile = .ordinary
    let dial = begin(plain, on: loop)
    return loop.makeCompletedFuture { try Self.bareContext(dial.route) { sight.note { $0.wantsIdentity = true } } }
      .flatMap { context in
        dial.secure { name in
          try NIOSSLClientHandler(context: context, serverHostname: name) { chain, verdict in
            sight.note { $0.take(chain) }
            verdict.succeed(.certificateVerified)
          }
        }
      }
      .map { $0.channel.close(promise: nil) }
      .flatMapErrorThrowing { if sight.seen.chain.isEmpty { throw $0 } }
      .map { sight.seen }
  }

  /// A context without trust roots, for callers that judge the server by other means.
  private static func bareContext(
    _ route: Route, onWish: (@Sendable () -> Void)? = nil
  ) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = route.protocols
    configuration.minimumTLSVersion = route.tlsMinimum.inTLS
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates([])
    try configuration.show(route.tlsProfile.identity)
    if let onWish {
      configuration.sslContextCallback = { _, changes in
        onWish()
        changes.succeed(.noChanges)
      }
    }
    return try NIOSSLContext(configuration: configuration)
  }
}

extension NIOSSLCertificate {
  /// Whether an address is one of its names (RFC 5280, section 4.2.1.6). A name in the subject is never one.
  fileprivate func isFor(address: String) -> Bool {
    guard let bytes = HostPattern.bytes(address) else { return false }
    return _subjectAlternativeNames().contains { $0.nameType == .ipAddress && $0.contents.elementsEqual(bytes) }
  }
}

extension TLSConfiguration {
  /// Shows a certificate of ours to servers that want to see one.
  mutating func show(_ identity: TLSProfile.Identity?) throws {
    guard let identity else { return }
    certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.chain.utf8)).map { .certificate($0) }
    privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem))
  }
}

extension Sighting {
  fileprivate mutating func take(_ certificates: [NIOSSLCertificate]) {
    chain = certificates.compactMap { try? $0.toDERBytes() }
    validity = certificates.map {
      let (first, last) = (Int($0.notValidBefore), Int($0.notValidAfter))
      return first...max(first, last)
    }
  }
}

/// What is seen in a handshake, whose callbacks come on the connection's loop.
private final class Sight: Sendable {
  private let memory = Mutex(Sighting())
  var seen: Sighting { memory.withLock { $0 } }
  func note(_ change: (inout Sighting) -> Void) { memory.withLock { change(&$0) } }
}

/// Raised once.
private final class Flag: Sendable {
  private let memory = Mutex(false)
  var isRaised: Bool { memory.withLock { $0 } }
  func raise() { memory.withLock { $0 = true } }
}
