import CNightjarSpawn
import Glibc
public import NightjarModel
import Synchronization

/// Knows whether there is a network beyond this machine.
///
/// There is one if an interface other than the loopback is up and running and has an address of more than link scope,
/// or if a default route exists. What lies behind it, the first request finds out. The kernel tells of changes
/// (rtnetlink(7)); then, and at the start, the state is read whole.
public final class NetworkSensor: Sendable {
  private let lookout: Lookout
  private let report: @Sendable (Conditions) -> Void
  private let last = Mutex<(watch: Lookout.Watch?, conditions: Conditions?)>((nil, nil))

  /// Calls `report` on the lookout's thread: with the state at the start, then at each change.
  public init(lookout: Lookout, report: @escaping @Sendable (Conditions) -> Void) throws(PlatformError) {
    (self.lookout, self.report) = (lookout, report)
    let socket = try Lookout.descriptor(nightjar_route_socket(), "rtnetlink")
    let watch = try lookout.watch(socket, for: .readable) { [weak self] in
      Self.drain(socket)
      self?.look()
    }
    last.withLock { $0.watch = watch }
    lookout.perform { [weak self] in self?.look() }
  }

  deinit { last.withLock { $0.watch.map(lookout.cancel) } }

  private func look() {
    let conditions = Conditions(isOnline: Self.isOnline())
    let isNew = last.withLock { last in
      defer { last.conditions = conditions }
      return last.conditions != conditions
    }
    if isNew { report(conditions) }
  }

  /// The messages only say when to look. An overrun (ENOBUFS) says it as well.
  private static func drain(_ socket: Descriptor) {
    var buffer = [UInt8](repeating: 0, count: 8192)
    for _ in 0..<256 {
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count < 0 && errno != ENOBUFS && errno != EINTR { return }
    }
  }

  /// Reads the state of the network namespace that the calling thread is in.
  static func isOnline() -> Bool { hasAddress() || hasDefaultRoute() }

  private static func hasAddress() -> Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return true }  // Nobody having sensed anything, nothing stands in the way.
    defer { freeifaddrs(first) }
    return sequence(first: first, next: { $0?.pointee.ifa_next }).contains { entry in
      entry.map { reachesOut($0.pointee) } ?? false
    }
  }

  private static func reachesOut(_ entry: ifaddrs) -> Bool {
    let flags = Int32(bitPattern: entry.ifa_flags)
    let isUp = flags & Int32(IFF_UP) != 0 && flags & Int32(IFF_RUNNING) != 0
    guard isUp, flags & Int32(IFF_LOOPBACK) == 0, let address = entry.ifa_addr else { return false }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let bytes = bytes(of: address, from: 4, count: 4)
      return bytes != [0, 0, 0, 0] && bytes.prefix(2) != [169, 254]  // RFC 3927
    case AF_INET6:
      let bytes = bytes(of: address, from: 8, count: 2)
      return !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)  // RFC 4291, section 2.5.6
    default: return false
    }
  }

  private static func bytes(of address: UnsafePointer<sockaddr>, from offset: Int, count: Int) -> [UInt8] {
    let raw = UnsafeRawPointer(address)
    return (offset..<offset + count).map { raw.load(fromByteOffset: $0, as: UInt8.self) }
  }

  private static func hasDefaultRoute() -> Bool {
    // IPv4: interface, destination, gateway, flags, ... mask. IPv6: destination, its length, ... interface.
    let four = rows(of: "route").contains { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }
    let six = rows(of: "ipv6_route").contains { row in
      row.count > 9 && row[1] == "00" && row[0].allSatisfy { $0 == "0" } && row[9] != "lo"
    }
    return four || six
  }

  private static func rows(of table: String) -> [[Substring]] {
    let bytes = Disk.bytes(of: "/proc/thread-self/net/" + table, max: 1 << 22) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace)
    }
  }
}
