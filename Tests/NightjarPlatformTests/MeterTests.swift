import Glibc
import Patience
import Testing

@testable import NightjarPlatform

@Suite(.timeLimit(.minutes(1))) struct MeterTests {
  @Test func `bytes over a process's open connections are counted both ways`() async throws {
    let (client, server) = connection(to: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian))
    defer { for file in [client, server] { close(file) } }
    let inodes: Set<UInt32> = [try inode(of: client), try inode(of: server)]
    let before = SocketMeter.count(ofSockets: inodes, withLoopback: true)

    var bytes = [UInt8](repeating: 1, count: 50_000)
    let sent = send(client, bytes, bytes.count, 0)
    let received = recv(server, &bytes, bytes.count, Int32(MSG_WAITALL))

    let after: SocketMeter.Count = try await eventually("all that was sent is confirmed, and so counted") {
      let now = SocketMeter.count(ofSockets: inodes, withLoopback: true)
      return now.sent - before.sent < 50_000 ? nil : now
    }
    #expect([sent, received] == [50_000, 50_000])
    #expect(after.received - before.received == 50_000)
    #expect((50_000...50_001).contains(after.sent - before.sent))  // The handshake counts for one.
    #expect(SocketMeter.count(ofSockets: inodes) == SocketMeter.Count(), "they do not leave this machine")
  }

  @Test func `a connection to this machine's own address on a network does not count`() throws {
    let own = Self.ownAddress ?? in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    let (client, server) = connection(to: own)
    defer { for file in [client, server] { close(file) } }
    let inodes: Set<UInt32> = [try inode(of: client), try inode(of: server)]

    #expect(send(client, [UInt8](repeating: 1, count: 5000), 5000, 0) == 5000)

    #expect(SocketMeter.count(ofSockets: inodes, withLoopback: true) != SocketMeter.Count())
    #expect(SocketMeter.count(ofSockets: inodes) == SocketMeter.Count())
  }

  /// Both ends of a connection to a listener at one of this machine's addresses.
  private func connection(to own: in_addr) -> (client: Int32, server: Int32) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr) = (sa_family_t(AF_INET), own)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(listener, name, length)
        listen(listener, 1)
        getsockname(listener, name, &length)
        connect(client, name, length)
      }
    }
    return (client, accept(listener, nil, nil))
  }

  /// An address of this machine on a network, if it has one of IPv4.
  private static let ownAddress: in_addr? = {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    return sequence(first: list) { $0?.pointee.ifa_next }.lazy.compactMap { entry -> in_addr? in
      guard let name = entry?.pointee.ifa_addr, name.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
      let address = name.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
      return UInt32(bigEndian: address.s_addr) >> 24 == 127 ? nil : address
    }.first
  }()

  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.8.8", true), ("128.0.0.1", false), ("10.0.0.127", false), ("::1", true),
    ("::2", false), ("::ffff:127.0.0.1", true), ("::ffff:10.0.0.1", false), ("7f00::1", false), ("2001:db8::1", false),
  ])
  func `what goes to this machine itself is known by its address`(text: String, isLoopback: Bool) {
    let isLong = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isLong ? 16 : 4)
    #expect(inet_pton(isLong ? AF_INET6 : AF_INET, text, &bytes) == 1)

    #expect(SocketMeter.isLoopback(bytes) == isLoopback)
  }

  private func inode(of file: Int32) throws -> UInt32 {
    var status = stat()
    try #require(fstat(file, &status) == 0)
    return UInt32(truncatingIfNeeded: status.st_ino)
  }

  @Test(arguments: [") S 1 (", ") S 1\u{600}", "a\u{600}", "\u{301})\u{301}"])
  func `a process can be read whatever it calls itself`(name: String) throws {
    let test = try TestHome()
    let script = try test.file(name, "#!/bin/sh\nread line < \(test.root)/never\n", mode: 0o700)
    try #require(mkfifo(test.root + "/never", 0o600) == 0)
    let spawn = try Spawn(
      Spawn.Order(
        paths: [script], arguments: [script], environment: [:], folder: "/",
        output: try #require(Descriptor.opened("/dev/null", O_WRONLY)), leaf: nil, way: .best))
    spawn.open()

    #expect(Doorbell.look { TestHome.text("/proc/\(spawn.pid)/comm") == name + "\n" })
    #expect(ProcessStatus(of: spawn.pid)?.group == spawn.pid)
    #expect(Meter.usage(of: [spawn.pid]) != nil)
    kill(spawn.pid, SIGKILL)
    waitpid(spawn.pid, nil, 0)
  }

  @Test func `processor time is that of the processes, and grows`() throws {
    let (before, start) = (try #require(Meter.usage(of: [getpid()])), clock())
    var sum = 0.0
    while clock() - start < CLOCKS_PER_SEC / 5 { for step in 1...100_000 { sum += 1 / Double(step) } }

    let spent = try #require(Meter.usage(of: [getpid()])) - before
    #expect(spent >= .milliseconds(150), "the kernel counts in hundredths of a second; computed \(sum)")
    #expect(Meter.usage(of: [0x7FFF_FFF0]) == nil)
  }
}
