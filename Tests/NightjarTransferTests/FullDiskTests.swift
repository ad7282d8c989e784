import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A disk that fills up in the middle of a file. The bound on a file's size (setrlimit(2), `RLIMIT_FSIZE`) stands in
/// for it, in a process of its own, for it holds for a whole process; write(2) then fails with EFBIG as a quota's with
/// EDQUOT.
@Suite(.timeLimit(.minutes(2))) struct FullDiskTests {
  static func boundFiles(to size: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var bound = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound)
    bound.rlim_cur = size
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0, "the bound cannot be set")
  }

  @Test func `a write for which there is no room is a full disk, and what came is kept for when there is some`() async {
    await #expect(processExitsWith: .success) {
      try await withWorkshop(settings: { $0.checkpointBytes = 100_000 }) { workshop, server in
        let content = Content(seed: 3, size: 3_000_000)
        Self.boundFiles(to: 1_000_000)

        let full = try await workshop.run(.download(server.url("/file/3/3000000")))
        let other = try await workshop.run(.download(server.url("/file/4/500000"), id: 2))
        Self.boundFiles(to: .max)
        let resume = full.checkpoints.last
        let room = try await workshop.run(.download(server.url("/file/3/3000000"), attempt: 2, resume: resume))

        precondition(full.failure?.code == .diskFull, "\(full)")
        precondition(full.failure?.detail.contains("File too large") == true, "\(full)")
        precondition(other.response?.status == 200, "\(other)")
        precondition(Disk.read(workshop.part(2)) == Content(seed: 4, size: 500_000).bytes, "the other file suffered")
        precondition(room.response?.status == 200, "\(room)")
        precondition(Disk.read(workshop.part()) == content.bytes, "bytes are wrong after the disk was full")
      }
    }
  }

  @Test func `an upload whose answer finds no room has succeeded, is not sent again, and says what is lost`() async {
    await #expect(processExitsWith: .success) {
      try await withWorkshop { workshop, server in
        let path = Disk.write(Content(seed: 5, size: 700_000).bytes, to: "\(workshop.folder)/source")
        server.play("/x", .serve(Serving(Content(seed: 1, size: 3_000_000))))
        Self.boundFiles(to: 1_000_000)

        let facts = try await workshop.run(.upload(path, to: server.url("/x")))

        let warning = facts.response?.headers[field: "Warning"]
        precondition(facts.response?.status == 200, "\(facts)")
        precondition(warning?.contains("the body of this answer is lost") == true, "\(facts)")
        precondition(Disk.read(workshop.reply()) == [], "half an answer is left")
        precondition(server.requests("/x").count == 1, "it was sent again")
      }
    }
  }

  @Test func `a file too long for where it goes waits for a person, and is not copied there again and again`() async {
    await #expect(processExitsWith: .success) {
      try await withWorkshop { workshop, _ in
        let folder = Disk.makeFolder("/var/tmp/nightjar-short-\(getpid())")  // Another file system: it is copied.
        defer { Disk.removeFolder(folder) }
        let order = workshop.order(to: "\(folder)/got")
        Self.boundFiles(to: 1000)

        let fact = try await workshop.deliver(order)

        precondition(fact.code == .cannotWrite, "\(fact)")
        precondition("\(fact)".contains("File too large"), "\(fact)")
        precondition(Disk.names(in: folder).isEmpty, "half a copy is left")
        precondition(Disk.read(workshop.part()) == Workshop.delivered, "the staged file suffered")
      }
    }
  }

  @Test(arguments: [ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOBUFS])
  func `what is used up for now, descriptors as well, counts as a full disk, for which there may be room later`(
    number: Int32
  ) {
    #expect(TransferFailure.ofErrno(number, "cannot open x", .cannotWrite).code == .diskFull)
  }

  @Test func `an upload ends well though the folder of its answer has gone, without which none begins`() async throws {
    try await withWorkshop { workshop, server in
      let path = Disk.write(Content(seed: 5, size: 700_000).bytes, to: "\(workshop.folder)/source")
      let (staging, aside) = ("\(workshop.folder)/staging", "\(workshop.folder)/aside")
      workshop.log.hook { if case .progressed = $0.fact { rename(staging, aside) } }

      let facts = try await workshop.run(.upload(path, to: server.url("/upload/a")))
      let none = try await workshop.run(.upload(path, to: server.url("/upload/b"), id: 2))

      #expect(facts.response?.status == 200, "\(facts)")
      #expect(Disk.read("\(aside)/1.reply") == Array("taken".utf8), "the answer is lost")
      #expect(none.failure?.code == .cannotWrite, "\(none)")
      #expect(server.requests("/upload/b").isEmpty, "it was sent")
    }
  }

  @Test func `transfers under way beside one that finds no room go on`() async {
    await #expect(processExitsWith: .success) {
      try await withWorkshop { workshop, server in
        Self.boundFiles(to: 1_000_000)
        let orders = (1...8).map { id in
          TransferOrder.download(server.url("/file/\(id)/\(id % 2 == 0 ? 3_000_000 : 900_000)"), id: id)
        }

        for order in orders { workshop.engine.start(order) }

        for order in orders {
          let facts = try await workshop.end(of: order)
          let isLarge = order.id.rawValue % 2 == 0
          precondition((facts.failure?.code == .diskFull) == isLarge, "\(facts)")
          precondition((facts.response?.status == 200) == !isLarge, "\(facts)")
        }
      }
    }
  }
}
