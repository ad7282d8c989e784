import Glibc
import TestThreads
import Testing

@testable import Varlink

@Suite(.blocking) struct ClientTests {
  @Test func `a call returns its reply, waiting or awaiting`() async throws {
    let test = try TestService()
    let client = try test.client()
    let text = TestService.Text(text: "café \u{1F600} \"quoted\" \\ \n")

    let waited = try client.waitingCall("org.example.test.Echo", text, TestService.Text.self)
    let awaited = try await client.call("org.example.test.Echo", text, returning: TestService.Text.self)

    #expect(waited == text)
    #expect(awaited == text)
  }

  @Test func `an awaited call throws the service's error`() async throws {
    let test = try TestService()
    let client = try test.client()

    let error = await #expect(throws: VarlinkError.self) {
      try await client.call("org.example.test.None", NoParameters(), returning: NoParameters.self)
    }

    #expect(error == .methodNotFound("org.example.test.None"))
    #expect(error?.name == VarlinkError.Name.methodNotFound)
  }

  @Test func `a cancelled call ends at once and its late reply harms nothing`() async throws {
    let test = try TestService()
    let client = try test.client()

    let task = Task {
      try await client.call("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self)
    }
    let call = try await test.kept.first()[0]
    task.cancel()
    let result = await task.result
    call.reply(.init(number: 1))
    let next = try await client.call(
      "org.example.test.Echo", TestService.Text(text: "next"), returning: TestService.Text.self)

    #expect(throws: CancellationError.self) { try result.get() }
    #expect(next.text == "next")
  }

  @Test func `a call that takes too long throws, and its late reply harms nothing`() async throws {
    let test = try TestService()
    let client = try test.client()

    let error = #expect(throws: TransportError.self) {
      try client.call(
        "org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self, timeout: .zero)
    }
    try await test.kept.first()[0].reply(.init(number: 1))

    #expect(error?.code == .timedOut)
    #expect(try client.information().product == "Test")
  }

  @Test func `replies of a stream come one by one, with the last as the end`() async throws {
    let test = try TestService()
    let client = try test.client()

    let replies = try client.replies(
      to: "org.example.test.Watch", TestService.Number(number: 3), of: TestService.Number.self)
    let call = try await test.watches.first()[0]
    for number in 1...3 { call.reply(.init(number: number), continues: number < 3) }
    var numbers: [Int] = []
    for try await reply in replies { numbers.append(reply.number) }
    let next = try await client.call(
      "org.example.test.Echo", TestService.Text(text: "on"), returning: TestService.Text.self)

    #expect(numbers == [1, 2, 3])
    #expect(next.text == "on")
  }

  @Test func `a stream that ends with an error throws it after the replies`() async throws {
    let test = try TestService()
    let client = try test.client()
    let replies = try client.replies(
      to: "org.example.test.Watch", TestService.Number(number: 3), of: TestService.Number.self)
    let call = try await test.watches.first()[0]

    call.reply(.init(number: 1), continues: true)
    call.fail(VarlinkError("org.example.test.Refused", TestService.Text(text: "enough")))
    var numbers: [Int] = []
    let error = await #expect(throws: VarlinkError.self) {
      for try await reply in replies { numbers.append(reply.number) }
    }

    #expect(numbers == [1])
    #expect(try error?.parameters(as: TestService.Text.self).text == "enough")
  }

  @Test func `a loop that is behind holds the service back and misses nothing`() async throws {
    var limits = VarlinkClient.Limits()
    limits.streamRepliesMax = 4
    let test = try TestService()
    let client = try test.client(limits)
    let replies = try client.replies(
      to: "org.example.test.Watch", TestService.Number(number: 0), of: TestService.Number.self)
    let call = try await test.watches.first()[0]

    // The client's socket takes no more, so the bytes stay with the service.
    var count = 0
    while call.connection.unsentBytes < 1 << 20 {
      call.reply(.init(number: count), continues: true)
      count += 1
    }
    call.reply(.init(number: count))
    var numbers: [Int] = []
    for try await reply in replies { numbers.append(reply.number) }

    #expect(numbers == Array(0...count))
  }

  @Test func `a stream that is dropped hangs up`() async throws {
    let test = try TestService()
    let client = try test.client()
    let told = Expected<Bool>()

    do {
      _ = try client.replies(to: "org.example.test.Watch", TestService.Number(number: 0), of: TestService.Number.self)
    }
    try await test.gone.first()
    client.onDisconnect { _ in told.report(true) }

    #expect(try await told.first() == [true])
  }

  @Test func `a cancelled loop hangs up`() async throws {
    let test = try TestService()
    let client = try test.client()

    let task = Task {
      let replies = try client.replies(
        to: "org.example.test.Watch", TestService.Number(number: 0), of: TestService.Number.self)
      for try await _ in replies {}
    }
    try await test.watches.first()
    task.cancel()
    _ = await task.result

    #expect(try await test.gone.first()[0].code == .closed)
  }

  @Test func `callbacks may call again, however full the sockets are`() async throws {
    let test = try TestService()
    let client = try test.client()
    let answers = Expected<Int>()
    let text = TestService.Text(text: String(repeating: "x", count: 100_000))

    for _ in 0..<20 {
      try client.send("org.example.test.Echo", text, returning: TestService.Text.self) { _ in
        for _ in 0..<5 {
          try? client.send("org.example.test.Echo", text, returning: TestService.Text.self) { result in
            answers.report((try? result.get().text.utf8.count) ?? 0)
          }
        }
      }
    }

    #expect(try await answers.first(100).allSatisfy { $0 == 100_000 })
  }

  @Test func `a client that is not read waits for room and loses nothing`() async throws {
    let test = try TestService()
    let client = try test.client()
    let text = TestService.Text(text: String(repeating: "x", count: 10_000))
    test.service.pauseReading()
    let finished = Expected<Bool>()

    let thread = try ServiceThread(named: "test-sender") {
      for _ in 0..<200 { try? client.oneway("org.example.test.Echo", text) }
      finished.report(true)
    }
    // Something lies in the socket, and the service does not take it.
    try await Self.until { test.service.connections.first?.unreadBytes ?? 0 >= 10_000 }
    let early = test.echoes.all.count
    test.service.resumeReading()
    try await finished.first()
    thread.join()

    #expect(early == 0)
    #expect(try await test.echoes.first(200).count == 200)
  }

  @Test func `when the service goes away every waiting call is told once, then the hook`() async throws {
    let test = try TestService()
    let client = try test.client()
    let told = Expected<String>()
    client.onDisconnect { _ in told.report("hook") }
    for number in 0..<3 {
      try client.send("org.example.test.Keep", TestService.Number(number: number), returning: TestService.Number.self) {
        if case .failure(let error as TransportError) = $0 { told.report("\(error.code)") }
      }
    }
    try await test.kept.first(3)

    test.service.stop()

    #expect(try await told.first(4) == ["closed", "closed", "closed", "hook"])
    let error = #expect(throws: TransportError.self) { try client.oneway("a.b.C", NoParameters()) }
    #expect(error?.code == .closed)
  }

  @Test func `whoever asks for the end after it has begun hears of it after the calls that waited, too`() async throws {
    let test = try TestService()
    let client = try test.client()
    let (told, gate) = (Expected<String>(), WaitingBox<Bool>())
    try client.send("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self) { _ in
      _ = gate.take(timeout: .seconds(30))
      told.report("call")
    }
    try await test.kept.first()

    client.close()
    client.onDisconnect { _ in told.report("hook") }
    gate.put(true)

    #expect(try await told.first(2) == ["call", "hook"])
  }

  @Test func `releasing a client hangs up`() async throws {
    let test = try TestService()

    _ = try test.client().information()

    #expect(try await test.gone.first()[0].code == .closed)
  }

  @Test(arguments: [
    ("nonsense\0", TransportError.Code.malformed), (#"{"parameters":[]}"# + "\0", .malformed),
    (#"{"parameters":{},"continues":true}"# + "\0", .malformed), (#"{"parameters":{"text":1}}"# + "\0", .undecodable),
    (#"{"parameters":{"te"#, .closed), (String(repeating: "x", count: 2000), .tooLarge),
  ])
  func `a service that breaks the rules is found out`(reply: String, code: TransportError.Code) async throws {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var limits = VarlinkClient.Limits()
    limits.messageBytesMax = 1000
    let client = try VarlinkClient(adopting: ends[0], limits: limits)
    let results = Expected<TransportError.Code?>()

    try client.send("a.b.C", NoParameters(), returning: TestService.Text.self) { result in
      if case .failure(let error as TransportError) = result { results.report(error.code) } else { results.report(nil) }
    }
    _ = Array(reply.utf8).withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, Linux.noSignal) }
    shutdown(ends[1], CInt(SHUT_WR))

    #expect(try await results.first() == [code])
    close(ends[1])
  }

  @Test func `a reply that nobody asked for ends the connection`() async throws {
    var ends: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let client = try VarlinkClient(adopting: ends[0])
    let ended = Expected<TransportError>()
    client.onDisconnect { ended.report($0) }

    send(ends[1], "{}\0", 3, Linux.noSignal)

    #expect(try await ended.first()[0].code == .malformed)
    close(ends[1])
  }

  @Test func `what cannot be written as JSON is refused before anything is sent`() throws {
    let test = try TestService()
    let client = try test.client()

    let error = #expect(throws: TransportError.self) {
      try client.oneway("org.example.test.Types", ["f": Double.infinity])
    }

    #expect(error?.code == .unencodable)
    #expect(try client.information().product == "Test")
  }

  @Test func `no more calls wait than may`() async throws {
    var limits = VarlinkClient.Limits()
    limits.callsInFlightMax = 2
    let test = try TestService()
    let client = try test.client(limits)
    let number = TestService.Number(number: 1)

    for _ in 0..<2 { try client.send("org.example.test.Keep", number, returning: TestService.Number.self) { _ in } }
    let error = #expect(throws: TransportError.self) {
      try client.send("org.example.test.Keep", number, returning: TestService.Number.self) { _ in }
    }

    #expect(error?.code == .overflow)
  }

  /// Waits for something that nobody reports; without end it fails the test instead.
  private static func until(_ isSo: () -> Bool) async throws {
    let start = ContinuousClock.now
    while !isSo() {
      try #require(start.duration(to: .now) < .seconds(30), "it did not come about within thirty seconds")
      await Task.yield()
    }
  }
}

extension VarlinkClient {
  /// The waiting call, for tests that are asynchronous themselves.
  func waitingCall<Reply: Decodable & Sendable>(
    _ method: String, _ parameters: some Encodable, _ type: Reply.Type
  ) throws -> Reply {
    try call(method, parameters, returning: type, timeout: .seconds(30))
  }
}
