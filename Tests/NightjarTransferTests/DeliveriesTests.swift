import Dispatch
import NIOPosix
import NightjarModel
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@testable import NightjarTransfer

/// Orders for deliveries that come while others are carried out.
@Suite(.timeLimit(.minutes(1))) struct DeliveriesTests {
  private let folder: String
  private let fileSystems: FileSystems
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let gate = DispatchSemaphore(value: 0)

  init() throws {
    folder = try Workshop.makeFolder()
    fileSystems = FileSystems(home: folder, list: EngineSettings().mountList)
    pool.start()
    pool.submit { [gate] _ in gate.wait() }
  }

  private func order(_ file: StagedFile, to path: String, attempt: Int) -> DeliveryOrder {
    let path = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    return DeliveryOrder(id: TransferID(1), attempt: attempt, file: file, destination: Destination(path: path))
  }

  private func reports(of orders: (StagedFile) -> [DeliveryOrder]) async throws -> [Report] {
    let part = Disk.write("bytes", to: "\(folder)/1.part")
    let heard = Mutex<[Report]>([])
    let deliveries = Deliveries(files: pool, fileSystems: fileSystems, settings: EngineSettings()) { _, attempt, fact in
      heard.withLock { $0.append(Report(attempt: attempt, fact: fact)) }
    }
    for order in orders(StagedFile(path: part, stamp: Disk.stamp(part))) { deliveries.begin(order) }
    gate.signal()
    for _ in 0..<3 { try await pool.runIfActive {} }  // Whatever follows from one is in line before the next of these.
    try await pool.shutdownGracefully()
    return heard.withLock { $0 }
  }

  @Test func `a delivery that takes longer than whoever ordered it waits is not made twice, and counts`() async throws {
    defer { Disk.removeFolder(folder) }

    let reports = try await reports { file in (1...4).map { order(file, to: "got", attempt: $0) } }

    #expect(reports == [Report(attempt: 4, fact: .delivered)])
    #expect(Disk.names(in: folder) == ["got"])
  }

  @Test func `a shutdown waits for no copy, and leaves nothing half done`() async throws {
    let elsewhere = Disk.makeFolder("/var/tmp/nightjar-shutdown-\(getpid())")
    defer {
      Disk.removeFolder(folder)
      Disk.removeFolder(elsewhere)
    }
    let part = Disk.write("bytes", to: "\(folder)/1.part")
    let heard = Mutex<[DeliveryFact]>([])
    let deliveries = Deliveries(files: pool, fileSystems: fileSystems, settings: EngineSettings()) { _, _, fact in
      heard.withLock { $0.append(fact) }
    }
    deliveries.begin(order(StagedFile(path: part, stamp: Disk.stamp(part)), to: elsewhere + "/got", attempt: 1))

    deliveries.close()
    gate.signal()
    try await pool.runIfActive {}
    await fileSystems.close()
    try await pool.shutdownGracefully()

    #expect(heard.withLock { $0 } == [])
    #expect(Disk.names(in: elsewhere) == [])
    #expect(Disk.names(in: folder) == ["1.part"])
  }

  @Test func `of orders that ask for something else the newest is carried out, too`() async throws {
    defer { Disk.removeFolder(folder) }

    let reports = try await reports { file in
      [order(file, to: "got", attempt: 1), order(file, to: "b", attempt: 2), order(file, to: "c", attempt: 3)]
    }

    #expect(reports.map(\.attempt) == [1, 3])
    #expect(Disk.names(in: folder) == ["got"])  // The staged file was gone by then.
  }
}

private struct Report: Equatable {
  var attempt: Int
  var fact: DeliveryFact
}
