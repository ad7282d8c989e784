import Foundation
import Patience

/// HTTP/1.1 on this machine, one request for each connection, with the fields that are given and no others: URLSession
/// does not understand chromedriver's answers, and sends no `Host` of one's choice.
enum PlainHTTP {
  struct Answer {
    var status: Int
    var body: Data
  }

  /// Sends a request to a port of 127.0.0.1, and waits for the whole answer.
  static func send(_ method: String, _ path: String, port: Int, fields: [String: String] = [:], body: Data?) throws
    -> Answer
  {
    let line = try connect(to: port)
    defer { close(line) }
    var fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(fields) { $1 }
    if let body { fields["Content-Length"] = "\(body.count)" }
    let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    try write(Data(head.utf8) + (body ?? Data()), to: line)
    return try answer(from: line)
  }

  private static func connect(to port: Int) throws -> Int32 {
    let line = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    // Who does not answer at all fails the test, rather than keep it for ever.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(line, $0, length) }
    }
    guard result == 0 else {
      close(line)
      throw NeverHappened(description: "nobody listens on port \(port)")
    }
    return line
  }

  private static func write(_ bytes: Data, to line: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(line, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw NeverHappened(description: "the connection was closed before the request was sent") }
      rest = rest.dropFirst(count)
    }
  }

  private static func answer(from line: Int32) throws -> Answer {
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let found = whole(bytes)
      if let found { return found }
      let count = recv(line, &piece, piece.count, 0)
      guard count > 0 else {
        throw NeverHappened(description: "no whole answer: \(String(decoding: bytes.prefix(300), as: UTF8.self))")
      }
      bytes.append(contentsOf: piece[..<count])
    }
  }

  /// The answer, if all of it is there.
  private static func whole(_ bytes: Data) -> Answer? {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }?.split(separator: ":").last
    let body = bytes[end.upperBound...]
    guard body.count >= length.flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }) ?? 0 else { return nil }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, body: Data(body))
  }
}
