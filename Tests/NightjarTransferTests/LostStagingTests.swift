import NightjarModel
import NightjarTransfer
import ScriptedServer
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A staging folder that goes with its disk while the engine runs, and comes back.
@Suite(.timeLimit(.minutes(2))) struct LostStagingTests {
  @Test func `a folder that has gone is what fails, and what lies there is gone on with once it is back`() async throws
  {
    try await withWorkshop { workshop, server in
      let (url, content) = (server.url("/file/3/2000000"), Content(seed: 3, size: 2_000_000))
      Disk.write(Array(content.bytes.prefix(1000)), to: workshop.part())
      let point = ResumePoint(offset: 1000, validator: .entityTag("\"3-2000000\""), length: 2_000_000)
      let wellBefore = workshop.engine.trouble

      workshop.loseStaging()
      let (lost, trouble) = (try await workshop.run(.download(url, resume: point)), workshop.engine.trouble)
      workshop.findStaging()
      let found = try await workshop.run(.download(url, attempt: 2, resume: point))

      #expect(lost.failure?.code == .cannotWrite && lost.checkpoints.isEmpty, "\(lost)")
      #expect(lost.failure?.detail == trouble && trouble?.contains("/staging cannot be written") == true)
      #expect(wellBefore == nil && workshop.engine.trouble == nil)
      #expect(found.response?.status == 200, "\(found)")
      #expect(server.requests("/file/3/2000000").map { $0.headers["range"] } == ["bytes=1000-"])
      #expect(Disk.read(workshop.part()) == content.bytes)
    }
  }

  @Test func `an upload whose file has gone with the folder is not blamed on that file`() async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write(Content(seed: 5, size: 70_000).bytes, to: "\(workshop.folder)/staging/source")
      let order = TransferOrder.upload(path, to: server.url("/upload/a"))
      var second = order
      second.attempt = 2

      workshop.loseStaging()
      let lost = try await workshop.run(order)
      workshop.findStaging()
      let found = try await workshop.run(second)

      #expect(lost.failure?.code == .cannotWrite, "\(lost)")
      #expect(found.response?.status == 200, "\(found)")
    }
  }

  @Test func `a finished file that has gone with the folder is delivered once it is back`() async throws {
    try await withWorkshop { workshop, _ in
      let order = workshop.order(to: "\(workshop.folder)/got")
      var second = order
      second.attempt = 2

      workshop.loseStaging()
      let lost = try await workshop.deliver(order)
      workshop.findStaging()
      let found = try await workshop.deliver(second)

      #expect(lost.code == .timedOut, "\(lost)")
      #expect(found == .delivered)
      #expect(Disk.read("\(workshop.folder)/got") == Workshop.delivered)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a file system needs root"))
  func `a finished file whose disk has become read-only is delivered once it can be written`() async throws {
    let disk = try Workshop.makeFolder()
    try #require(mount("none", disk, "tmpfs", 0, nil) == 0)
    let workshop = try Workshop(folder: disk)
    let order = workshop.order(to: "\(disk)/got")
    var second = order
    second.attempt = 2

    try #require(mount("none", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
    let kept = try await workshop.deliver(order)
    try #require(mount("none", disk, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
    let found = try await workshop.deliver(second)

    #expect(kept.code == .timedOut, "\(kept)")
    #expect(found == .delivered)
    #expect(Disk.read("\(disk)/got") == Workshop.delivered)
    try await workshop.close()
    umount(disk)
    Disk.removeFolder(disk)
  }
}

extension Workshop {
  fileprivate func loseStaging() { rename("\(folder)/staging", "\(folder)/aside") }
  fileprivate func findStaging() { rename("\(folder)/aside", "\(folder)/staging") }
}
