import CTestMoves
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

@Suite(.timeLimit(.minutes(2))) struct DeliveryTests {
  private let bytes = Content(seed: 1, size: 5000).bytes

  /// An order for a copy to a folder elsewhere that comes to nothing before somebody writes to the staged pipe.
  private func heldUp(_ workshop: Workshop, in folder: String) throws -> DeliveryOrder {
    let pipe = "\(workshop.folder)/staging/9.part"
    try #require(mkfifo(pipe, 0o600) == 0)
    return DeliveryOrder(
      id: TransferID(9), attempt: 1, file: StagedFile(path: pipe, stamp: Disk.stamp(pipe)),
      destination: Destination(path: "\(folder)/slow"))
  }

  /// A staged file, and the order to put it somewhere.
  private func order(_ workshop: Workshop, to path: String, overwrites: Bool = false, attempt: Int = 1) -> DeliveryOrder
  {
    let part = workshop.part()
    if access(part, F_OK) != 0 { Disk.write(bytes, to: part) }
    return DeliveryOrder(
      id: TransferID(1), attempt: attempt, file: StagedFile(path: part, stamp: Disk.stamp(part)),
      destination: Destination(path: path, overwrites: overwrites))
  }

  private func deliver(_ workshop: Workshop, _ order: DeliveryOrder) async -> DeliveryFact {
    workshop.engine.deliver(order)
    return await workshop.log.nextDelivery()
  }

  /// A delivery, and what came of it.
  private final class Errand {
    let delivery: Delivery
    var outcome = Result<Void, TransferFailure>.success(())

    init(_ delivery: Delivery) { self.delivery = delivery }

    func run() {
      do throws(TransferFailure) { try delivery.run() } catch { outcome = .failure(error) }
    }
  }

  /// Carries a delivery out where no file may be given a name in another folder.
  private func runWithoutMoves(_ delivery: Delivery) throws {
    let errand = Errand(delivery)
    let refused = ctestmoves_run_forbidden(
      { Unmanaged<Errand>.fromOpaque($0!).takeUnretainedValue().run() }, Unmanaged.passUnretained(errand).toOpaque())
    try #require(refused == 0)
    try errand.outcome.get()
  }

  private func code(_ fact: DeliveryFact) -> TransferFailure.Code? {
    if case .failed(let failure) = fact { failure.code } else { nil }
  }

  @Test func `a file is delivered whole, with ordinary permissions`() async throws {
    try await withWorkshop { workshop, _ in
      let path = "\(workshop.folder)/got"

      #expect(await deliver(workshop, order(workshop, to: path)) == .delivered)

      #expect(Disk.read(path) == bytes)
      #expect(Disk.mode(path) == 0o644)
    }
  }

  @Test func `a file is delivered over file systems, and the staged one stays`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-delivery-\(getpid())")
      let path = "\(folder)/got"

      let fact = await deliver(workshop, order(workshop, to: path))

      #expect(fact == .delivered)
      #expect(Disk.read(path) == bytes)
      #expect(Disk.names(in: folder) == ["got"])
      #expect(Disk.read(workshop.part()) == bytes)
      #expect(await deliver(workshop, order(workshop, to: path, attempt: 2)) == .delivered)
      Disk.removeFolder(folder)
    }
  }

  @Test func `a copy that another home has under way into the same folder is left alone`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-neighbour-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let order = order(workshop, to: "\(folder)/got")
      var other = order
      other.file.stamp.modified -= 1
      let half = Disk.write("half", to: Delivery(order: other, mode: 0o644).temporary)

      #expect(await deliver(workshop, order) == .delivered)

      #expect(Disk.read(half) == Array("half".utf8))
      #expect(Disk.read("\(folder)/got") == bytes)
    }
  }

  /// Also where the list of mounts does not tell that two folders are on different file systems, as with subvolumes.
  @Test(arguments: [true, false])
  func `copies to slow disks hold up nobody else`(isListed: Bool) async throws {
    let outside = try Workshop.makeFolder()
    defer { Disk.removeFolder(outside) }
    let list = Disk.write("1 0 0:1 / / rw - tmpfs none rw\n", to: "\(outside)/list")
    try await withWorkshop(settings: {
      $0.fileThreads = 1
      if !isListed { $0.mountList = list }
    }) { workshop, server in
      let folder = Disk.makeFolder("/var/tmp/nightjar-slow-\(isListed)-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let held = try heldUp(workshop, in: folder)
      workshop.engine.deliver(held)

      let facts = await workshop.run(.download(server.url("/file/1/1000")))
      let near = await deliver(workshop, order(workshop, to: "\(workshop.folder)/got"))

      #expect(facts.response?.status == 200)
      #expect(near == .delivered)
      close(open(held.file.path, O_WRONLY))
      _ = await workshop.log.nextDelivery()
    }
  }

  @Test func `a transfer that is cancelled while its file is copied leaves nothing at its destination`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-cancelled-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let held = try heldUp(workshop, in: folder)
      link(held.file.path, "\(workshop.folder)/pipe")
      workshop.engine.deliver(held)

      workshop.engine.discard(held.id)  // A copy that is under way waits for somebody who writes.
      let writer = open("\(workshop.folder)/pipe", O_RDWR)
      defer { close(writer) }

      #expect(await deliver(workshop, order(workshop, to: "\(folder)/next")) == .delivered)
      #expect(Disk.names(in: folder) == ["next"])
    }
  }

  @Test func `delivering again after a crash is harmless`() async throws {
    try await withWorkshop { workshop, _ in
      let order = order(workshop, to: "\(workshop.folder)/got")

      let facts = [await deliver(workshop, order), await deliver(workshop, order)]

      #expect(facts == [.delivered, .delivered])
      #expect(Disk.read("\(workshop.folder)/got") == bytes)
    }
  }

  /// A file system that keeps times to so many nanoseconds shows another one for the copy than the staged file has.
  @Test(arguments: [100, 10_000_000, 1_000_000_000, 2_000_000_000] as [Int64], [true, false])
  func `a copy is known again where times are coarse, by its content`(tick: Int64, isSame: Bool) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-coarse-\(getpid())-\(tick)-\(isSame)")
      defer { Disk.removeFolder(folder) }
      Disk.setModified(1_700_000_001_987_654_321, of: Disk.write(bytes, to: workshop.part()))
      let order = order(workshop, to: "\(folder)/got")
      let first = await deliver(workshop, order)
      if !isSame { Disk.write([UInt8](repeating: 7, count: bytes.count), to: order.destination.path) }
      Disk.setModified(order.file.stamp.modified / tick * tick, of: order.destination.path)

      let again = await deliver(workshop, order)

      #expect(first == .delivered)
      #expect(isSame ? again == .delivered : code(again) == .destinationExists)
    }
  }

  @Test func `a file of nearly the same time is no proof of delivery without the staged one`() async throws {
    try await withWorkshop { workshop, _ in
      let order = order(workshop, to: "\(workshop.folder)/got")
      Disk.setModified(order.file.stamp.modified - 1, of: Disk.write(bytes, to: order.destination.path))
      unlink(workshop.part())

      #expect(code(await deliver(workshop, order)) == .cannotReadSource)
    }
  }

  @Test func `a file that stands there is left alone, and the staged one too`() async throws {
    try await withWorkshop { workshop, _ in
      let path = Disk.write("mine", to: "\(workshop.folder)/got")

      let fact = await deliver(workshop, order(workshop, to: path))

      #expect(code(fact) == .destinationExists)
      #expect(Disk.read(path) == Array("mine".utf8))
      #expect(Disk.read(workshop.part()) == bytes)
      #expect(Disk.mode(workshop.part()) == 0o600)
    }
  }

  @Test func `a file is replaced where that was allowed`() async throws {
    try await withWorkshop { workshop, _ in
      let path = Disk.write("mine", to: "\(workshop.folder)/got")

      #expect(await deliver(workshop, order(workshop, to: path, overwrites: true)) == .delivered)
      #expect(Disk.read(path) == bytes)
    }
  }

  @Test func `what is no ordinary file is not replaced, whatever is allowed`() async throws {
    try await withWorkshop { workshop, _ in
      let path = "\(workshop.folder)/pipe"
      try #require(mkfifo(path, 0o600) == 0)

      let fact = await deliver(workshop, order(workshop, to: path, overwrites: true))

      #expect(code(fact) == .destinationExists)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
      #expect(Disk.read(workshop.part()) == bytes)
    }
  }

  @Test func `a file of the same size is no proof of delivery`() async throws {
    try await withWorkshop { workshop, _ in
      let order = order(workshop, to: "\(workshop.folder)/got")
      Disk.write([UInt8](repeating: 7, count: 5000), to: "\(workshop.folder)/got")
      unlink(workshop.part())

      #expect(code(await deliver(workshop, order)) == .cannotReadSource)
    }
  }

  @Test(arguments: [false, true])
  func `another file of the same size and time is no proof of delivery`(isElsewhere: Bool) async throws {
    try await withWorkshop { workshop, _ in
      let folder = isElsewhere ? Disk.makeFolder("/var/tmp/nightjar-twin-\(getpid())") : workshop.folder
      defer { if isElsewhere { Disk.removeFolder(folder) } }
      let order = order(workshop, to: "\(folder)/got")
      let other = [UInt8](repeating: 7, count: bytes.count)
      Disk.setModified(order.file.stamp.modified, of: Disk.write(other, to: order.destination.path))

      #expect(code(await deliver(workshop, order)) == .destinationExists)

      #expect(Disk.read(order.destination.path) == other)
      #expect(Disk.read(workshop.part()) == bytes)
    }
  }

  @Test(arguments: ["relative", "/dev/", "/nowhere/at/all/file", "/proc/version/file"])
  func `a destination that cannot be is a clear failure`(path: String) async throws {
    try await withWorkshop { workshop, _ in
      let fact = await deliver(workshop, order(workshop, to: path))

      #expect(code(fact) == .cannotWrite)
      #expect(Disk.read(workshop.part()) == bytes)
    }
  }

  @Test func `a staged file that is not what was finished is not delivered`() async throws {
    try await withWorkshop { workshop, _ in
      let order = order(workshop, to: "\(workshop.folder)/got")
      Disk.write([1], to: workshop.part(), mode: "a")

      #expect(code(await deliver(workshop, order)) == .cannotReadSource)
      #expect(Disk.read("\(workshop.folder)/got") == nil)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a folder needs root"))
  func `a file is delivered under another mount of its file system, once`() async throws {
    try await withWorkshop { workshop, _ in
      let (real, mounted) = (Disk.makeFolder("\(workshop.folder)/real"), Disk.makeFolder("\(workshop.folder)/mounted"))
      try #require(mount(real, mounted, nil, UInt(MS_BIND), nil) == 0)
      let order = order(workshop, to: "\(mounted)/got")

      let facts = [await deliver(workshop, order), await deliver(workshop, order)]  // As after a crash.
      let found = Disk.read("\(real)/got")
      umount(mounted)

      #expect(facts == [.delivered, .delivered])
      #expect(found == bytes)
    }
  }

  @Test(.enabled(if: ctestmoves_can_forbid(), "the kernel has no Landlock"))
  func `a file that the system will not rename is copied, once`() async throws {
    try await withWorkshop { workshop, _ in
      let order = order(workshop, to: "\(Disk.makeFolder("\(workshop.folder)/there"))/got")

      try runWithoutMoves(Delivery(order: order, mode: 0o644))
      try runWithoutMoves(Delivery(order: order, mode: 0o644))  // As after a crash.

      #expect(Disk.read(order.destination.path) == bytes)
      #expect(Disk.mode(order.destination.path) == 0o644)
      #expect(Disk.read(workshop.part()) == bytes)
      #expect(Disk.mode(workshop.part()) == 0o600)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a destination without the room is told before a byte is copied`() async throws {
    try await withWorkshop { workshop, _ in
      let disk = try Workshop.makeFolder()
      try #require(mount("none", disk, "tmpfs", 0, "size=8k") == 0)
      Disk.write(Content(seed: 1, size: 20_000).bytes, to: workshop.part())

      let fact = await deliver(workshop, order(workshop, to: "\(disk)/got"))

      #expect(code(fact) == .diskFull)
      if case .failed(let failure) = fact { #expect(failure.detail.contains("are free for \(disk)")) }
      umount(disk)
      Disk.removeFolder(disk)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `what a crash has left of a copy does not take the room of the next one`() async throws {
    try await withWorkshop { workshop, _ in
      let disk = try Workshop.makeFolder()
      try #require(mount("none", disk, "tmpfs", 0, "size=12k") == 0)
      let order = order(workshop, to: "\(disk)/got")
      let half = Disk.write(bytes, to: Delivery(order: order, mode: 0o644).temporary)

      let fact = await deliver(workshop, order)

      #expect(fact == .delivered)
      #expect(Disk.read(half) == nil)
      #expect(Disk.read("\(disk)/got") == bytes)
      umount(disk)
      Disk.removeFolder(disk)
    }
  }

  @Test func `where another file stands, nothing stays of a copy that a crash has cut short`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-stood-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let order = order(workshop, to: Disk.write("mine", to: "\(folder)/got"))
      Disk.write("half", to: Delivery(order: order, mode: 0o644).temporary)

      #expect(code(await deliver(workshop, order)) == .destinationExists)

      #expect(Disk.names(in: folder) == ["got"])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a file system that does not say how large it is takes files`() async throws {
    let disk = try Workshop.makeFolder()
    try #require(mount("none", disk, "tmpfs", 0, "size=0") == 0)
    try await withWorkshop { workshop, server in
      let there = try Workshop(folder: disk)

      let delivered = await deliver(workshop, order(workshop, to: "\(disk)/got"))
      let facts = await there.run(.download(server.url("/file/1/1000")))

      #expect(delivered == .delivered)
      #expect(facts.response?.status == 200)
      try await there.close()
    }
    umount(disk)
    Disk.removeFolder(disk)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a full destination is told, and nothing half done stays`() async throws {
    try await withWorkshop { workshop, _ in
      let disk = try Workshop.makeFolder()
      try #require(mount("none", disk, "tmpfs", 0, "size=4k") == 0)

      let fact = await deliver(workshop, order(workshop, to: "\(disk)/got"))

      #expect(code(fact) == .diskFull)
      #expect(Disk.names(in: disk) == [])
      umount(disk)
      Disk.removeFolder(disk)
    }
  }
}
