import NIOCore
import NightjarModel

/// SOCKS 5 (RFC 1928), with a name and password where there are some (RFC 1929).
struct SocksTalk: ProxyTalk {
  private enum Stage { case method, password, connection }

  let origin: Origin
  let proxy: ProxyServer
  private var stage = Stage.method

  init(_ origin: Origin, through proxy: ProxyServer) { (self.origin, self.proxy) = (origin, proxy) }

  func begin() throws -> [UInt8] {
    guard name.count <= 255 else {
      throw TransferFailure(
        .badURL, "the host's name has \(name.count) bytes, and SOCKS 5 tells the proxy \(proxy.host) no more than 255")
    }
    return proxy.user == nil ? [5, 1, 0] : [5, 2, 0, 2]
  }

  private var name: [UInt8] { Array(origin.host.utf8) }

  mutating func hear(_ input: inout ByteBuffer) throws -> ProxyReply {
    switch stage {
    case .method:
      guard let reply = input.readBytes(length: 2) else { return .waiting }
      return try choose(reply)
    case .password:
      guard let reply = input.readBytes(length: 2) else { return .waiting }
      guard reply[1] == 0 else { throw ProxyError.socksWantsPassword }
      stage = .connection
      return .say(request)
    case .connection: return try connected(&input)
    }
  }

  private mutating func choose(_ reply: [UInt8]) throws -> ProxyReply {
    switch (reply[0], reply[1]) {
    case (5, 0):
      stage = .connection
      return .say(request)
    case (5, 2):
      guard let user = proxy.user, user.count <= 255, proxy.password.count <= 255 else {
        throw ProxyError.socksWantsPassword
      }
      stage = .password
      return .say([1, UInt8(user.count)] + user + [UInt8(proxy.password.count)] + proxy.password)
    case (5, _): throw ProxyError.socksWantsPassword
    case (_, _): throw ProxyError.nonsense("it does not answer in SOCKS 5")
    }
  }

  private var request: [UInt8] {
    let port = [UInt8(origin.port >> 8), UInt8(origin.port & 255)]
    if let address = HostPattern.bytes(origin.host) { return [5, 1, 0, address.count == 4 ? 1 : 4] + address + port }
    return [5, 1, 0, 3, UInt8(name.count)] + name + port
  }

  private func connected(_ input: inout ByteBuffer) throws -> ProxyReply {
    guard let start = input.getBytes(at: input.readerIndex, length: 5) else { return .waiting }
    guard start[0] == 5 else { throw ProxyError.nonsense("it does not answer in SOCKS 5") }
    guard start[1] == 0 else { throw ProxyError.socksRefused(start[1]) }
    let length: Int
    switch start[3] {
    case 1: length = 10
    case 3: length = 7 + Int(start[4])
    case 4: length = 22
    default: throw ProxyError.nonsense("it does not answer in SOCKS 5")
    }
    guard input.readableBytes >= length else { return .waiting }
    input.moveReaderIndex(forwardBy: length)
    return .open
  }
}
