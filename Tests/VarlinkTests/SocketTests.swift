import Glibc
import TestThreads
import Testing

@testable import Varlink

@Suite(.blocking) struct SocketTests {
  @Test(arguments: [
    ("unix:/run/a b", VarlinkAddress.Place.path("/run/a b"), nil), ("unix:relative", .path("relative"), nil),
    ("unix:/a;mode=0600", .path("/a"), 0o600), ("unix:/a;other=1;mode=666", .path("/a"), 0o666),
    ("unix:@name", .abstract("name"), nil), ("tcp:127.0.0.1:80", .tcp(host: "127.0.0.1", port: 80), nil),
    ("tcp:[::1]:80", .tcp(host: "::1", port: 80), nil), ("tcp:localhost:0", .tcp(host: "localhost", port: 0), nil),
  ])
  func `addresses are read`(text: String, place: VarlinkAddress.Place, mode: UInt32?) throws {
    let address = try VarlinkAddress(text)

    #expect(address.place == place)
    #expect(address.mode == mode)
    #expect(try VarlinkAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "unix:", "unix:@", "/run/a", "tcp:host", "tcp::80", "tcp:host:70000", "unix:/a;mode=9", "unix:/a;mode=7777",
    "device:/dev/x",
  ])
  func `what is no address is refused`(text: String) {
    let error = #expect(throws: TransportError.self) { try VarlinkAddress(text) }
    #expect(error?.code == .badAddress)
  }

  @Test func `a path of any length is bound and reached, for its owner alone`() throws {
    let folder = try TemporaryFolder()
    var long = folder.path
    while long.utf8.count < 400 {
      long += "/" + String(repeating: "d", count: 60)
      #expect(mkdir(long, 0o700) == 0)
    }
    let path = long + "/socket"

    let listener = try VarlinkListener(binding: VarlinkAddress(path: path))
    var status = stat()
    #expect(lstat(path, &status) == 0)
    let descriptor = try UnixSocket.connect(to: path)
    close(descriptor)
    listener.close()

    #expect(status.st_mode == S_IFSOCK | 0o600)
    #expect(access(path, F_OK) != 0)
  }

  @Test(arguments: [UInt32(0o600), 0o660, 0o666])
  func `the file has the mode asked for, whatever the umask`(mode: UInt32) throws {
    let folder = try TemporaryFolder()

    let listener = try VarlinkListener(binding: VarlinkAddress("unix:\(folder.path)/s;mode=0\(String(mode, radix: 8))"))
    var status = stat()
    lstat(folder.path + "/s", &status)

    #expect(status.st_mode & 0o777 == mode)
    listener.close()
  }

  @Test func `a dead socket is replaced and a living one is not`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    close(try UnixSocket.listen(at: path))

    let living = try UnixSocket.listen(at: path)
    let error = #expect(throws: TransportError.self) { try UnixSocket.listen(at: path) }
    let reached = try UnixSocket.connect(to: path)

    #expect(error?.code == .inUse)
    close(reached)
    close(living)
  }

  @Test func `what is no socket is left alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    symlink(path, folder.path + "/link")

    let file = #expect(throws: TransportError.self) { try UnixSocket.listen(at: path) }
    let link = #expect(throws: TransportError.self) { try UnixSocket.listen(at: folder.path + "/link") }

    #expect(file?.code == .inUse)
    #expect(link?.code == .inUse)
    #expect(access(path, F_OK) == 0)
  }

  @Test func `nobody there is told apart from trouble`() throws {
    let folder = try TemporaryFolder()

    for path in ["/nothing", "/no/folder"] {
      let error = #expect(throws: TransportError.self) { try UnixSocket.connect(to: folder.path + path) }
      #expect(error?.code == .unreachable)
    }
    let name = #expect(throws: TransportError.self) { try VarlinkAddress("unix:@nobody-\(getpid())").connect() }
    #expect(name?.code == .unreachable)
    let ending = #expect(throws: TransportError.self) { try UnixSocket.connect(to: folder.path + "/") }
    #expect(ending?.code == .badAddress)
  }

  @Test func `closing a listener leaves the file of its successor alone`() throws {
    let folder = try TemporaryFolder()
    let first = try VarlinkListener(binding: VarlinkAddress(path: folder.path + "/s"))
    unlink(folder.path + "/s")
    let second = try VarlinkListener(binding: VarlinkAddress(path: folder.path + "/s"))

    first.close()

    close(try UnixSocket.connect(to: folder.path + "/s"))
    second.close()
  }

  @Test(arguments: ["tcp:127.0.0.1:0", "tcp:[::1]:0"])
  func `a service is reached over TCP at the port that was free`(address: String) throws {
    guard let listener = try? VarlinkListener(binding: VarlinkAddress(address)) else {
      // A machine without IPv6 cannot try it; every machine has the other.
      #expect(address == "tcp:[::1]:0")
      return
    }
    let service = try VarlinkService(.init(vendor: "", product: "TCP", version: "", url: ""), interfaces: [])
    try service.start(on: [listener])
    defer { service.stop() }

    let client = try VarlinkClient(to: VarlinkAddress(listener.address))

    #expect(try client.information(timeout: .seconds(30)).product == "TCP")
    let credentials = #expect(throws: TransportError.self) { try client.credentials }
    #expect(credentials?.code == .system)
  }

  @Test func `a socket that somebody else bound is served, and its file left`() throws {
    let folder = try TemporaryFolder()
    let descriptor = try UnixSocket.listen(at: folder.path + "/s")
    let service = try VarlinkService(.init(vendor: "", product: "Heir", version: "", url: ""), interfaces: [])

    try service.start(on: [VarlinkListener(inheriting: descriptor)])
    let product = try VarlinkClient(to: VarlinkAddress(path: folder.path + "/s")).information().product
    service.stop()

    #expect(product == "Heir")
    #expect(access(folder.path + "/s", F_OK) == 0)
  }

  @Test func `a descriptor that does not listen is not inherited`() throws {
    var ends: [CInt] = [-1, -1]
    socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)

    let error = #expect(throws: TransportError.self) { try VarlinkListener(inheriting: ends[0]) }

    #expect(error?.code == .system)
    for end in ends { close(end) }
  }

  @Test func `a client knows the uid of its service`() throws {
    let test = try TestService()

    let credentials = try test.client().credentials

    #expect(credentials.uid == geteuid())
    #expect(credentials.pid == getpid())
  }

  @Test func `a service goes over to another socket while clients stay`() throws {
    let folder = try TemporaryFolder()
    let places = ["/old", "/new"].map { VarlinkAddress(path: folder.path + $0) }
    let service = try VarlinkService(.init(vendor: "", product: "Mover", version: "", url: ""), interfaces: [])
    let old = try VarlinkListener(binding: places[0])
    try service.start(on: [old])
    defer { service.stop() }
    let before = try VarlinkClient(to: places[0])
    #expect(try before.information(timeout: .seconds(30)).product == "Mover")

    service.listen(on: try VarlinkListener(binding: places[1]), insteadOf: old)
    let after = try VarlinkClient(to: places[1])

    #expect(try after.information(timeout: .seconds(30)).product == "Mover")
    #expect(try before.information(timeout: .seconds(30)).product == "Mover")
    #expect(access(folder.path + "/old", F_OK) != 0)
  }

  @Test func `a socket is out of its place once its file or the folder is gone, whatever is there instead`() throws {
    let folder = try TemporaryFolder()
    try #require(mkdir(folder.path + "/run", 0o700) == 0)
    let address = VarlinkAddress(path: folder.path + "/run/s")
    let first = try VarlinkListener(binding: address)
    #expect(first.isInPlace)

    rename(folder.path + "/run", folder.path + "/away")
    #expect(!first.isInPlace)
    try #require(mkdir(folder.path + "/run", 0o700) == 0)
    let second = try VarlinkListener(binding: address)

    #expect(!first.isInPlace && second.isInPlace)
  }
}
