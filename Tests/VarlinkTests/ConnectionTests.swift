import FoundationEssentials
import Glibc
import Synchronization
import TestThreads
import Testing

@testable import Varlink

/// How a service treats its connections: who may connect, what is dropped, and what is left behind.
@Suite(.blocking) struct ConnectionTests {
  @Test func `a client that does not read its answers is not read either`() throws {
    var limits = VarlinkService.Limits()
    limits.unsentBytesMax = 1 << 20
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    let text = String(repeating: "x", count: 1000)
    let call = Array((#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"# + "\0").utf8)
    _ = fcntl(peer.descriptor, F_SETFL, O_NONBLOCK)

    // The socket takes no more only once the service has stopped reading, which is what is waited for.
    var written = 0
    while written < 100 << 20 {
      let count = call.withUnsafeBytes { bytes in
        send(
          peer.descriptor, bytes.baseAddress! + written % call.count, call.count - written % call.count, Linux.noSignal)
      }
      if count > 0 { written += count }
      var socket = pollfd(fd: peer.descriptor, events: Int16(POLLOUT), revents: 0)
      if count < 0, poll(&socket, 1, 1000) == 0 { break }
    }
    let unsent = test.service.connections[0].unsentBytes
    _ = fcntl(peer.descriptor, F_SETFL, 0)
    for _ in 0..<written / call.count { #expect(try peer.read()?.utf8.count == 1026) }

    #expect(written < 10 << 20)
    #expect(unsent <= 1 << 20)
    #expect(test.gone.all.isEmpty)
  }

  @Test func `a call behind an answer that is slow to read is not forgotten`() async throws {
    var limits = VarlinkService.Limits()
    limits.unsentBytesMax = 1 << 16
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    let long = String(repeating: "x", count: 300_000)  // More than the socket takes at once.

    for text in [long, "b"] {
      peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"# + "\0")
    }
    try await test.echoes.first()

    #expect(try peer.read()?.utf8.count == 300_026)
    #expect(try peer.read() == #"{"parameters":{"text":"b"}}"#)
  }

  @Test func `no more oneway calls of a client are taken than may wait, and all are in the end`() async throws {
    let (drawer, heard) = (Drawer(), Expected<Bool>())
    var limits = VarlinkService.Limits()
    limits.callsInFlightMax = 4
    var interface = try VarlinkInterface("interface a.b\nmethod Keep() -> ()")
    interface.handle("Keep", taking: NoParameters.self, replying: NoParameters.self) { call in
      drawer.put(call)
      heard.report(call.isOneway)
    }
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [interface], limits: limits)
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@varlink-oneway-\(getpid())"))
    try service.start(on: [listener])
    defer { service.stop() }
    let peer = try RawPeer(listener.address)

    peer.write(String(repeating: #"{"method":"a.b.Keep","oneway":true}"# + "\0", count: 10))
    try await heard.first(4)
    // Another client's answer shows that the service has had every chance to take more.
    _ = try VarlinkClient(to: VarlinkAddress(listener.address)).information(timeout: .seconds(30))
    let taken = heard.all.count
    drawer.empty()
    try await heard.first(8)
    drawer.empty()

    #expect(taken == 4)
    #expect(try await heard.first(10).allSatisfy { $0 })
    withExtendedLifetime(peer) {}
  }

  @Test func `of a client that reads no answers no more calls are taken than may wait`() async throws {
    var limits = VarlinkService.Limits()
    limits.callsInFlightMax = 4
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    try await goneWithoutHangingUp(peer, test)

    peer.write(String(repeating: #"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0", count: 10))
    let kept = try await test.kept.first(4)
    // Another client's answer shows that the service has had every chance to take more.
    _ = try test.client().waitingCall("org.example.test.Echo", TestService.Text(text: ""), TestService.Text.self)

    #expect(test.kept.all.count == 4)
    #expect(kept.allSatisfy { !$0.reply(.init(number: 1)) })
  }

  @Test func `a client that reads no answers is dropped when all together have sent too much`() async throws {
    var limits = VarlinkService.Limits()
    limits.inputBytesMax = 1 << 20
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    try await goneWithoutHangingUp(peer, test)

    peer.write(#"{"method":""# + String(repeating: "x", count: 2_000_000))

    #expect(try await test.gone.first()[0].code == .tooLarge)
  }

  /// Has the service find out, by an answer that it cannot send, that a client reads nothing more, though it may still
  /// write.
  private func goneWithoutHangingUp(_ peer: RawPeer, _ test: TestService) async throws {
    peer.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":1}}"# + "\0")
    let call = try await test.watches.first()[0]
    let told = Expected<Bool>()
    call.onHangUp { told.report(true) }
    shutdown(peer.descriptor, CInt(SHUT_RD))
    call.reply(.init(number: 1), continues: true)
    try await told.first()
  }

  @Test func `of clients that end no message the one with the most goes when all have too much`() async throws {
    var limits = VarlinkService.Limits()
    limits.inputBytesMax = 1 << 20
    let test = try TestService(limits)
    let (greedy, modest) = (try RawPeer(test.address), try RawPeer(test.address))
    let begin = #"{"method":"org.example.test.Echo","parameters":{"text":""#

    greedy.write(begin + String(repeating: "x", count: 1_200_000))
    modest.write(begin + String(repeating: "x", count: 900_000) + #""}}"# + "\0")

    #expect(try greedy.read()?.contains("all clients together have sent") == true)
    #expect(try greedy.read() == nil)
    #expect(try modest.read()?.utf8.count == 900_026)
    #expect(try await test.gone.first()[0].code == .tooLarge)
  }

  @Test func `of clients that read no answers the one for which most waits goes when all have too much`() async throws {
    var limits = VarlinkService.Limits()
    limits.outputBytesMax = 1 << 20
    let test = try TestService(limits)
    let (greedy, modest) = (try RawPeer(test.address), try RawPeer(test.address))

    for (count, peer) in [(900_000, modest), (3_000_000, greedy)] {
      let text = String(repeating: "x", count: count)
      peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"# + "\0")
    }

    #expect(try await test.gone.first()[0].code == .overflow)
    #expect(try greedy.read() == nil)
    #expect(try modest.read()?.utf8.count == 900_026)
  }

  @Test func `a call that is dropped unanswered closes its connection`() async throws {
    var interface = try VarlinkInterface("interface a.b\nmethod Forget() -> ()")
    interface.handle("Forget", taking: NoParameters.self, replying: NoParameters.self) { _ in }
    let gone = Expected<TransportError>()
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [interface],
      hooks: .init(onDisconnect: { gone.report($1) }))
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@varlink-forget-\(getpid())"))
    try service.start(on: [listener])
    defer { service.stop() }

    let error = #expect(throws: TransportError.self) {
      try VarlinkClient(to: VarlinkAddress(listener.address)).waitingCall(
        "a.b.Forget", NoParameters(), NoParameters.self)
    }

    #expect(error?.code == .closed)
    #expect(try await gone.first()[0].detail == "a call to a.b.Forget was dropped without an answer")
  }

  @Test func `the hook decides who may connect and names the peer`() async throws {
    let welcome = try TestService(onConnect: { try PeerCredentials(of: $0) })
    let closed = try TestService(onConnect: { _ in throw VarlinkError.permissionDenied() })

    try welcome.client().send("org.example.test.Keep", TestService.Number(number: 1), returning: NoParameters.self) {
      _ in
    }
    let peer = try await welcome.kept.first()[0].connection.peer(as: PeerCredentials.self)
    let refused = try RawPeer(closed.address)

    #expect(peer == PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid()))
    #expect(try refused.read() == nil)
    #expect(try await closed.trouble.first()[0].code == .refused)
  }

  @Test func `what the system refuses is told as that, and not as a client's refusal`() async throws {
    let failure = TransportError(.system, "SO_PEERCRED: not enough memory")
    let test = try TestService(onConnect: { _ in throw failure })

    let peer = try RawPeer(test.address)

    #expect(try peer.read() == nil)
    #expect(try await test.trouble.first() == [failure])
  }

  @Test func `beyond the limit clients wait until another has gone`() throws {
    var limits = VarlinkService.Limits()
    limits.connectionsMax = 2
    let test = try TestService(limits)
    let peers = try [RawPeer(test.address), RawPeer(test.address)]
    for peer in peers { peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"in"}}"# + "\0") }
    for peer in peers { _ = try peer.read() }

    let third = try RawPeer(test.address)
    third.write(#"{"method":"org.example.test.Echo","parameters":{"text":"third"}}"# + "\0")
    peers[0].write(#"{"method":"org.example.test.Echo","parameters":{"text":"still"}}"# + "\0")
    _ = try peers[0].read()
    let early = test.echoes.all.contains("third")
    test.service.connections[0].close("making room")

    #expect(!early)
    #expect(try third.read() == #"{"parameters":{"text":"third"}}"#)
    #expect(test.gone.all == [TransportError(.closed, "making room")])
  }

  /// In a process of its own, where nobody else opens files.
  @Test func `whoever keeps a call of a client that has gone keeps no file open`() async {
    await #expect(processExitsWith: .success) {
      let test = try TestService()
      try test.client().oneway("org.example.test.Echo", TestService.Text(text: "warm"))
      try await test.gone.first()
      let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count

      for round in 1...20 {
        let peer = try RawPeer(test.address)
        peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
        try await test.kept.first(round)
      }
      try await test.gone.first(21)

      let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      // The last session's own hold on its file may end just after it told.
      precondition(after <= before + 1, "\(after - before) files are left open")
      precondition(test.kept.all.allSatisfy { $0.connection.isGone && $0.connection.unreadBytes == 0 })
    }
  }

  @Test func `connections have ids that are never used twice`() async throws {
    let test = try TestService()
    var ids: Set<UInt64> = []

    for round in 1...20 {
      let peer = try RawPeer(test.address)
      peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
      ids.insert(try await test.kept.first(round)[round - 1].connection.id)
    }

    #expect(ids.count == 20)
  }

  @Test func `stopping closes everything and answers what is ready`() async throws {
    let test = try TestService()
    let client = try test.client()
    let ended = Expected<TransportError>()
    client.onDisconnect { ended.report($0) }
    _ = try client.information()

    test.service.stop()
    test.service.stop()

    #expect(try await ended.first()[0].code == .closed)
    #expect(test.gone.all.map(\.code) == [.stopped])
    #expect(test.service.connections.isEmpty)
    let error = #expect(throws: TransportError.self) { try test.client() }
    #expect(error?.code == .unreachable)
  }

  @Test func `many clients are served by one thread, each in its own order`() async throws {
    let test = try TestService()
    let answers = (0..<50).map { _ in Expected<String>() }
    let clients = try answers.map { _ in try test.client() }

    for round in 0..<40 {
      for (client, answers) in zip(clients, answers) {
        try client.send("org.example.test.Echo", TestService.Text(text: "\(round)"), returning: TestService.Text.self) {
          answers.report((try? $0.get().text) ?? "failed")
        }
      }
    }

    let wanted = (0..<40).map { "\($0)" }
    for answers in answers { #expect(try await answers.first(40) == wanted) }
  }
}

/// Keeps calls until it is emptied.
private final class Drawer: Sendable {
  private let calls = Mutex<[VarlinkCall<NoParameters, NoParameters>]>([])

  func put(_ call: VarlinkCall<NoParameters, NoParameters>) { calls.withLock { $0.append(call) } }

  func empty() {
    _ = calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }
}
