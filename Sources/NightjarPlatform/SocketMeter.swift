import Glibc

/// How many bytes processes have moved over the TCP connections that they have open (sock_diag(7), `tcp_info` in
/// linux/tcp.h since Linux 4.1). Connections that are closed already are not seen, nor are other protocols.
enum SocketMeter {
  struct Count: Hashable {
    var received: Int64 = 0
    var sent: Int64 = 0
  }

  /// The sum over all connections of these processes that lead off this machine; nothing where the kernel does not
  /// tell.
  static func count(of processes: [Int32]) -> Count { count(ofSockets: sockets(of: processes)) }

  /// The same for the sockets with these inodes; `withLoopback` counts connections within this machine, too.
  static func count(ofSockets inodes: Set<UInt32>, withLoopback: Bool = false) -> Count {
    guard !inodes.isEmpty else { return Count() }
    var sum = Count()
    for family in [AF_INET, AF_INET6] { add(to: &sum, family: UInt8(family), inodes, withLoopback) }
    return sum
  }

  /// Whether an address of 4 or 16 bytes is a loopback address; one of IPv4 may be mapped into IPv6.
  static func isLoopback(_ address: some Collection<UInt8>) -> Bool {
    if address.count == 4 { return address.first == 127 }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    return address.elementsEqual([UInt8](repeating: 0, count: 15) + [1]) || address.starts(with: mapped + [127])
  }

  /// The inodes of the sockets that processes have open.
  private static func sockets(of processes: [Int32]) -> Set<UInt32> {
    var inodes: Set<UInt32> = []
    for pid in processes {
      for name in Disk.names(in: "/proc/\(pid)/fd") {
        guard let link = target(of: "/proc/\(pid)/fd/\(name)"), link.hasPrefix("socket:["),
          let inode = UInt32(link.dropFirst(8).dropLast())
        else { continue }
        inodes.insert(inode)
      }
    }
    return inodes
  }

  private static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = buffer.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
  }

  private static func add(to sum: inout Count, family: UInt8, _ inodes: Set<UInt32>, _ withLoopback: Bool) {
    guard
      let line = try? Lookout.descriptor(
        socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 4), "socket")
    else { return }
    var timeout = timeval(tv_sec: 0, tv_usec: 200_000)
    setsockopt(line.number, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let request = question(family)
    guard send(line.number, request, request.count, 0) == request.count else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let length = recv(line.number, &buffer, buffer.count, 0)
      guard length > 0, read(buffer[..<length], into: &sum, inodes, withLoopback) else { return }
    }
  }

  /// Asks for all TCP sockets of a family that are connected or closing, with their `tcp_info`: a `nlmsghdr` and an
  /// `inet_diag_req_v2`.
  private static func question(_ family: UInt8) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 72)
    bytes.put(UInt32(72), at: 0)
    bytes.put(UInt16(20), at: 4)  // SOCK_DIAG_BY_FAMILY
    bytes.put(UInt16(0x301), at: 6)  // NLM_F_REQUEST, NLM_F_ROOT, NLM_F_MATCH
    (bytes[16], bytes[17], bytes[18]) = (family, UInt8(IPPROTO_TCP), 1 << 1)  // INET_DIAG_INFO
    bytes.put(UInt32.max, at: 20)  // All states.
    return bytes
  }

  /// Reads one datagram of answers, each an `nlmsghdr`, an `inet_diag_msg` and attributes; false after the last.
  private static func read(
    _ bytes: ArraySlice<UInt8>, into sum: inout Count, _ inodes: Set<UInt32>, _ withLoopback: Bool
  ) -> Bool {
    var rest = bytes
    while rest.count >= 16 {
      let length = Int(rest.number(UInt32.self, at: 0))
      guard length >= 16, length <= rest.count, rest.number(UInt16.self, at: 4) == 20 else { return false }
      if length >= 88, inodes.contains(rest.number(UInt32.self, at: 84)),
        withLoopback || !staysHere(rest)
      {
        add(attributes: rest.dropFirst(88).prefix(length - 88), to: &sum)
      }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return true
  }

  /// Whether both ends of an answer's connection are on this machine: the peer's address is a loopback one, or our own.
  private static func staysHere(_ answer: ArraySlice<UInt8>) -> Bool {
    let length = answer[answer.startIndex + 16] == UInt8(AF_INET) ? 4 : 16  // Of IPv4 the first four bytes.
    let (source, destination) = (answer.dropFirst(24).prefix(length), answer.dropFirst(40).prefix(length))
    return isLoopback(destination) || source.elementsEqual(destination)
  }

  private static func add(attributes: ArraySlice<UInt8>, to sum: inout Count) {
    var rest = attributes
    while rest.count >= 4 {
      let (length, type) = (Int(rest.number(UInt16.self, at: 0)), rest.number(UInt16.self, at: 2))
      guard length >= 4, length <= rest.count else { return }
      if type == 2, length >= 4 + 136 {  // tcpi_bytes_acked and tcpi_bytes_received
        sum.sent += Int64(clamping: rest.number(UInt64.self, at: 4 + 120))
        sum.received += Int64(clamping: rest.number(UInt64.self, at: 4 + 128))
      }
      rest = rest.dropFirst((length + 3) & ~3)
    }
  }
}

extension ArraySlice<UInt8> {
  /// A number in the machine's order, so many bytes from the slice's begin.
  fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    var number: Number = 0
    Swift.withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: self[(startIndex + offset)...].prefix($0.count)) }
    return number
  }
}

extension [UInt8] {
  fileprivate mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    Swift.withUnsafeBytes(of: number) { bytes in
      for (place, byte) in bytes.enumerated() { self[offset + place] = byte }
    }
  }
}
