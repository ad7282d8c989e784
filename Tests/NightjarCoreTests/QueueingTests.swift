import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `Queueing a transfer` {
  @Test func `starts it at once, after the answer`() {
    var (bench, client) = Bench.withRunningApp()

    let answer = bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    #expect(answer == .accepted(TransferID(1)))
    #expect(bench.deeds.starts.map(\.attempt) == [1])
    #expect(bench.rows.memory.transfers.map(\.state.phase) == [.running])
  }

  @Test(arguments: [0, -5]) func `shows none in a list of at most none`(limit: Int) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    let answer = bench.order(.listTransfers(nil, after: nil, limit: limit))

    #expect(answer == .transfers([], isComplete: false))
  }

  @Test func `twice under one key is one transfer, over a crash of the daemon too`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    let repeated = bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let afterCrash = bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    #expect(repeated == .accepted(TransferID(1)))
    #expect(afterCrash == .accepted(TransferID(1)))
    #expect(bench.rows.memory.transfers.count == 1)
  }

  @Test func `under the key of another app, session, task or URL is refused`() {
    var (bench, client) = Bench.withRunningApp()
    let program = Client(tool, pid: 40, connection: 40, relaunch: [])
    bench.attach(program)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: program)
    bench.ask(.openSession("second", sendsLaunchEvents: true), as: client)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    var answers = [bench.ask(.enqueue(.made(1, app: tool), isSuspended: false), as: program)]
    for request in [.made(1, session: "second"), .made(1, task: 2), .made(1, host: "b.example")] as [TransferRequest] {
      answers.append(bench.ask(.enqueue(request, isSuspended: false), as: client))
    }
    bench.queue(1, to: "/a/file")

    let refusal = Answer.refused(.invalid(field: "key", reason: "this key is another task's; a key is used once"))
    #expect(answers.allSatisfy { $0 == refusal })
    #expect(bench.rows.memory.transfers.map(\.request.app) == [farm])
  }

  @Test func `twice under one key is one transfer also after it has ended, with its password or without`() {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.made(1)
    request.url = "https://name:secret@a.example/1"
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.finish(1)

    let repeated = bench.ask(.enqueue(request, isSuspended: false), as: client)
    let without = bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let recalled = bench.order(.recall(request.identity))

    #expect([repeated, without, recalled].allSatisfy { $0 == .accepted(TransferID(1)) })
  }

  @Test func `of a person under one key is one transfer only for the same URL and destination`() {
    var bench = Bench()
    bench.queue(1, to: "/a/file")
    var request = TransferRequest.made(1, app: .commandLine, session: nil)
    request.destination = Destination(path: "/a/file")
    var elsewhere = request
    elsewhere.destination = Destination(path: "/a/other")

    let repeated = bench.order(.enqueue(request))
    let refused = bench.order(.enqueue(elsewhere))
    let recalled = bench.order(.recall(elsewhere.identity))

    #expect(repeated == .accepted(TransferID(1)))
    let refusal = Answer.refused(.invalid(field: "key", reason: "this key is another task's; a key is used once"))
    #expect(refused == refusal && recalled == refusal)
    #expect(bench.rows.memory.transfers.count == 1)
  }

  @Test func `under a task identifier that is taken is refused`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1, task: 5), isSuspended: false), as: client)

    let answer = bench.ask(.enqueue(.made(2, task: 5), isSuspended: false), as: client)

    guard case .refused(.invalid(field: "task", _))? = answer else { return #expect(answer == nil) }
    #expect(bench.ask(.openSession("main", sendsLaunchEvents: true), as: client) == .session(nextTask: 6, taskCount: 1))
  }

  @Test func `under a task identifier beyond the highest is refused, and the highest is the last`() {
    var (bench, client) = Bench.withRunningApp()
    let highest = 2_147_483_647

    let accepted = bench.ask(.enqueue(.made(1, task: highest), isSuspended: false), as: client)
    let next = bench.ask(.enqueue(.made(2, task: highest + 1), isSuspended: false), as: client)
    let far = bench.ask(.enqueue(.made(3, task: .max), isSuspended: false), as: client)

    #expect(accepted == .accepted(TransferID(1)))
    #expect(next == .refused(.invalid(field: "task", reason: Self.tooHigh(highest + 1))))
    #expect(far == .refused(.invalid(field: "task", reason: Self.tooHigh(.max))))
    let opened = bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    #expect(opened == .session(nextTask: highest + 1, taskCount: 1))
  }

  @Test func `goes by no identifier that an app could not count on from, whatever an earlier version took`() {
    var (bench, client) = Bench.withRunningApp()
    bench.rows.memory.sessions[0].nextTask = .max
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)

    let opened = bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(opened == .session(nextTask: 2_147_483_648, taskCount: 0))
  }

  private static func tooHigh(_ task: Int) -> String {
    "\(task) is not a task identifier: the highest is 2147483647"
  }

  @Test func `in a session that is not open is refused`() {
    var (bench, client) = Bench.withRunningApp()

    let answer = bench.ask(.enqueue(.made(1, session: "other"), isSuspended: false), as: client)

    #expect(answer == .refused(.sessionNotOpen("other")))
  }

  @Test func `beyond an app's limit is refused`() {
    var limits = Limits()
    limits.transfersPerAppMax = 1
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)

    let answer = bench.ask(.enqueue(.made(2), isSuspended: false), as: client)

    #expect(answer == .refused(.limitReached(what: "transfers of one app", limit: 1)))
    #expect(bench.rows.memory.counters.transfer == 1)
  }

  @Test func `with more in its body than an app's may have together is refused until one of them is acknowledged`() {
    var limits = Limits()
    limits.bodyBytesPerAppMax = 10
    var (bench, client) = Bench.withRunningApp(limits: limits)

    let first = bench.ask(.enqueue(.made(1, body: 6), isSuspended: false), as: client)
    let tooMuch = bench.ask(.enqueue(.made(2, body: 5), isSuspended: false), as: client)
    let exact = bench.ask(.enqueue(.made(2, body: 4), isSuspended: true), as: client)
    let without = bench.ask(.enqueue(.made(3), isSuspended: true), as: client)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.finish(1, attempt: 2)
    let unacknowledged = bench.ask(.enqueue(.made(4, body: 1), isSuspended: true), as: client)
    bench.ask(.acknowledge([1]), as: client)
    let again = bench.ask(.enqueue(.made(4, body: 6), isSuspended: true), as: client)

    let refusal = Answer.refused(.limitReached(what: "bytes of the bodies of one app's requests", limit: 10))
    #expect([tooMuch, unacknowledged] == [refusal, refusal])
    #expect([first, exact, without, again] == [1, 2, 3, 4].map { .accepted(TransferID($0)) })
    let kept = bench.rows.memory.transfers.reduce(0) { $0 + $1.request.body.count }
    #expect(bench.supervisor.transfers.owners.bodyBytes(of: farm) == kept && kept == 10)
  }

  @Test func `with more text than an app's may have together is refused until one of them is gone`() {
    let size = TransferRequest.made(1).keptTextBytes
    var limits = Limits()
    limits.textBytesPerAppMax = 2 * size + 10
    var (bench, client) = Bench.withRunningApp(limits: limits)
    var wordy = TransferRequest.made(2)
    wordy.label = "12345678901"

    let first = bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    let tooMuch = bench.ask(.enqueue(wordy, isSuspended: true), as: client)
    let second = bench.ask(.enqueue(.made(2), isSuspended: true), as: client)
    var changes = TaskChanges()
    changes.label = wordy.label
    let longer = bench.ask(.update("main", task: 2, changes), as: client)
    changes.label = "1234567890"
    let fits = bench.ask(.update("main", task: 2, changes), as: client)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let third = bench.ask(.enqueue(.made(3), isSuspended: true), as: client)
    bench.finish(1, attempt: 2)
    bench.ask(.acknowledge([1]), as: client)
    let again = bench.ask(.enqueue(.made(3), isSuspended: true), as: client)

    let refusal = Answer.refused(
      .limitReached(what: "bytes of the text of one app's requests", limit: limits.textBytesPerAppMax))
    #expect([tooMuch, longer, third] == [refusal, refusal, refusal])
    #expect([first, second, again] == [1, 2, 3].map { .accepted(TransferID($0)) })
    #expect(fits == .done)
    #expect(bench.supervisor.transfers.owners.textBytes(of: farm) == limits.textBytesPerAppMax)
  }

  @Test func `counts the paths of its files among its text`() {
    var request = TransferRequest.made(1)
    let plain = request.keptTextBytes
    request.direction = .upload(path: "/film", stamp: FileStamp(size: 1, modified: 1, inode: 1))
    request.destination = Destination(path: "/reply")

    #expect(request.keptTextBytes == plain + 11)
  }

  @Test func `leaves nothing behind of a name whose last is gone`() {
    var bench = Bench()
    for number in 1...20 as ClosedRange<UInt64> {
      let client = Client(AppID("tool\(number)"), pid: Int32(number), connection: number, relaunch: ["tool"])
      bench.attach(client)
      bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
      bench.ask(.enqueue(.made(number, app: client.app, task: 1, body: 10), isSuspended: true), as: client)
      bench.ask(.closeSession("main", cancel: true), as: client)
    }

    #expect(bench.rows.memory.transfers.isEmpty)
    #expect(bench.supervisor.transfers.owners.isEmpty)
  }

  @Test func `without a session takes the place of the oldest that is over, where their text takes up the room`() {
    var limits = Limits()
    let size = TransferRequest.made(1, app: .commandLine, session: nil).keptTextBytes
    (limits.requestTextMax, limits.textBytesPerAppMax) = (size, 2 * size)
    var bench = Bench(limits: limits)
    for number in 1...2 as ClosedRange<UInt64> { bench.queue(number) }
    bench.finish(1)

    bench.queue(3)

    #expect(bench.rows.memory.transfers.map(\.id) == [TransferID(2), TransferID(3)])
  }

  @Test func `without a session takes the place of the oldest that is over, once there are as many as may be`() {
    var limits = Limits()
    limits.transfersPerAppMax = 3
    var bench = Bench(limits: limits)
    for number in 1...3 as ClosedRange<UInt64> { bench.queue(number) }
    bench.finish(2)
    bench.finish(3)

    bench.queue(4)
    let first = bench.rows.memory.transfers.map(\.id)
    bench.queue(5)
    bench.queue(6)

    #expect(first == [1, 3, 4].map { TransferID($0) })
    #expect(bench.rows.memory.transfers.map(\.id) == [1, 4, 5].map { TransferID($0) })
  }

  @Test func `that cannot be sent takes nobody's place`() {
    var limits = Limits()
    limits.transfersPerAppMax = 1
    var bench = Bench(limits: limits)
    bench.queue(1)
    bench.finish(1)

    bench.order(.enqueue(.made(2, app: .commandLine, session: nil, host: "")))

    #expect(bench.rows.memory.transfers.map(\.id) == [TransferID(1)])
  }

  @Test func `suspended waits until it is resumed`() {
    var (bench, client) = Bench.withRunningApp()

    bench.ask(.enqueue(.made(1), isSuspended: true), as: client)
    let queued = bench.deeds.starts
    bench.ask(.resume("main", task: 1), as: client)

    #expect(queued.isEmpty)
    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
  }
}

