import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Looks names up on a thread of its own, with getaddrinfo(3) unless told otherwise, and notes how long that took.
struct NameResolver: Resolver, Sendable {
  typealias Found = (v4: [SocketAddress], v6: [SocketAddress])
  /// How the addresses of a name are found. It may block.
  typealias LookUp = @Sendable (_ host: String, _ port: Int) throws -> Found

  /// The name has no address; the system's reason.
  struct Unknown: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: gai_strerror(code)) }
  }

  private let v4: EventLoopPromise<[SocketAddress]>
  private let v6: EventLoopPromise<[SocketAddress]>
  private let loop: any EventLoop
  private let record: DialRecord
  private let lookUp: LookUp

  init(on loop: any EventLoop, record: DialRecord, lookUp: @escaping LookUp) {
    (self.loop, self.record, self.lookUp) = (loop, record, lookUp)
    (v4, v6) = (loop.makePromise(), loop.makePromise())
  }

  /// Asked for first; one look-up finds both kinds.
  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    record.facts.lookup = .init(start: loop.now)
    let found = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [lookUp] in try lookUp(host, port) }
    found.whenComplete { [v4, v6, loop, record] result in
      record.facts.lookup?.end = loop.now
      v4.completeWith(result.map(\.v4))
      v6.completeWith(result.map(\.v6))
    }
    return v6.futureResult
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4.futureResult }

  /// getaddrinfo(3) cannot be called off; its answer comes too late for anybody.
  func cancelQueries() {}

  /// Asks getaddrinfo(3).
  static func addresses(of host: String, port: Int) throws -> Found {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &first)
    guard code == 0, let first else { throw Unknown(code: code) }
    defer { freeaddrinfo(first) }
    return sequence(first: first) { $0.pointee.ai_next }.reduce(into: Found([], [])) { found, entry in
      switch (entry.pointee.ai_family, entry.pointee.ai_addr) {
      case (AF_INET, let address?):
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { found.v4.append(.init($0.pointee, host: host)) }
      case (AF_INET6, let address?):
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { found.v6.append(.init($0.pointee, host: host)) }
      case (_, _): break
      }
    }
  }
}
