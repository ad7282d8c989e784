import NIOCore
import NightjarModel

/// `CONNECT` (RFC 9110, section 9.3.6).
struct ConnectTalk: ProxyTalk {
  let authority: String
  /// What is shown as `Proxy-Authorization`; nil for nothing.
  let authorization: String?
  let headersMax: Int
  private var head: [UInt8] = []

  init(_ authority: String, showing authorization: String?, headersMax: Int) {
    (self.authority, self.authorization, self.headersMax) = (authority, authorization, headersMax)
  }

  func begin() throws -> [UInt8] {
    guard HTTPField.carries(authority), HTTPField.carries(authorization ?? "") else {
      throw ProxyError.nonsense("what it wants to be shown holds control characters")
    }
    let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
    return Array(
      "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\nUser-Agent: Nightjar/1\r\n\(credentials)\r\n".utf8)
  }

  mutating func hear(_ input: inout ByteBuffer) throws -> ProxyReply {
    while let byte: UInt8 = input.readInteger() {
      head.append(byte)
      guard head.count <= headersMax else { throw ProxyError.nonsense("its answer has no end") }
      if byte == UInt8(ascii: "\n"), isWhole {
        let answer = try read()
        head = []
        if answer.status >= 200 { return try heed(answer) }
      }
    }
    return .waiting
  }

  /// Whether the head has come to the empty line. Lines may end with a bare LF (RFC 9112, section 2.2).
  private var isWhole: Bool { head.suffix(2) == Array("\n\n".utf8) || head.suffix(3) == Array("\n\r\n".utf8) }

  private func heed(_ answer: AnswerHead) throws -> ProxyReply {
    guard (200...299).contains(answer.status) else { throw ProxyError.refused(answer) }
    return .open
  }

  private func read() throws -> AnswerHead {
    let lines = String(decoding: head, as: UTF8.self).split { $0 == "\r\n" || $0 == "\n" }
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status)
    else { throw ProxyError.nonsense("it does not answer in HTTP") }
    let fields = lines.dropFirst().compactMap { line -> HTTPField? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return HTTPField(String(line[..<colon]), String(value))
    }
    return AnswerHead(status: status, headers: fields)
  }
}