@Suite struct `A request` {
  private func refusal(_ change: (inout TransferRequest) -> Void) -> Refusal? {
    var request = TransferRequest.made(1)
    change(&request)
    do throws(Refusal) {
      try request.check(Limits())
      return nil
    } catch {
      return error
    }
  }

  private func field(_ change: (inout TransferRequest) -> Void) -> String? {
    if case .invalid(let field, _)? = refusal(change) { field } else { nil }
  }

  @Test(arguments: [
    "", "a.example/1", "/1", "ftp://a.example/1", "file:///etc/passwd", "http:///1", "https://", "http://?q",
    "http://a:0/1", "http://a:65536/1", "http://a:x/1", "http://ä.example/1", "http://[::1/1", "http://u@/1",
    "https:/a",
    "http://a.example/a b", "http://a.example/\r\nHost: b", "javascript://x",
  ])
  func `needs an absolute URL of HTTP`(url: String) {
    #expect(field { $0.url = url } == "url")
  }

  @Test(arguments: ["http://a", "HTTPS://a.example:8443/x?y#z", "http://[::1]:80/", "https://u:p@a.example/ü"])
  func `may have any URL of HTTP`(url: String) {
    #expect(refusal { $0.url = url } == nil)
  }

  @Test(arguments: ["X: y\r\nEvil", "", "na me", "näme", "a\u{0}"])
  func `cannot smuggle anything in with a header's name`(name: String) {
    #expect(field { $0.headers = [HTTPField(name, "value")] } == "headers")
  }

