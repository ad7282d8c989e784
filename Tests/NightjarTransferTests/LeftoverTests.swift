import NightjarModel
import Patience
import Synchronization
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What a crash leaves of a copy at a destination, of which only a note in the staging area tells.
@Suite(.timeLimit(.minutes(2))) struct LeftoverTests {
  /// A staged file, and its delivery to a folder on another file system.
  private func delivery(
    _ workshop: Workshop, to folder: String, isBrokenOff: @escaping @Sendable () -> Bool = { false }
  ) -> Delivery {
    let part = Disk.write("bytes", to: workshop.part())
    let order = DeliveryOrder(
      id: TransferID(1), attempt: 1, file: StagedFile(path: part, stamp: Disk.stamp(part)),
      destination: Destination(path: "\(folder)/got"))
    return Delivery(order: order, mode: 0o644, isBrokenOff: isBrokenOff)
  }

  private func withFolderElsewhere(_ name: String, _ body: (Workshop, String) async throws -> Void) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-\(getpid())-\(name)")
      defer { Disk.removeFolder(folder) }
      try await body(workshop, folder)
    }
  }

  @Test func `a copy is noted for as long as it is made, and no longer`() async throws {
    try await withFolderElsewhere("noted") { workshop, folder in
      let staging = try StagingArea("\(workshop.folder)/staging", sparing: 0, helpingMax: 16 << 20)
      let seen = Mutex<[String?]>([])
      let broken = delivery(workshop, to: folder) {
        seen.withLock { $0.append(staging.leftover(TransferID(1))?.copy) }
        return true
      }

      #expect(throws: TransferFailure.self) { try broken.run() }
      let afterwards = staging.leftover(TransferID(1))
      try delivery(workshop, to: folder).run()

      #expect(seen.withLock { $0 } == [broken.temporary])
      #expect(afterwards == nil && staging.leftover(TransferID(1)) == nil)
      #expect(Disk.names(in: folder) == ["got"])
    }
  }

  @Test(arguments: [("left", true), ("left", false), ("left\u{600}", false)])
  func `what a crash has left of a copy goes with its transfer`(name: String, isStaged: Bool) async throws {
    try await withFolderElsewhere(name) { workshop, folder in
      let delivery = delivery(workshop, to: folder)
      Leftover(of: TransferID(1), at: delivery.temporary, notedIn: "\(workshop.folder)/staging").write()
      Disk.write("by", to: delivery.temporary)
      if !isStaged { unlink(workshop.part()) }  // The daemon died once that was discarded.
      let successor = try Workshop(folder: workshop.folder)
      let found = try successor.engine.stagedTransfers()

      for id in found { successor.engine.discard(id) }
      try await successor.close()

      #expect(found == [TransferID(1)])
      // The other file system has a thread of its own, for which nobody waits.
      try await eventually("the copy is gone") { Disk.names(in: folder) == [] }
      #expect(Disk.names(in: "\(workshop.folder)/staging") == [])
    }
  }

  @Test func `a note that leads to anything else removes nothing`() async throws {
    try await withFolderElsewhere("other") { workshop, folder in
      let letter = Disk.write("mine", to: "\(folder)/letter")
      Leftover(of: TransferID(1), at: letter, notedIn: "\(workshop.folder)/staging").write()
      let successor = try Workshop(folder: workshop.folder)

      successor.engine.discard(TransferID(1))
      try await successor.close()

      #expect(Disk.names(in: folder) == ["letter"])
    }
  }
}
