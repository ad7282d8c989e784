import Glibc
import Synchronization

@testable import Varlink

/// A service of the interface `org.example.test` on an address of its own, which ends with the test.
final class TestService: Sendable {
  struct Text: Codable, Sendable, Equatable { var text: String }
  struct Number: Codable, Sendable, Equatable { var number: Int }

  typealias Kept = VarlinkCall<Number, Number>

  static let description = """
    # For tests.
    interface org.example.test
    type Colour (red, green)
    type Tree (name: string, children: []Tree, parent: ?Tree)
    method Echo(text: string) -> (text: string)
    # Keeps the call for the test to answer.
    method Keep(number: int) -> (number: int)
    method Watch(number: int) -> (number: int)
    method Refuse(text: string) -> ()
    method Types(b: bool, i: int, f: float, s: string, o: object, e: Colour, a: []int, m: [string]int, n: ?int, t: ?Tree)
      -> ()
    method Unwritten() -> ()
    error Refused (text: string)
    """

  let service: VarlinkService
  let address: String
  let kept = Expected<Kept>()
  let watches = Expected<Kept>()
  let echoes = Expected<String>()
  let gone = Expected<TransportError>()
  let trouble = Expected<TransportError>()

  private static let count = Atomic<Int>(0)

  init(
    _ limits: VarlinkService.Limits = .init(), onConnect: @escaping @Sendable (CInt) throws -> any Sendable = { _ in 7 }
  ) throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let hooks = VarlinkService.Hooks(
      onConnect: onConnect, onDisconnect: { [gone] in gone.report($1) }, onTrouble: { [trouble] in trouble.report($0) })
    service = try VarlinkService(
      .init(vendor: "Example", product: "Test", version: "1", url: "https://example.org"),
      interfaces: [Self.interface(kept, watches, echoes)], limits: limits, hooks: hooks)
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@varlink-test-\(getpid())-\(number)"))
    address = listener.address
    try service.start(on: [listener])
  }

  deinit { service.stop() }

  func client(_ limits: VarlinkClient.Limits = .init()) throws -> VarlinkClient {
    try VarlinkClient(to: VarlinkAddress(address), limits: limits)
  }

  private static func interface(
    _ kept: Expected<Kept>, _ watches: Expected<Kept>, _ echoes: Expected<String>
  ) throws -> VarlinkInterface {
    var interface = try VarlinkInterface(description)
    interface.answer("Echo", taking: Text.self) { text, _ in
      echoes.report(text.text)
      return text
    }
    interface.handle("Keep", taking: Number.self, replying: Number.self) { kept.report($0) }
    interface.handle("Watch", taking: Number.self, replying: Number.self, requiresMore: true) { watches.report($0) }
    interface.answer("Refuse", taking: Text.self) { (text, _) throws(VarlinkError) -> NoParameters in
      throw VarlinkError("org.example.test.Refused", text)
    }
    interface.answer("Types", taking: JSONValue.self) { _, _ in NoParameters() }
    return interface
  }
}