  @Test(arguments: ["a\r\nEvil: 1", "a\nb", "a\rb", "\u{0}", "\u{7F}"])
  func `cannot smuggle anything in with a header's value`(value: String) {
    #expect(field { $0.headers = [HTTPField("Name", value)] } == "headers")
  }

  @Test(arguments: ["", "GET /", "GE\r\nT", "G T", "CONNECT", "TRACE"])
  func `needs a method that is a token, and transfers something`(method: String) {
    #expect(field { $0.method = method } == "method")
  }

  @Test(arguments: [.nan, -0.1, 1.1, .infinity] as [Float])
  func `needs a priority that has a place in an order`(priority: Float) {
    #expect(field { $0.priority = priority } == "priority")
  }

  @Test func `needs timeouts longer than zero`() {
    #expect(field { $0.requestTimeout = .zero } == "timeout")
    #expect(field { $0.resourceTimeout = .seconds(-1) } == "timeout")
  }

  @Test func `is small enough to be kept`() {
    let limits = Limits()

    let body = refusal { $0.body = Array(repeating: 0, count: limits.requestBodyMax + 1) }
    let label = refusal { $0.label = String(repeating: "x", count: limits.requestTextMax) }
    let proxies = refusal {
      $0.options.proxies = Proxies(exceptions: Array(repeating: "x", count: limits.requestTextMax))
    }

    #expect(body == .limitReached(what: "bytes of a request's body", limit: limits.requestBodyMax))
    let what = "bytes of a URL, its header fields, label and proxies"
    #expect(label == .limitReached(what: what, limit: limits.requestTextMax))
    #expect(proxies == .limitReached(what: what, limit: limits.requestTextMax))
  }
}
