import CNightjarSpawn
import Glibc
import NightjarModel
import Synchronization

/// Knows from the kernel whether there is a network beyond this machine, and of what kind.
///
/// There is one if an interface other than the loopback is up and running and has an address of more than link scope,
/// or if a default route exists. What lies behind it, the first request finds out. The kernel tells of changes
/// (rtnetlink(7)); then, and at the start, the state is read whole.
final class NetworkSensor: Sendable {
  private let lookout: Lookout
  private let sysfs: String
  private let report: @Sendable (NetworkReading) -> Void
  private let last = Mutex<(watch: Lookout.Watch?, reading: NetworkReading?)>((nil, nil))

  /// Calls `report` on the lookout's thread: with the state at the start, then at each change.
  init(
    lookout: Lookout, sysfs: String = "/sys", report: @escaping @Sendable (NetworkReading) -> Void
  ) throws(PlatformError) {
    (self.lookout, self.sysfs, self.report) = (lookout, sysfs, report)
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
    let reading = NetworkReading.now(sysfs: sysfs)
    let isNew = last.withLock { last in
      defer { last.reading = reading }
      return last.reading != reading
    }
    if isNew { report(reading) }
  }

  /// The messages only say when to look. An overrun (ENOBUFS) says it as well.
  private static func drain(_ socket: Descriptor) {
    var buffer = [UInt8](repeating: 0, count: 8192)
    for _ in 0..<256 {
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count < 0 && errno != ENOBUFS && errno != EINTR { return }
    }
  }
}

extension NetworkReading {
  /// Reads the state of the network namespace that the calling thread is in; an interface's kind from sysfs.
  static func now(sysfs: String) -> NetworkReading {
    guard let (addressed, running) = interfaces() else { return NetworkReading() }  // As if nothing had been sensed.
    let route = defaultRoute(over: running)
    let way = route ?? (addressed.count == 1 ? addressed.first : nil)
    let kind = way.flatMap { Disk.text(of: "\(sysfs)/class/net/\($0)/uevent") } ?? ""
    return NetworkReading(
      isOnline: route != nil || !addressed.isEmpty,
      leavesMachine: route != nil || addressed.contains { Disk.status(of: "\(sysfs)/class/net/\($0)/device") != nil },
      isCellular: kind.split(separator: "\n").contains("DEVTYPE=wwan"))
  }

  /// The running interfaces with an address of more than link scope, and all that are up and running.
  private static func interfaces() -> (addressed: Set<String>, running: Set<String>)? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    let entries = sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
    let running = entries.filter(isRunning)
    return (
      Set(running.filter(reachesOut).map { String(cString: $0.ifa_name) }),
      Set(running.map { String(cString: $0.ifa_name) })
    )
  }

  private static func isRunning(_ entry: ifaddrs) -> Bool {
    let flags = Int32(bitPattern: entry.ifa_flags)
    return flags & Int32(IFF_UP) != 0 && flags & Int32(IFF_RUNNING) != 0 && flags & Int32(IFF_LOOPBACK) == 0
  }

  private static func reachesOut(_ entry: ifaddrs) -> Bool {
    guard let address = entry.ifa_addr else { return false }
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

  /// The interface of the default route with the lowest metric; one that does not run, as with its cable pulled, only
  /// if there is no other.
  private static func defaultRoute(over running: Set<String>) -> String? {
    // IPv4: interface, destination, gateway, flags, ... metric, mask. IPv6: destination, its length, ... metric, ...
    // interface.
    let four = rows(of: "route").compactMap { row -> (metric: UInt32, name: Substring)? in
      guard row.count > 7, row[1] == "00000000", row[7] == "00000000" else { return nil }
      return (UInt32(row[6]) ?? .max, row[0])
    }
    let six = rows(of: "ipv6_route").compactMap { row -> (metric: UInt32, name: Substring)? in
      guard row.count > 9, row[1] == "00", row[0].allSatisfy({ $0 == "0" }), row[9] != "lo" else { return nil }
      return (UInt32(row[5], radix: 16) ?? .max, row[9])
    }
    let routes = (four.isEmpty ? six : four).map { (metric: $0.metric, name: String($0.name)) }
    let usable = routes.filter { running.contains($0.name) }
    return (usable.isEmpty ? routes : usable).min { $0.metric < $1.metric }?.name
  }

  private static func rows(of table: String) -> [[Substring]] {
    let bytes = Disk.bytes(of: "/proc/thread-self/net/" + table, max: 1 << 22) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace)
    }
  }
}
