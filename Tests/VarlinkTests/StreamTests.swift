import FoundationEssentials
import TestThreads
import Testing

@testable import Varlink

/// Calls that are answered again and again, and clients that go before they are through.
@Suite(.blocking) struct StreamTests {
  @Test func `a oneway call never begins a stream, though it asks for more`() throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Watch","more":true,"oneway":true,"parameters":{"number":1}}"# + "\0")
    peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"b"}}"# + "\0")

    #expect(try peer.read() == #"{"parameters":{"text":"b"}}"#)
    #expect(test.watches.all.isEmpty)
  }

  @Test func `a stream is told when its client hangs up`() async throws {
    let test = try TestService()
    let client = try test.client()
    let replies = Expected<Int>()
    let told = Expected<String>()

    try client.stream(
      "org.example.test.Watch", TestService.Number(number: 0), of: TestService.Number.self,
      each: { replies.report($0.number) }, end: { _ in told.report("client") })
    let call = try await test.watches.first()[0]
    call.onHangUp { told.report("service") }
    let sent = call.reply(.init(number: 1), continues: true)
    try await replies.first()
    client.close()
    try await told.first(2)
    try await test.gone.first()

    #expect(sent)
    #expect(Set(told.all) == ["service", "client"])
    #expect(!call.reply(.init(number: 2), continues: true))
    #expect(call.connection.isGone)
    call.onHangUp { told.report("late") }
    #expect(told.all.count == 3)
  }

  @Test func `a stream of replies of the wrong type ends once`() async throws {
    let test = try TestService()
    let client = try test.client()
    let (ends, over) = (Expected<TransportError.Code?>(), Expected<TransportError>())
    client.onDisconnect { over.report($0) }  // After everybody else was told.

    try client.stream(
      "org.example.test.Watch", TestService.Number(number: 0), of: TestService.Text.self, each: { _ in },
      end: { ends.report(($0 as? TransportError)?.code) })
    let call = try await test.watches.first()[0]
    for number in 1...3 { call.reply(.init(number: number), continues: true) }
    try await over.first()

    #expect(ends.all == [.undecodable])
    withExtendedLifetime(client) {}
  }

  @Test func `a complete call is not told of the hang-up`() async throws {
    let test = try TestService()
    let client = try test.client()
    let told = Expected<String>()
    try client.send("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self) { _ in }
    let call = try await test.kept.first()[0]

    call.onHangUp { told.report("hung up") }
    call.reply(.init(number: 1))
    client.close()
    try await test.gone.first()

    #expect(told.all.isEmpty)
  }

  @Test func `what a client wrote before it hung up is still handled`() async throws {
    let test = try TestService()
    test.service.pauseReading()

    for number in 0..<50 {
      let peer = try RawPeer(test.address)
      peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(number)"}}"# + "\0")
      peer.write(#"{"method":"org.example.test.Echo","oneway":true,"parameters":{"text":"\#(number)"}}"# + "\0")
    }
    test.service.resumeReading()

    let heard = try await test.echoes.first(100)
    for number in 0..<50 { #expect(heard.count { $0 == "\(number)" } == 2) }
    #expect(try await test.gone.first(50).allSatisfy { $0.code == .closed })
  }

  @Test func `whoever waits for a client's last words hears of them after they were handled`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    let told = Expected<[String]>()
    peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    let connection = try await test.kept.first()[0].connection
    let words = (0..<1000).map { "word \($0)" }  // More than is read at once.

    test.service.pauseReading()
    peer.write(
      words.map { #"{"method":"org.example.test.Echo","oneway":true,"parameters":{"text":"\#($0)"}}"# + "\0" }.joined())
    connection.whenHeard { told.report(test.echoes.all) }
    let early = told.all
    test.service.resumeReading()

    #expect(early.isEmpty)
    #expect(try await told.first() == [words])
  }

  @Test func `last words are heard even if they took just as many reads as are made at once`() async throws {
    let (told, welcomed) = (Expected<Int>(), Expected<CInt>())
    let test = try TestService { descriptor in
      welcomed.report(descriptor)
      return 7
    }
    var peers = [try RawPeer(test.address)]
    peers[0].write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    let connection = try await test.kept.first()[0].connection

    test.service.pauseReading()
    peers[0].write([UInt8](repeating: 0x20, count: 198_000))  // Four reads, and the client says no more.
    connection.whenHeard { told.report(connection.unreadBytes) }
    for count in 2...3 {  // Once others were let in, the service has noted who waits, and sleeps.
      peers.append(try RawPeer(test.address))
      try await welcomed.first(count)
    }
    test.service.resumeReading()

    #expect(try await told.first() == [198_000])
    withExtendedLifetime(peers) {}
  }

  @Test func `the last words of a client that is gone are heard though another has its socket and reads nothing`()
    async throws
  {
    var limits = VarlinkService.Limits()
    limits.unsentBytesMax = 1 << 16
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    let told = Expected<[String]>()
    peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    let connection = try await test.kept.first()[0].connection
    let words = [String(repeating: "x", count: 40_000), "last"]
    for word in words {
      peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(word)"}}"# + "\0")
    }
    try await test.echoes.first()

    connection.hangUp()
    connection.whenHeard { told.report(test.echoes.all) }

    #expect(try await told.first() == [words])
    #expect(try await test.gone.first()[0].code == .closed)
    withExtendedLifetime(peer) {}
  }

  @Test func `of a client whose connection is over nothing is waited for`() async throws {
    let test = try TestService()
    let told = Expected<Bool>()
    var peer: RawPeer? = try RawPeer(test.address)
    peer?.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    let connection = try await test.kept.first()[0].connection

    test.service.pauseReading()
    connection.whenHeard { told.report(true) }
    peer = nil
    test.service.stop()
    connection.whenHeard { told.report(false) }

    #expect(told.all == [true, false])
  }

  @Test func `a client that ends its writing still gets its answers`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":5}}"# + "\0")
    peer.endWriting()
    try await test.kept.first()[0].reply(.init(number: 6))

    #expect(try peer.read() == #"{"parameters":{"number":6}}"#)
    #expect(try peer.read() == nil)
  }

  @Test func `a client that takes more replies and ends its writing gets the only one`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Keep","more":true,"parameters":{"number":5}}"# + "\0")
    peer.endWriting()
    let call = try await test.kept.first()[0]
    // Another client's answer shows that the service has had every chance to see the end.
    _ = try test.client().waitingCall("org.example.test.Echo", TestService.Text(text: ""), TestService.Text.self)
    call.reply(.init(number: 6))

    #expect(try peer.read() == #"{"parameters":{"number":6}}"#)
    #expect(try peer.read() == nil)
  }

  @Test func `a stream ends with the writing of its client`() async throws {
    let test = try TestService()
    let (patient, eager) = (try RawPeer(test.address), try RawPeer(test.address))

    patient.write(#"{"method":"org.example.test.Keep","more":true,"parameters":{"number":5}}"# + "\0")
    try await test.kept.first()[0].reply(.init(number: 6), continues: true)
    #expect(try patient.read() == #"{"parameters":{"number":6},"continues":true}"#)
    patient.endWriting()
    eager.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":5}}"# + "\0")
    eager.endWriting()

    #expect(try patient.read() == nil)
    #expect(try eager.read() == nil)
    try await test.gone.first(2)
  }

  @Test func `a stream whose client does not read is dropped at the limit, with a reason`() async throws {
    var limits = VarlinkService.Limits()
    limits.unsentBytesMax = 4096
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)
    peer.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":5}}"# + "\0")
    let call = try await test.watches.first()[0]

    var most = 0
    while call.reply(.init(number: 1), continues: true) { most = max(most, call.connection.unsentBytes) }

    #expect(try await test.gone.first()[0].code == .overflow)
    #expect(most > 0 && most <= 4096)
  }

  @Test func `a stream is told when its client has read everything`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    peer.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":5}}"# + "\0")
    let call = try await test.watches.first()[0]
    let told = Expected<Int>()

    var count = 0
    while call.connection.unsentBytes < 100_000 {
      call.reply(.init(number: count), continues: true)
      count += 1
    }
    call.whenWritable { told.report(call.connection.unsentBytes) }
    for _ in 0..<count { _ = try peer.read() }

    #expect(try await told.first() == [0])
  }

  @Test func `who waits until all is read is told also if an earlier call holds it back`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    peer.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":5}}"# + "\0")
    let (earlier, call) = (try await test.kept.first()[0], try await test.watches.first()[0])
    let told = Expected<Int>()

    call.reply(.init(number: 2), continues: true)
    call.whenWritable { told.report(call.connection.unsentBytes) }
    peer.write(#"{"method":"org.example.test.Echo","oneway":true,"parameters":{"text":"it has come by"}}"# + "\0")
    _ = try await test.echoes.first()
    earlier.reply(.init(number: 1))
    for _ in 0..<2 { _ = try peer.read() }

    #expect(try await told.first() == [0])
  }

  @Test func `an answer that waits behind a stream does not hold up the stream`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    peer.write(#"{"method":"org.example.test.Watch","more":true,"parameters":{"number":5}}"# + "\0")
    peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"behind"}}"# + "\0")
    let call = try await test.watches.first()[0]
    _ = try await test.echoes.first()
    let told = Expected<[Int]>()

    call.reply(.init(number: 1), continues: true)
    call.whenWritable { told.report([call.unsentBytes, call.connection.unsentBytes]) }
    _ = try peer.read()

    #expect(try await told.first() == [[0, #"{"parameters":{"text":"behind"}}"#.utf8.count + 1]])
  }
}
