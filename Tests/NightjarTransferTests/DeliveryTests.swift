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
  @Test func `a file is delivered whole, with ordinary permissions`() async throws {
    try await withWorkshop { workshop, _ in
      let path = "\(workshop.folder)/got"

      let delivery = try await workshop.deliver(workshop.order(to: path))

      #expect(delivery == .delivered)

      #expect(Disk.read(path) == Workshop.delivered)
      #expect(Disk.mode(path) == 0o644)
    }
  }

  @Test(arguments: [
    ("/a/b/got", "/a/b"), ("/got", "/"), ("/a/b/\u{301}got", "/a/b"), ("/a/b\u{600}/got", "/a/b\u{600}"),
  ])
  func `a file goes to the folder that its path names`(path: String, folder: String) async throws {
    try await withWorkshop { workshop, _ in
      #expect(Delivery(order: workshop.order(to: path), mode: 0o644).folder == folder)
    }
  }

  @Test func `delivering again after a crash is harmless`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")

      let facts = [try await workshop.deliver(order), try await workshop.deliver(order)]

      #expect(facts == [.delivered, .delivered])
      #expect(Disk.read("\(workshop.folder)/got") == Workshop.delivered)
    }
  }

  @Test func `a file of nearly the same time is no proof of delivery without the staged one`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")
      Disk.setModified(order.file.stamp.modified - 1, of: Disk.write(Workshop.delivered, to: order.destination.path))
      unlink(workshop.part())

      let delivery = try await workshop.deliver(order)

      #expect(delivery.code == .cannotReadSource)
    }
  }

  @Test func `a file that stands there is left alone, and the staged one too`() async throws {
    try await withWorkshop { workshop, _ in
      let path = Disk.write("mine", to: "\(workshop.folder)/got")

      let fact = try await workshop.deliver(workshop.order(to: path))

      #expect(fact.code == .destinationExists)
      #expect(Disk.read(path) == Array("mine".utf8))
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
      #expect(Disk.mode(workshop.part()) == 0o600)
    }
  }

  @Test func `a file is replaced where that was allowed`() async throws {
    try await withWorkshop { workshop, _ in
      let path = Disk.write("mine", to: "\(workshop.folder)/got")

      let delivery = try await workshop.deliver(workshop.order(to: path, overwrites: true))

      #expect(delivery == .delivered)
      #expect(Disk.read(path) == Workshop.delivered)
    }
  }

  @Test func `what is no ordinary file is not replaced, whatever is allowed`() async throws {
    try await withWorkshop { workshop, _ in
      let path = "\(workshop.folder)/pipe"
      try #require(mkfifo(path, 0o600) == 0)

      let fact = try await workshop.deliver(workshop.order(to: path, overwrites: true))

      #expect(fact.code == .destinationExists)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
    }
  }

  @Test func `a file of the same size is no proof of delivery`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")
      Disk.write([UInt8](repeating: 7, count: 5000), to: "\(workshop.folder)/got")
      unlink(workshop.part())

      let delivery = try await workshop.deliver(order)

      #expect(delivery.code == .cannotReadSource)
    }
  }

  @Test(arguments: [false, true])
  func `another file of the same size and time is no proof of delivery`(isElsewhere: Bool) async throws {
    try await withWorkshop { workshop, _ in
      let folder = isElsewhere ? Disk.makeFolder("/var/tmp/nightjar-twin-\(getpid())") : workshop.folder
      defer { if isElsewhere { Disk.removeFolder(folder) } }
      let order = workshop.order(to: "\(folder)/got")
      let other = [UInt8](repeating: 7, count: Workshop.delivered.count)
      Disk.setModified(order.file.stamp.modified, of: Disk.write(other, to: order.destination.path))

      let delivery = try await workshop.deliver(order)

      #expect(delivery.code == .destinationExists)

      #expect(Disk.read(order.destination.path) == other)
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
    }
  }

  @Test(arguments: ["relative", "/dev/", "/nowhere/at/all/file", "/proc/version/file"])
  func `a destination that cannot be is a clear failure`(path: String) async throws {
    try await withWorkshop { workshop, _ in
      let fact = try await workshop.deliver(workshop.order(to: path))

      #expect(fact.code == .cannotWrite)
      #expect(Disk.read(workshop.part()) == Workshop.delivered)
    }
  }

  @Test func `a staged file that is not what was finished is not delivered`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")
      Disk.write([1], to: workshop.part(), mode: "a")

      let delivery = try await workshop.deliver(order)

      #expect(delivery.code == .cannotReadSource)
      #expect(Disk.read("\(workshop.folder)/got") == nil)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a folder needs root"))
  func `a file is delivered under another mount of its file system, once`() async throws {
    try await withWorkshop { workshop, _ in
      let (real, mounted) = (Disk.makeFolder("\(workshop.folder)/real"), Disk.makeFolder("\(workshop.folder)/mounted"))
      try #require(mount(real, mounted, nil, UInt(MS_BIND), nil) == 0)
      let order = workshop.order(to: "\(mounted)/got")

      let facts = [try await workshop.deliver(order), try await workshop.deliver(order)]  // As after a crash.
      let found = Disk.read("\(real)/got")
      umount(mounted)

      #expect(facts == [.delivered, .delivered])
      #expect(found == Workshop.delivered)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a small file system needs root"))
  func `a file system that does not say how large it is takes files`() async throws {
    let disk = try Workshop.makeFolder()
    try #require(mount("none", disk, "tmpfs", 0, "size=0") == 0)
    try await withWorkshop { workshop, server in
      let there = try Workshop(folder: disk)

      let delivered = try await workshop.deliver(workshop.order(to: "\(disk)/got"))
      let facts = try await there.run(.download(server.url("/file/1/1000")))

      #expect(delivered == .delivered)
      #expect(facts.response?.status == 200)
      try await there.close()
    }
    umount(disk)
    Disk.removeFolder(disk)
  }
}
