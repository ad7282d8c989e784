import Glibc

// What nobody who reads a file from a connection and writes it to another can do without: the fewest calls, and nothing
// else.
//
//     floor-bench PORT DESTINATION     of http://127.0.0.1:PORT/file
//
// The answer's head is written, too: what it says is not looked at.
let pieceSize = 4 << 20

func failed(_ call: String) -> Never {
  print("\(call): \(String(cString: strerror(errno)))")
  exit(1)
}

guard CommandLine.arguments.count == 3, let port = UInt16(CommandLine.arguments[1]) else {
  print("usage: floor-bench PORT DESTINATION")
  exit(64)
}
let file = open(CommandLine.arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
guard file >= 0 else { failed("open") }
let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_port = port.bigEndian
address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
let isConnected = withUnsafeBytes(of: &address) {
  connect(connection, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) == 0
}
guard isConnected else { failed("connect") }
let request = "GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
guard write(connection, request, request.utf8.count) == request.utf8.count else { failed("write") }
let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
while true {
  let count = read(connection, piece.baseAddress, piece.count)
  guard count >= 0 else { failed("read") }
  guard count > 0 else { break }
  guard write(file, piece.baseAddress, count) == count else { failed("write") }
}
