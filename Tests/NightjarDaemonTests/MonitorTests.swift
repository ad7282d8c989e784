import Dispatch
import Glibc
import NightjarCore
import NightjarModel
import NightjarWire
import Synchronization
import Testing
import Varlink

@testable import NightjarDaemon

/// What those who watch everything are sent first.
@Suite struct MonitorTests {
  private let mailbox = Mailbox()

  /// Whoever waits in vain for what comes in is let go after a minute.
  init() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak mailbox] in mailbox?.finish() }
  }

  /// Numbers of transfers, as a client hears of them.
  private final class Heard: Sendable {
    private let numbers = Mutex<[Int64]>([])
    func note(_ number: Int64) { numbers.withLock { $0.append(number) } }
    var all: [Int64] { numbers.withLock { $0 } }
  }

  @Test func `transfers with long texts are sent as fast as they are read, and the reader is not dropped`() throws {
    let moment = Moment(
      wall: Timestamp(seconds: 1_700_000_000), boot: .seconds(9), awake: .seconds(9), bootID: BootID("boot"))
    var supervisor = Supervisor(Self.memory(transfers: 12), at: moment)
    let monitors = Monitors(clocks: { moment })
    let (service, address) = try service(monitors)
    defer { service.stop() }
    let (heard, gate) = (Heard(), DispatchSemaphore(value: 0))
    let client = try VarlinkClient(to: VarlinkAddress(address))

    try client.stream(ControlInterface.Monitor.self, .init()) { [mailbox] reply in
      gate.wait()  // Nothing is read before the first page is there.
      gate.signal()
      if let transfer = reply.transfer { heard.note(transfer.id) }
      if reply.current == true { mailbox.finish() }
    } end: { [mailbox] _ in
      mailbox.finish()
    }
    var unsentMost = 0
    while let items = mailbox.take() {
      for case .look(let look) in items { look(&supervisor) }
      unsentMost = max(unsentMost, service.connections.first?.unsentBytes ?? .max)
      gate.signal()
    }

    gate.signal()
    client.close()

    #expect(unsentMost < 2 << 20)
    #expect(heard.all == Array(1...12))
  }

  /// Transfers whose messages have 360 kB each.
  private static func memory(transfers: Int64) -> Memory {
    var memory = Memory()
    memory.apps = [
      AppRecord(installed: InstalledApp(id: AppID("a"), displayName: "A", kind: .program(relaunch: [])))
    ]
    memory.transfers = (1...transfers).map { number in
      let request = TransferRequest(
        key: RequestKey(high: 0, low: UInt64(number)), app: AppID("a"), url: "http://localhost/",
        label: String(repeating: "\u{1}", count: 60_000))
      return TransferRecord(id: TransferID(number), request: request, born: .zero, state: TransferState())
    }
    return memory
  }

  private func service(_ monitors: Monitors) throws -> (VarlinkService, address: String) {
    var interface = ControlInterface.interface()
    interface.handle(ControlInterface.Monitor.self, requiresMore: true) { [mailbox] call in
      monitors.add(call, mailbox)
    }
    let service = try VarlinkService(
      .init(vendor: "", product: "", version: "", url: ""), interfaces: [interface])
    let listener = try VarlinkListener(binding: VarlinkAddress("unix:@nightjar-monitors-\(getpid())"))
    try service.start(on: [listener])
    return (service, listener.address)
  }
}
