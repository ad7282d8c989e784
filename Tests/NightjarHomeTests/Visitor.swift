import Foundation
import Glibc
import NightjarHome
import Patience
import Testing

/// A connection to this machine.
final class Visitor: Sendable {
  private let socket: Int32
  private let host: String

  init(port: Int) throws {
    host = "127.0.0.1:\(port)"
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)  // Who hears nothing for so long fails the test.
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    try #require(status == 0)
  }

  deinit { close(socket) }

  /// The first line of what a visitor gets to see in the end: one that had to wait for too long comes again, as
  /// browsers do.
  static func answer(port: Int) async throws -> String {
    try await eventually("a visitor is answered") {
      let visitor = try Visitor(port: port)
      visitor.say("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      let answer = await visitor.hear()
      return answer.isEmpty ? nil : answer
    }
  }

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Comes in, and hands back the token.
  func enter(_ entrance: HomeScreen.Entrance) async -> String {
    let code = "{\"code\": \"\(entrance.code)\"}"
    say("POST /enter HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(code.utf8.count)\r\n\r\n\(code)")
    _ = await hear(until: "{\"token\":\"")
    let token = await hear(until: "\"")
    _ = await hear(until: "}")
    return token
  }

  /// Asks for something, without a body, as somebody who has come in.
  func ask(_ what: String, with token: String) {
    say("\(what) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\nContent-Length: 0\r\n\r\n")
  }

  /// Says the same over and over until nobody listens any more.
  func goOn(saying text: String) {
    let bytes = Array(text.utf8)
    Thread.detachNewThread { [self] in
      while send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count {}
    }
  }

  /// What comes before a text, or before the end: at first a line.
  func hear(until end: String = "\r\n") async -> String {
    await withCheckedContinuation { done in
      Thread.detachNewThread { [self] in
        var (bytes, byte) = ([UInt8](), UInt8(0))
        while read(socket, &byte, 1) == 1 {
          bytes.append(byte)
          guard bytes.suffix(end.utf8.count).elementsEqual(end.utf8) else { continue }
          bytes.removeLast(end.utf8.count)
          break
        }
        done.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// Whether the other end has not closed it.
  var isOpen: Bool {
    var (count, byte) = (1, UInt8(0))
    while count > 0 { count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) }
    return count < 0 && errno == EAGAIN
  }
}
