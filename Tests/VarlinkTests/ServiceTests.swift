import FoundationEssentials
import Glibc
import TestThreads
import Testing

@testable import Varlink

@Suite(.blocking) struct ServiceTests {
  private static let wrongCalls: [(String, String, String)] = [
    (#"{"method":"org.example.none.Echo"}"#, "InterfaceNotFound", #"{"interface":"org.example.none"}"#),
    (#"{"method":"Echo"}"#, "InterfaceNotFound", #"{"interface":""}"#),
    (#"{"method":"org.example.test.None"}"#, "MethodNotFound", #"{"method":"org.example.test.None"}"#),
    (#"{"method":"org.example.test.Unwritten"}"#, "MethodNotImplemented", #"{"method":"org.example.test.Unwritten"}"#),
    (
      #"{"method":"org.example.test.Echo","upgrade":true,"parameters":{"text":"a"}}"#, "MethodNotImplemented",
      #"{"method":"org.example.test.Echo"}"#
    ),
    (#"{"method":"org.example.test.Watch","parameters":{"number":1}}"#, "ExpectedMore", "{}"),
    (#"{"method":"org.example.test.Echo"}"#, "InvalidParameter", #"{"parameter":"text"}"#),
    (#"{"method":"org.example.test.Echo","parameters":{"text":1}}"#, "InvalidParameter", #"{"parameter":"text"}"#),
    (#"{"method":"org.example.test.Echo","parameters":{"text":"a","b":1}}"#, "InvalidParameter", #"{"parameter":"b"}"#),
    (
      #"{"method":"org.example.test.Keep","parameters":{"number":99999999999999999999}}"#, "InvalidParameter",
      #"{"parameter":"number"}"#
    ),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#,
      "InterfaceNotFound",
      #"{"interface":"a.b"}"#
    ),
  ]

  @Test func `a service tells who it is and describes its interfaces as they were written`() throws {
    let test = try TestService()
    let client = try test.client()

    let information = try client.information(timeout: .seconds(30))
    let own = try client.description(of: "org.varlink.service", timeout: .seconds(30))
    let text = try client.call(
      "org.varlink.service.GetInterfaceDescription", ["interface": "org.example.test"],
      returning: ServiceIntrospection.DescriptionReply.self)

    #expect(information.product == "Test")
    #expect(information.interfaces == ["org.varlink.service", "org.example.test"])
    #expect(own.errors.count == 6)
    #expect(text.description == TestService.description)
  }

  @Test(arguments: wrongCalls)
  func `what is wrong with a call is answered and the connection lives on`(
    call: String, error: String, parameters: String
  ) throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(call + "\0" + #"{"method":"org.example.test.Echo","parameters":{"text":"on"}}"# + "\0")

    #expect(try peer.read() == #"{"error":"org.varlink.service.\#(error)","parameters":\#(parameters)}"#)
    #expect(try peer.read() == #"{"parameters":{"text":"on"}}"#)
  }

  @Test func `a handler's own error carries its parameters`() throws {
    let test = try TestService()
    let client = try test.client()

    let error = #expect(throws: VarlinkError.self) {
      try client.call("org.example.test.Refuse", TestService.Text(text: "why"), returning: NoParameters.self)
    }

    #expect(error?.name == "org.example.test.Refused")
    #expect(try error?.parameters(as: TestService.Text.self) == .init(text: "why"))
  }

  @Test(arguments: [
    ("", "byte 0 of a message: expected an object"), ("nonsense", "byte 0 of a message: expected an object"),
    (#"{"method":"org.example.test.Echo""#, "byte 33 of a message: expected a comma or the end of the object"),
    (#"{"parameters":{}}"#, "a call without a method"), ("[]", "byte 0 of a message: expected an object"),
    (#"{"method":"a.b.C","x":"# + String(repeating: "[", count: 200), "expected no more than 128 levels"),
  ])
  func `garbage is told and closes the connection, after the calls before it were answered`(
    garbage: String, words: String
  ) async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0" + garbage + "\0")

    #expect(try peer.read() == #"{"parameters":{"text":"a"}}"#)
    let told = try peer.read()
    #expect(told?.hasPrefix(#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":""#) == true)
    #expect(told?.contains(words) == true, "it said: \(told ?? "nothing")")
    #expect(try peer.read() == nil)
    #expect(try await test.gone.first()[0].code == .malformed)
  }

  @Test func `what garbage is told does not pass for the answer to a call that waits`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0nonsense\0")

    #expect(try peer.read() == nil)
    #expect(try await test.gone.first()[0].code == .malformed)
  }

  @Test func `a client that reads nothing holds up nobody with its garbage`() async throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    let long = String(repeating: "x", count: 3_000_000)  // More than the socket takes.

    peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(long)"}}"# + "\0nonsense\0")

    #expect(try await test.gone.first()[0].code == .malformed)
    withExtendedLifetime(peer) {}
  }

  @Test func `a client is told its mistake as an error of the call that it made`() throws {
    var limits = VarlinkService.Limits()
    limits.messageBytesMax = 1000
    let test = try TestService(limits)
    let client = try test.client()

    let error = #expect(throws: VarlinkError.self) {
      let text = TestService.Text(text: String(repeating: "x", count: 2000))
      _ = try client.waitingCall("org.example.test.Echo", text, TestService.Text.self)
    }

    #expect(error == .invalidParameter("a message of more than 1000 bytes"))
  }

  @Test func `a message beyond the limit closes the connection before it is complete, and says so`() async throws {
    var limits = VarlinkService.Limits()
    limits.messageBytesMax = 1000
    let test = try TestService(limits)
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":""# + String(repeating: "x", count: 2000))

    #expect(try peer.read()?.contains("a message of more than 1000 bytes") == true)
    #expect(try peer.read() == nil)
    #expect(try await test.gone.first()[0].code == .tooLarge)
  }

  @Test func `in the place of a reply longer than a message the interface's own error is answered`() throws {
    var limits = VarlinkService.Limits()
    limits.messageBytesMax = 1000
    var interface = try VarlinkInterface(
      "interface a.b\nmethod Say(number: int) -> (text: string)\nerror TooLong (number: int)")
    interface.excuseForLength = { VarlinkError("a.b.TooLong", TestService.Number(number: $0)) }
    interface.answer("Say", taking: TestService.Number.self) { request, _ in
      TestService.Text(text: String(repeating: "x", count: request.number))
    }
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [interface], limits: limits)
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@varlink-excuse-\(getpid())"))
    try service.start(on: [listener])
    defer { service.stop() }
    let client = try VarlinkClient(to: VarlinkAddress(listener.address))

    let error = #expect(throws: VarlinkError.self) {
      try client.waitingCall("a.b.Say", TestService.Number(number: 975), TestService.Text.self)
    }
    let longest = try client.waitingCall("a.b.Say", TestService.Number(number: 974), TestService.Text.self)

    #expect(error == VarlinkError("a.b.TooLong", TestService.Number(number: 1000)))
    #expect(longest.text.utf8.count == 974)
  }

  @Test func `a call may arrive in pieces`() throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)
    let call = Array((#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0").utf8)

    for byte in call + call { peer.write([byte]) }

    #expect(try peer.read() == #"{"parameters":{"text":"a"}}"#)
    #expect(try peer.read() == #"{"parameters":{"text":"a"}}"#)
  }

  @Test func `a service reads ahead, and late answers go out in the order of the calls`() async throws {
    let test = try TestService()
    let client = try test.client()
    let answers = Expected<Int>()

    for number in 0..<500 {
      try client.send("org.example.test.Keep", TestService.Number(number: number), returning: TestService.Number.self) {
        answers.report((try? $0.get().number) ?? -1)
      }
    }
    let calls = try await test.kept.first(500)
    for call in calls.reversed() { call.reply(call.parameters) }

    #expect(calls.map(\.parameters.number) == Array(0..<500))
    #expect(try await answers.first(500) == Array(0..<500))
  }

  @Test func `no more calls of a client are taken than may wait, and all are answered in the end`() async throws {
    var limits = VarlinkService.Limits()
    limits.callsInFlightMax = 10
    let test = try TestService(limits)
    let client = try test.client()
    let answers = Expected<Int>()

    for number in 0..<25 {
      try client.send("org.example.test.Keep", TestService.Number(number: number), returning: TestService.Number.self) {
        answers.report((try? $0.get().number) ?? -1)
      }
    }
    try await test.kept.first(10)
    // A second client's answer shows that the service has had every chance to go on reading the first.
    _ = try test.client().waitingCall("org.example.test.Echo", TestService.Text(text: ""), TestService.Text.self)
    let taken = test.kept.all.count
    for index in 0..<25 {
      let call = try await test.kept.first(index + 1)[index]
      call.reply(call.parameters)
    }

    #expect(taken == 10)
    #expect(try await answers.first(25) == Array(0..<25))
  }

  @Test func `a paused service calls no handler and still sends answers`() async throws {
    let test = try TestService()
    let (client, other) = (try test.client(), try test.client())
    _ = try other.information()
    let answers = Expected<Int>()
    try client.send("org.example.test.Keep", TestService.Number(number: 1), returning: TestService.Number.self) {
      answers.report((try? $0.get().number) ?? -1)
    }
    let call = try await test.kept.first()[0]

    test.service.pauseReading()
    try other.oneway("org.example.test.Echo", TestService.Text(text: "held"))
    call.reply(.init(number: 2))
    let answered = try await answers.first()
    let isWaiting = test.service.connections.contains { $0.unreadBytes > 0 }
    let heard = test.echoes.all
    test.service.resumeReading()

    #expect(answered == [2])
    #expect(heard.isEmpty)
    #expect(isWaiting)
    #expect(try await test.echoes.first() == ["held"])
  }

  @Test func `a service that reads one by one takes a client's next call once its last is answered`() async throws {
    let test = try TestService()
    let client = try test.client()
    let answers = Expected<Int>()

    test.service.readOneByOne()
    for number in 0..<4 {
      try client.send("org.example.test.Keep", TestService.Number(number: number), returning: TestService.Number.self) {
        answers.report((try? $0.get().number) ?? -1)
      }
    }
    var taken: [Int] = []
    for index in 0..<2 {
      let call = try await test.kept.first(index + 1)[index]
      // A second client's answer shows that the service has had every chance to go on reading the first.
      _ = try test.client().waitingCall("org.example.test.Echo", TestService.Text(text: ""), TestService.Text.self)
      taken.append(test.kept.all.count)
      call.reply(call.parameters)
    }
    try await test.kept.first(3)
    test.service.resumeReading()
    for call in try await test.kept.first(4)[2...] { call.reply(call.parameters) }

    #expect(taken == [1, 2])
    #expect(try await answers.first(4) == [0, 1, 2, 3])
  }

  @Test func `a client that is held is heard no further, others are, and nothing of it is lost`() async throws {
    let test = try TestService()
    var held: RawPeer? = try RawPeer(test.address)
    held?.write(#"{"method":"org.example.test.Keep","parameters":{"number":1}}"# + "\0")
    let call = try await test.kept.first()[0]

    call.connection.hold()
    held?.write(#"{"method":"org.example.test.Echo","oneway":true,"parameters":{"text":"last words"}}"# + "\0")
    held = nil
    _ = try test.client().waitingCall(
      "org.example.test.Echo", TestService.Text(text: "other"), TestService.Text.self)
    let heard = test.echoes.all
    call.connection.release()

    #expect(heard == ["other"])
    #expect(try await test.echoes.first(2) == ["other", "last words"])
    call.reply(call.parameters)
    try await test.gone.first()
  }

  @Test func `a oneway call is never answered, not even with an error`() throws {
    let test = try TestService()
    let peer = try RawPeer(test.address)

    peer.write(#"{"method":"org.example.test.Echo","oneway":true,"parameters":{"text":"a"}}"# + "\0")
    peer.write(#"{"method":"org.example.test.None","oneway":true}"# + "\0")
    peer.write(#"{"method":"org.example.test.Refuse","oneway":true,"parameters":{"text":"a"}}"# + "\0")
    peer.write(#"{"method":"org.example.test.Echo","parameters":{"text":"b"}}"# + "\0")

    #expect(try peer.read() == #"{"parameters":{"text":"b"}}"#)
    #expect(test.echoes.all == ["a", "b"])
  }
}
