import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A delivery` {
  @Test func `puts the file there and keeps the transfer on the list until somebody removes it`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    let order = bench.deeds.deliveries

    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    let state = bench.view(TransferID(1))?.state
    bench.order(.cancel(TransferID(1)))

    #expect(order.map(\.destination.path) == ["/home/file"])
    #expect(order.map(\.attempt) == [1])
    #expect(state == .succeeded)
    #expect(bench.rows.memory.transfers.isEmpty)
  }

  @Test func `takes the file from where the home lies now`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    bench.rows.memory.stage(in: "/copy/staging")

    bench.restart()

    #expect(bench.deeds.deliveries.map(\.file) == [StagedFile(path: "/copy/staging/1", stamp: oneFile.stamp)])
  }

  @Test func `takes the file that was restored, by the stamp that it has now`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    let (old, new) = (oneFile.stamp, FileStamp(size: 10, modified: 0, inode: 2))

    let changes = bench.rows.memory.restamp { path, stamp in path == oneFile.path && stamp == old ? new : nil }
    let again = bench.rows.memory.restamp { _, _ in nil }
    bench.restart()

    #expect(bench.deeds.deliveries.map(\.file) == [StagedFile(path: oneFile.path, stamp: new)])
    #expect(changes.transfers.keys.map(\.self) == [TransferID(1)] && again.isEmpty)
  }

  @Test func `leaves nothing in the staging area, though the transfer stays on the list`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    let isNeeded = bench.supervisor.remembers(TransferID(1))

    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    let deeds = bench.deeds
    bench.restart()  // Perhaps before that was done: the sweep at the start finds what is there.

    #expect(isNeeded)
    #expect(deeds.contains(.discard(TransferID(1))))
    #expect(bench.view(TransferID(1))?.state == .succeeded)
    #expect(!bench.supervisor.remembers(TransferID(1)))
  }

  @Test func `that is under way over a restart is one of all bytes, as before`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    let count = bench.view(TransferID(1))?.count

    bench.restart()

    #expect(bench.view(TransferID(1))?.count == count)
    #expect(count != 0)
  }

  @Test func `over a file that stands there waits until somebody says so`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    let exists = TransferFailure(.destinationExists, "'/home/file' exists")
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(exists)))

    let idle = bench.pass(.days(40))
    let verdict = bench.view(TransferID(1))?.verdict
    bench.order(.resume(TransferID(1)))

    #expect(idle.isEmpty)
    #expect(verdict == .waits(.delivery(exists), atMost: nil))
    #expect(bench.deeds.deliveries.map(\.attempt) == [2])
  }

  @Test func `on a full disk is tried again by itself`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.diskFull, "no space"))))

    let done = bench.pass(.seconds(31))

    #expect(done.deliveries.map(\.attempt) == [2])
  }

  @Test func `to a file system that does not answer is tried again by itself, and says so meanwhile`() {
    var bench = Bench()
    bench.queue(1, to: "/mnt/file")
    bench.finish(1)
    let silent = TransferFailure(.timedOut, "the file system does not answer")
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(silent)))
    let told = bench.view(TransferID(1))?.failure

    let done = bench.pass(.minutes(11))

    #expect(told == silent)
    #expect(done.deliveries.map(\.attempt).first == 2)
  }

  @Test func `that was taken for one that stands still counts as soon as it is made`() {
    var bench = Bench()
    bench.queue(1, to: "/mnt/file")
    bench.finish(1)
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.timedOut, "it does not answer"))))

    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))

    #expect(bench.view(TransferID(1))?.state == .succeeded)
    #expect(bench.pass(.minutes(11)).deliveries.isEmpty)
  }

  @Test func `that was under way when the daemon died is made again`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)

    bench.restart()
    bench.send(.delivery(TransferID(1), attempt: 1, .delivered))
    let late = bench.view(TransferID(1))?.state
    bench.send(.delivery(TransferID(1), attempt: 2, .delivered))

    #expect(late == .delivering)
    #expect(bench.view(TransferID(1))?.state == .succeeded)
  }

  @Test func `of a file that is lost has it downloaded again, from the first byte`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    bench.finish(1)
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.cannotReadSource, "it is gone"))))

    let done = bench.pass(.minutes(1))
    bench.finish(1, attempt: 2)
    let second = bench.deeds.deliveries
    bench.send(.delivery(TransferID(1), attempt: 2, .delivered))

    #expect(done.starts.map(\.attempt) == [2])
    #expect(done.starts.map(\.resume) == [nil])
    #expect(second.map(\.attempt) == [2])
    #expect(bench.view(TransferID(1))?.state == .succeeded)
  }

  @Test func `of a file that is lost again and again fails in the end, with the reason`() {
    var bench = Bench()
    bench.queue(1, to: "/home/file")
    let lost = TransferFailure(.cannotReadSource, "it is gone")
    var (attempt, count) = (1, 0)
    while bench.view(TransferID(1))?.state != .failed, count < 100 {
      count += 1
      bench.finish(1, attempt: attempt)
      bench.send(.delivery(TransferID(1), attempt: count, .failed(lost)))
      attempt = bench.pass(.minutes(30)).starts.last?.attempt ?? attempt
    }

    #expect(count == bench.supervisor.limits.doubtfulFailuresMax + 1)
    #expect(bench.view(TransferID(1))?.failure == lost)
  }

  @Test(arguments: ["POST", "GET"])
  func `of a file that is lost does not have what must not be done twice done again`(method: String) {
    var bench = Bench()
    bench.queue(1, method: method, to: "/home/file")
    bench.finish(1)

    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.cannotReadSource, "it is gone"))))

    #expect(bench.view(TransferID(1))?.state == (method == "POST" ? .failed : .waiting))
    let words = "it is gone; the POST was carried out, and is not made again"
    #expect(bench.view(TransferID(1))?.failure?.detail == (method == "POST" ? words : "it is gone"))
  }

  @Test func `of a page that is lost has the page fetched again, and not what has led to it`() {
    var bench = Bench()
    bench.queue(1, method: "POST", to: "/home/file")
    let page = UploadResource(url: "http://h/page", version: nil, namer: "http://h:80")
    let point = ResumePoint(offset: 0, validator: nil, length: nil, upload: page)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.finish(1)
    bench.send(.delivery(TransferID(1), attempt: 1, .failed(TransferFailure(.cannotReadSource, "it is gone"))))

    #expect(bench.pass(.minutes(1)).starts.map(\.resume) == [point])
  }
}
