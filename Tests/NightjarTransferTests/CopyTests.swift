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

/// Deliveries to where a file cannot be moved, so that it is copied.
@Suite(.timeLimit(.minutes(2))) struct CopyTests {
  /// An order for a copy to a folder elsewhere that comes to nothing before somebody writes to the staged pipe.
  private func heldUp(_ workshop: Workshop, in folder: String) throws -> DeliveryOrder {
    let pipe = "\(workshop.folder)/staging/9.part"
    try #require(mkfifo(pipe, 0o600) == 0)
    return DeliveryOrder(
      id: TransferID(9), attempt: 1, file: StagedFile(path: pipe, stamp: Disk.stamp(pipe)),
      destination: Destination(path: "\(folder)/slow"))
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

  /// Carries a delivery out where the permissions and times of files cannot be set.
  private func run(_ delivery: Delivery, withholding number: Int32) throws {
    let errand = Errand(delivery)
    let refused = ctestmoves_run_withheld(
      number, { Unmanaged<Errand>.fromOpaque($0!).takeUnretainedValue().run() },
      Unmanaged.passUnretained(errand).toOpaque())
    try #require(refused == 0)
    try errand.outcome.get()
  }

  @Test func `a file is delivered over file systems, and the staged one stays`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-delivery-\(getpid())")
      let path = "\(folder)/got"

      let fact = try await workshop.deliver(workshop.order(to: path))

      #expect(fact == .delivered)
      #expect(Disk.read(path) == Workshop.delivered)
      #expect(Disk.names(in: folder) == ["got"])
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
      #expect(try await workshop.deliver(workshop.order(to: path, attempt: 2)) == .delivered)
      Disk.removeFolder(folder)
    }
  }

  @Test func `a copy that another home has under way into the same folder is left alone`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-neighbour-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let order = workshop.order(to: "\(folder)/got")
      var other = order
      other.file.stamp.modified -= 1
      let half = Disk.write("half", to: Delivery(order: other, mode: 0o644).temporary)

      let delivery = try await workshop.deliver(order)

      #expect(delivery == .delivered)

      #expect(Disk.read(half) == Array("half".utf8))
      #expect(Disk.read("\(folder)/got") == Workshop.delivered)
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

      let facts = try await workshop.run(.download(server.url("/file/1/1000")))
      let near = try await workshop.deliver(workshop.order(to: "\(workshop.folder)/got"))

      #expect(facts.response?.status == 200)
      #expect(near == .delivered)
      close(open(held.file.path, O_WRONLY))
      _ = try await workshop.log.nextDelivery()
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

      #expect(try await workshop.deliver(workshop.order(to: "\(folder)/next")) == .delivered)
      #expect(Disk.names(in: folder) == ["next"])
    }
  }

  /// A file system that keeps times to so many nanoseconds shows another one for the copy than the staged file has.
  @Test(arguments: [100, 10_000_000, 1_000_000_000, 2_000_000_000] as [Int64], [true, false])
  func `a copy is known again where times are coarse, by its content`(tick: Int64, isSame: Bool) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-coarse-\(getpid())-\(tick)-\(isSame)")
      defer { Disk.removeFolder(folder) }
      Disk.setModified(1_700_000_001_987_654_321, of: Disk.write(Workshop.delivered, to: workshop.part()))
      let order = workshop.order(to: "\(folder)/got")
      let first = try await workshop.deliver(order)
      if !isSame { Disk.write([UInt8](repeating: 7, count: Workshop.delivered.count), to: order.destination.path) }
      Disk.setModified(order.file.stamp.modified / tick * tick, of: order.destination.path)

      let again = try await workshop.deliver(order)

      #expect(first == .delivered)
      #expect(isSame ? again == .delivered : again.code == .destinationExists)
    }
  }

  /// After a kill between the last rename and the commit, on a share that gives files the time of its own clock.
  @Test(arguments: [true, false])
  func `a copy is known again where times are not kept at all, by its content`(isSame: Bool) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-timeless-\(getpid())-\(isSame)")
      defer { Disk.removeFolder(folder) }
      let order = workshop.order(to: "\(folder)/got")
      let first = try await workshop.deliver(order)
      if !isSame { Disk.write([UInt8](repeating: 7, count: Workshop.delivered.count), to: order.destination.path) }
      Disk.setModified(order.file.stamp.modified + 3_600_000_000_000, of: order.destination.path)

      let again = try await workshop.deliver(order)

      #expect(first == .delivered)
      #expect(isSame ? again == .delivered : again.code == .destinationExists)
    }
  }

  @Test(.enabled(if: ctestmoves_can_forbid(), "the kernel has no Landlock"))
  func `a file that the system will not rename is copied, once`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(Disk.makeFolder("\(workshop.folder)/there"))/got")

      try runWithoutMoves(Delivery(order: order, mode: 0o644))
      try runWithoutMoves(Delivery(order: order, mode: 0o644))  // As after a crash.

      #expect(Disk.read(order.destination.path) == Workshop.delivered)
      #expect(Disk.mode(order.destination.path) == 0o644)
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
      #expect(Disk.mode(workshop.part()) == 0o600)
    }
  }

  @Test(
    .enabled(if: ctestmoves_can_withhold(), "the kernel has no seccomp"),
    arguments: [EPERM, EACCES, EOPNOTSUPP, ENOSYS], [false, true])
  func `a file is delivered to a share that keeps its own permissions and times`(
    number: Int32, isElsewhere: Bool
  ) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder(
        isElsewhere ? "/var/tmp/nightjar-share-\(getpid())-\(number)" : "\(workshop.folder)/share")
      defer { Disk.removeFolder(folder) }
      let order = workshop.order(to: "\(folder)/got")

      try run(Delivery(order: order, mode: 0o644), withholding: number)

      #expect(Disk.read(order.destination.path) == Workshop.delivered)
      #expect(Disk.names(in: folder) == ["got"])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "a folder of another group needs root"), arguments: [false, true])
  func `a file gets a setgid folder's group and the given permissions, renamed or copied`(
    isElsewhere: Bool
  ) async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder(
        isElsewhere ? "/var/tmp/nightjar-group-\(getpid())" : "\(workshop.folder)/group")
      defer { Disk.removeFolder(folder) }
      try #require(chown(folder, uid_t.max, 1234) == 0 && chmod(folder, 0o2775) == 0)
      let order = workshop.order(to: "\(folder)/got")

      try Delivery(order: order, mode: 0o660).run()

      var status = stat()
      #expect(lstat(order.destination.path, &status) == 0 && status.st_gid == 1234)
      #expect(Disk.mode(order.destination.path) == 0o660)
    }
  }

  @Test(.enabled(if: ctestmoves_can_withhold(), "the kernel has no seccomp"))
  func `permissions that cannot be set for want of a working disk fail a delivery`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")

      let failure = #expect(throws: TransferFailure.self) {
        try run(Delivery(order: order, mode: 0o644), withholding: EIO)
      }

      #expect(failure?.code == .cannotWrite)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a destination without the room is told before a byte is copied`() async throws {
    try await withWorkshop { workshop, _ in
      let disk = try Workshop.makeFolder()
      try #require(mount("none", disk, "tmpfs", 0, "size=8k") == 0)
      Disk.write(Content(seed: 1, size: 20_000).bytes, to: workshop.part())

      let fact = try await workshop.deliver(workshop.order(to: "\(disk)/got"))

      #expect(fact.code == .diskFull)
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
      let order = workshop.order(to: "\(disk)/got")
      let half = Disk.write(Workshop.delivered, to: Delivery(order: order, mode: 0o644).temporary)

      let fact = try await workshop.deliver(order)

      #expect(fact == .delivered)
      #expect(Disk.read(half) == nil)
      #expect(Disk.read("\(disk)/got") == Workshop.delivered)
      umount(disk)
      Disk.removeFolder(disk)
    }
  }

  @Test func `where another file stands, nothing stays of a copy that a crash has cut short`() async throws {
    try await withWorkshop { workshop, _ in
      let folder = Disk.makeFolder("/var/tmp/nightjar-stood-\(getpid())")
      defer { Disk.removeFolder(folder) }
      let order = workshop.order(to: Disk.write("mine", to: "\(folder)/got"))
      Disk.write("half", to: Delivery(order: order, mode: 0o644).temporary)

      let delivery = try await workshop.deliver(order)

      #expect(delivery.code == .destinationExists)

      #expect(Disk.names(in: folder) == ["got"])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a full destination is told, and nothing half done stays`() async throws {
    try await withWorkshop { workshop, _ in
      let disk = try Workshop.makeFolder()
      try #require(mount("none", disk, "tmpfs", 0, "size=4k") == 0)

      let fact = try await workshop.deliver(workshop.order(to: "\(disk)/got"))

      #expect(fact.code == .diskFull)
      #expect(Disk.names(in: disk) == [])
      umount(disk)
      Disk.removeFolder(disk)
    }
  }
}
