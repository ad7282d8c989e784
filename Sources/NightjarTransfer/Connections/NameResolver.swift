import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Has a name looked up for one dial, and notes how long that took.
struct NameResolver: Resolver, Sendable {
  typealias Found = (v4: [SocketAddress], v6: [SocketAddress])
  /// How the addresses of a name are found, without a port. It may block.
  typealias LookUp = @Sendable (_ host: String) throws -> Found

  /// The name has no address; the system's reason.
  struct Unknown: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: gai_strerror(code)) }
  }

  private let v4: EventLoopPromise<[SocketAddress]>
  private let v6: EventLoopPromise<[SocketAddress]>
  private let loop: any EventLoop
  private let record: DialRecord
  private let lookups: NameLookups
  /// Fails when the wait is over: it is cancelled, or the loop shuts down, which fails all tasks that are scheduled on
  /// it.
  private let wait: Scheduled<Void>

  init(on loop: any EventLoop, record: DialRecord, lookups: NameLookups) {
    (self.loop, self.record, self.lookups) = (loop, record, lookups)
    (v4, v6) = (loop.makePromise(), loop.makePromise())
    wait = loop.scheduleTask(deadline: .distantFuture) {}
  }

  /// Asked for first; one look-up finds both kinds.
  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    record.facts.lookup = .init(start: loop.now)
    let ticket = lookups.ask(for: host) { answer in
      loop.execute {
        record.facts.lookup?.end = loop.now
        settle(answer.map { Self.at(port, $0) })
        wait.cancel()
      }
    }
    wait.futureResult.whenFailure { [lookups] error in
      lookups.giveUp(ticket)
      settle(.failure(error))
    }
    return v6.futureResult
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { v4.futureResult }

  func cancelQueries() { wait.cancel() }

  /// The first call counts.
  private func settle(_ answer: NameLookups.Answer) {
    v6.completeWith(answer.map(\.v6))
    v4.completeWith(answer.map(\.v4))
  }

  private static func at(_ port: Int, _ found: Found) -> Found {
    func placed(_ address: SocketAddress) -> SocketAddress {
      var address = address
      address.port = port
      return address
    }
    return (found.v4.map(placed), found.v6.map(placed))
  }

  /// Asks getaddrinfo(3).
  static func addresses(of host: String) throws -> Found {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &first)
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
