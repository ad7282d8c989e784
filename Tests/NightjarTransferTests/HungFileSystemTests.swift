import Dispatch
import Glibc
import NightjarModel
import Patience
import ScriptedServer
import Testing

@testable import NightjarTransfer

/// A file system that does not answer. The list of mounts names a folder that is none, and a test keeps its lanes busy
/// until it lets them go, as a call would that does not return.
@Suite(.timeLimit(.minutes(2))) struct HungFileSystemTests {
  private struct Mount {
    let folder: String
    let gate = DispatchSemaphore(value: 0)

    /// Answers again.
    func answer() { for _ in 0..<2 { gate.signal() } }
  }

  private func withHungMount(
    _ hung: [FileSystems.Work] = [.looking, .copying], patience: Duration = .seconds(60),
    _ body: (Workshop, HTTPTestServer, Mount) async throws -> Void
  ) async throws {
    let outside = try Workshop.makeFolder()
    defer { Disk.removeFolder(outside) }
    let mount = Mount(folder: Disk.makeFolder("\(outside)/mount"))
    let list = "1 0 0:1 / / rw - tmpfs none rw\n2 1 0:2 / \(mount.folder) rw - nfs none rw\n"
    Disk.write(list, to: "\(outside)/list")
    try await withWorkshop(settings: {
      ($0.fileThreads, $0.mountList, $0.filePatience) = (1, "\(outside)/list", patience)
    }) { workshop, server in
      let place = try #require(workshop.engine.fileSystems.mount(of: mount.folder))
      for work in hung {
        try await answered { isHung in
          place.lane(work).submit { [gate = mount.gate] in
            isHung.yield()
            gate.wait()
          }
        }
      }
      defer { mount.answer() }
      try await body(workshop, server, mount)
    }
  }

  private func delivery(_ workshop: Workshop, _ id: Int64, to folder: String, attempt: Int = 1) -> DeliveryOrder {
    let part = workshop.part(id)
    if Disk.read(part) == nil { Disk.write("bytes", to: part) }
    return DeliveryOrder(
      id: TransferID(id), attempt: attempt, file: StagedFile(path: part, stamp: Disk.stamp(part)),
      destination: Destination(path: "\(folder)/got-\(id)"))
  }

  private func deliver(_ workshop: Workshop, _ order: DeliveryOrder) async throws -> DeliveryFact {
    workshop.engine.deliver(order)
    return try await workshop.log.nextDelivery()
  }

  private func upload(_ server: HTTPTestServer, from folder: String, id: Int64) -> TransferOrder {
    .upload(Disk.write("bytes", to: "\(folder)/source-\(id)"), to: server.url("/upload/\(id)"), id: id)
  }

  @Test func `a destination that does not answer holds up nothing that goes elsewhere`() async throws {
    try await withHungMount { workshop, server, mount in
      for id in 1...8 as ClosedRange<Int64> { workshop.engine.deliver(delivery(workshop, id, to: mount.folder)) }

      let near = try await deliver(workshop, delivery(workshop, 9, to: workshop.folder))
      let facts = try await workshop.run(.download(server.url("/file/1/1000"), id: 10))
      let early = Disk.names(in: mount.folder)
      mount.answer()
      var late: [DeliveryFact] = []
      for _ in 1...8 { late.append(try await workshop.log.nextDelivery()) }

      #expect(near == .delivered)
      #expect(facts.response?.status == 200)
      #expect(early == [])
      #expect(late.allSatisfy { $0 == .delivered })
      #expect(Disk.names(in: mount.folder) == (1...8).map { "got-\($0)" })
    }
  }

  @Test func `a source that does not answer holds up no other upload, and goes when it does`() async throws {
    try await withHungMount { workshop, server, mount in
      let held = (1...8).map { upload(server, from: mount.folder, id: $0) }
      for order in held { workshop.engine.start(order) }

      let near = try await workshop.run(upload(server, from: workshop.folder, id: 9))
      let early = (1...8).flatMap { server.requests("/upload/\($0)") }
      mount.answer()

      #expect(near.response?.status == 200, "\(near)")
      #expect(early.isEmpty)
      for order in held { #expect(try await workshop.end(of: order).response?.status == 200) }
    }
  }

  @Test func `an upload whose source does not answer says so and can be tried again`() async throws {
    try await withHungMount { workshop, server, mount in
      var order = upload(server, from: mount.folder, id: 1)
      order.request.requestTimeout = .milliseconds(50)

      let facts = try await workshop.run(order)
      mount.answer()
      (order.attempt, order.request.requestTimeout) = (2, .seconds(60))
      let again = try await workshop.run(order)

      #expect(facts.failure?.code == .timedOut)
      #expect(facts.failure?.detail.contains("has not answered") == true, "\(facts)")
      #expect(again.response?.status == 200, "\(again)")
      #expect(server.requests("/upload/1").count == 1)
    }
  }

  @Test func `an upload whose source does not answer can be stopped`() async throws {
    try await withHungMount { workshop, server, mount in
      let order = upload(server, from: mount.folder, id: 1)
      workshop.engine.start(order)

      workshop.engine.stop(order.id, attempt: 1)
      let facts = try await workshop.end(of: order)

      #expect(facts.last == .stopped)
      #expect(server.requests("/upload/1").isEmpty)
    }
  }

  @Test func `nothing is begun behind a call that does not return`() async throws {
    try await withHungMount(patience: .zero) { workshop, server, mount in
      let order = upload(server, from: mount.folder, id: 1)
      let watch = inotify_init1(Int32(IN_NONBLOCK))
      defer { close(watch) }
      inotify_add_watch(watch, "\(mount.folder)/source-1", UInt32(IN_OPEN))

      let facts = try await workshop.run(order)
      mount.answer()
      let lane = try #require(workshop.engine.fileSystems.mount(of: mount.folder)).lane(.looking)
      try await answered { isDone in lane.submit { isDone.yield() } }
      var event = inotify_event()

      #expect(facts.failure?.code == .timedOut)
      #expect(read(watch, &event, MemoryLayout.size(ofValue: event)) == -1, "the file was opened all the same")
    }
  }

  @Test func `an early answer that stalls ends an upload, though its source does not answer`() async throws {
    let early = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 100\r\n\r\nenough"
    let rude = try await RawServer.start(.says(Array(early.utf8)), isSecure: false)
    try await withHungMount([.reading]) { workshop, _, mount in
      let source = Disk.write("bytes", to: "\(mount.folder)/source")
      var order = TransferOrder.upload(source, to: "http://127.0.0.1:\(rude.port)/x")
      order.request.requestTimeout = .milliseconds(100)
      let facts = try await workshop.run(order)

      #expect(facts.failure?.code == .timedOut)
    }
    try await rude.stop()
  }

  @Test func `a delivery that stands still is told when it is ordered again, and is made all the same`() async throws {
    try await withHungMount(patience: .zero) { workshop, _, mount in
      workshop.engine.deliver(delivery(workshop, 1, to: mount.folder))
      // There is one file thread: what is delivered after the other has been handed on by then.
      let near = try await deliver(workshop, delivery(workshop, 2, to: workshop.folder))

      let told = try await deliver(workshop, delivery(workshop, 1, to: mount.folder, attempt: 2))
      mount.answer()
      let made = try await workshop.log.nextDelivery()

      #expect(near == .delivered)
      if case .failed(let failure) = told { #expect(failure.code == .timedOut) } else { Issue.record("\(told)") }
      #expect(made == .delivered)
    }
  }
}
