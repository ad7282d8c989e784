import Patience
import Foundation
import NightjarWire
import Testing
import Varlink

extension EndToEndTests {
  /// The daemon under a service manager: it is handed its socket, and says when it serves.
  @Suite struct ActivationTests {
    /// Says, as the very process that becomes the daemon, that a socket waits at descriptor 3.
    static let activated = ["/bin/sh", "-c", "export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$@\"", "sh"]

    @Test func `callers wait while the daemon is restarted behind a socket that stays`() async throws {
      try await withHome { home in
        let listener = try home.listen()
        defer { close(listener) }

        let early = try RawLine(to: home.socket)
        #expect(early.offer(Self.call) == Self.call.count)
        try await home.start(under: Self.activated)
        try await answer(on: early)
        #expect(try await home.stop() == 0)
        let second = try RawLine(to: home.socket)
        #expect(second.offer(Self.call) == Self.call.count)
        #expect(second.take() == [], "nobody answers, and nobody hangs up")
        try await home.start(under: Self.activated)
        try await answer(on: second)
        home.crash()
        let third = try home.command(["status"])
        try await home.start(under: Self.activated)

        #expect(try await third.ended() == 0, "it said: \(third.text)")
        #expect(Files.exists(home.socket))
      }
    }

    @Test func `sockets that are meant for another process are left alone`() async throws {
      try await withHome(["LISTEN_PID": "1", "LISTEN_FDS": "1"]) { home in
        try await home.start()

        #expect(try await home.call(ControlInterface.Status.self).pid == Int64(home.daemon!.pid))
      }
    }

    @Test(arguments: ["/", "@"]) func `the manager is told when the daemon serves and when it stops`(
      kind: String
    ) async throws {
      let place = kind == "/" ? "/tmp/nightjar-notify-\(getpid())" : "@nightjar-notify-\(getpid())"
      let notices = try Notices(at: place)
      try await withHome(["NOTIFY_SOCKET": place]) { home in
        #expect(notices.next == nil)

        try await home.start()
        try await eventually("it says that it serves") { notices.next == "READY=1" }
        #expect(try await home.stop() == 0)

        #expect(notices.next == "STOPPING=1")
      }
    }

    private static let call = Array("{\"method\":\"org.varlink.service.GetInfo\"}\0".utf8)

    private func answer(on line: RawLine) async throws {
      try await eventually("an answer") { line.take().map { $0.contains(0) } ?? false }
    }
  }

  /// A service manager's ear (sd_notify(3)).
  private final class Notices {
    private let socket: Int32
    private let path: String

    init(at path: String) throws {
      self.path = path
      socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(path.utf8)
      if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: Glibc.sockaddr.self, capacity: 1) { bind(socket, $0, size) }
      }
      guard result == 0 else { throw NeverHappened(description: "bind \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
      close(socket)
      if path.hasPrefix("/") { unlink(path) }
    }

    /// The next notice, if one is there.
    var next: String? {
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(socket, &bytes, bytes.count, 0)
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
  }
}
