import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A transfer that was put off` {
  @Test func `asks before it begins, without taking a place`() {
    var limits = Limits()
    limits.runningMax = 1
    var (bench, client) = Bench.withAskingApp(tasks: 0, limits: limits)

    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))
    let asked = bench.deeds.questions
    bench.ask(.enqueue(.made(2), isSuspended: false), as: client)
    let other = bench.deeds.starts
    bench.finish(2)
    bench.ask(.decide(1, .performDefault, asks: nil), as: client)

    #expect(asked.map(\.question) == [.delayedBegin])
    #expect(other.map(\.id) == [TransferID(2)])
    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
  }

  @Test(arguments: [true, false])
  func `only after it was queued is asked about, too, unless it has begun`(isSuspended: Bool) {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var later = TaskChanges()
    later.earliestBegin = Timestamp(seconds: bench.wall.seconds + 60)
    bench.ask(.enqueue(.made(1), isSuspended: isSuspended), as: client)
    if !isSuspended { bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil))) }

    bench.ask(.update("main", task: 1, later), as: client)
    bench.ask(.resume("main", task: 1), as: client)
    let done = bench.passWithWall(.seconds(61))

    #expect(done.questions.map(\.question) == (isSuspended ? [Question.delayedBegin] : []))
    #expect(done.starts.map(\.attempt) == (isSuspended ? [] : [2]))
  }

  @Test func `is asked about once, whatever happens to the daemon afterwards`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))
    bench.ask(.decide(1, .performDefault, asks: nil), as: client)

    bench.restart()

    #expect(bench.deeds.starts.map(\.attempt) == [2])
  }

  @Test func `sends the new request, also after a restart`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))
    let line = RequestLine(method: "GET", url: "https://b.example/new", headers: [HTTPField("X", "y")])

    bench.ask(.decide(1, .replace(line), asks: nil), as: client)
    let now = bench.deeds.starts.map(\.request.url)
    bench.restart()

    #expect(now == ["https://b.example/new"])
    #expect(bench.deeds.starts.map(\.request.url) == ["https://b.example/new"])
    #expect(bench.deeds.starts.map(\.request.headers) == [[HTTPField("X", "y")]])
  }

  @Test(arguments: [([7, 8], [7, 8]), ([], []), (nil, [1, 2, 3])] as [([UInt8]?, [UInt8])])
  func `sends the new request's body, or none, or the one it had`(body: [UInt8]?, sent: [UInt8]) {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var first = TransferRequest.delayed(1)
    (first.method, first.body) = ("POST", [1, 2, 3])
    bench.ask(.enqueue(first, isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))
    let line = RequestLine(method: "POST", url: first.url, headers: [], body: body)

    bench.ask(.decide(1, .replace(line), asks: nil), as: client)
    let now = bench.deeds.starts.map(\.request.body)
    bench.restart()

    #expect(now == [sent])
    #expect(bench.deeds.starts.map(\.request.body) == [sent])
  }

  @Test func `knows of the new request, and not of the old one, which fields the session has added`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    var first = TransferRequest.delayed(1)
    (first.headers, first.options.sessionFields) = ([HTTPField("Old", "1")], ["Old"])
    bench.ask(.enqueue(first, isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))
    let fields = [HTTPField("New", "1"), HTTPField("Own", "1")]
    let line = RequestLine(method: "GET", url: first.url, headers: fields, sessionFields: ["New"])

    bench.ask(.decide(1, .replace(line), asks: nil), as: client)

    #expect(bench.deeds.starts.map(\.request.options.sessionFields) == [["New"]])
  }

  @Test func `goes on with what was left only at the address that it was left of`() {
    let places = [
      ("https://a.example/1?signature=2", true), ("https://anna:pw@a.example/1", true), ("https://a.example/2", false),
    ]
    for (url, goesOn) in places {
      var (bench, client) = Bench.withAskingApp(tasks: 0)
      var first = TransferRequest.made(7)
      first.url = TransferRequest.delayed(1).url
      bench.ask(.enqueue(first, isSuspended: false), as: client)
      let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)
      bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
      bench.send(.transfer(TransferID(1), attempt: 1, .failed(TransferFailure(.badRedirect, "no"), retryAfter: nil)))
      bench.ask(.enqueue(.delayed(1), isSuspended: false, remnant: first.key), as: client)
      bench.passWithWall(.seconds(61))

      let line = RequestLine(method: "GET", url: url, headers: [])
      bench.ask(.decide(2, .replace(line), asks: nil), as: client)

      #expect(bench.deeds.starts.map { $0.resume?.offset } == [goesOn ? 7 : nil])
      #expect(bench.deeds.contains(.discard(TransferID(1))) == !goesOn)
    }
  }

  @Test(arguments: [
    RequestLine(method: "GET", url: "ftp://b.example/new", headers: []),
    RequestLine(method: "GET", url: "https://b.example/new", headers: [HTTPField("Authorization", "Bearer 1\n")]),
    RequestLine(
      method: "GET", url: "https://b.example/new", headers: [HTTPField("X", String(repeating: "y", count: 1 << 20))]),
  ])
  func `fails with a new request that cannot be sent, and its app hears of that`(line: RequestLine) {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))

    let answer = bench.ask(.decide(1, .replace(line), asks: nil), as: client)
    let told = bench.deeds.tasksTold
    let late = bench.ask(.decide(1, .performDefault, asks: nil), as: client)

    #expect(answer == .done && late == .done)
    #expect(bench.failure(1) == .badURL)
    #expect(bench.view(TransferID(1))?.failure?.detail.hasPrefix("the request in its place ") == true)
    #expect(told == [1])
    #expect(bench.deeds.starts.isEmpty)
  }

  @Test func `after it has begun has all of its resource timeout from the date on`() {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.made(1)
    request.resourceTimeout = .seconds(3600)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))
    var later = TaskChanges()
    later.earliestBegin = Timestamp(seconds: bench.wall.seconds + 7200)
    bench.ask(.update("main", task: 1, later), as: client)

    let done = bench.passWithWall(.seconds(7201))

    #expect(done.starts.map(\.attempt) == [2])
    #expect(bench.failure(1) == nil)
  }

  @Test(arguments: [false, true], [3590, 7200] as [Int64])
  func `has all of its resource timeout from the date on, though no daemon ran then`(hasBegun: Bool, delay: Int64) {
    var (bench, client) = Bench.withRunningApp()
    var (request, date) = (TransferRequest.made(1), Timestamp(seconds: bench.wall.seconds + delay))
    request.resourceTimeout = .seconds(3600)
    if !hasBegun { request.options.earliestBegin = date }
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    if hasBegun {
      bench.send(.transfer(TransferID(1), attempt: 1, .failed(lost, retryAfter: nil)))
      var later = TaskChanges()
      later.earliestBegin = date
      bench.ask(.update("main", task: 1, later), as: client)
    }

    bench.boot += .seconds(delay + 5)
    bench.wall = Timestamp(seconds: bench.wall.seconds + delay + 5)
    bench.restart()
    bench.wall = Timestamp(seconds: date.seconds + 86_400)  // The machine is off for a day.
    bench.restart(boot: BootID("second"))
    bench.pass(.seconds(3500))
    let early = bench.failure(1)
    bench.pass(.seconds(100) + bench.limits.answerTimeout)

    #expect(bench.rows.memory.transfers.map(\.born) == [Age(.seconds(delay))])
    #expect(early != .resourceTimedOut)
    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test func `keeps its resource timeout on a machine that learns the date anew after each boot`() {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.delayed(1)
    request.resourceTimeout = .seconds(3600)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))

    for (boot, date) in [("second", 1_700_010_000), ("third", 1_700_020_000)] as [(String, Int64)] {
      bench.wall = Timestamp(seconds: 5)
      bench.restart(boot: BootID(boot))
      bench.pass(.seconds(600))
      bench.wall = Timestamp(seconds: date)
      bench.send(.awoke)
    }

    #expect(bench.rows.memory.transfers.map(\.born) == [Age(.seconds(60))])
    #expect(bench.deeds.starts.count == 1)
  }

  @Test func `has all of its resource timeout if it has not begun when the date is learned`() {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.delayed(1)
    request.resourceTimeout = .seconds(3600)
    bench.ask(.enqueue(request, isSuspended: false), as: client)

    bench.wall = Timestamp(seconds: 5)
    bench.restart(boot: BootID("second"))
    bench.pass(.seconds(7200))
    bench.wall = Timestamp(seconds: 1_700_010_000)
    bench.send(.awoke)

    #expect(bench.deeds.starts.count == 1)
    #expect(bench.rows.memory.transfers.map(\.born) == [Age(.seconds(7220))])  // The second boot began 20 s earlier.
  }

  @Test func `can be cancelled`() {
    var (bench, client) = Bench.withAskingApp(tasks: 0)
    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))

    bench.ask(.decide(1, .cancel, asks: nil), as: client)

    #expect(bench.failure(1) == .cancelled)
  }

  @Test func `begins unasked where the session does not want to be asked`() {
    var (bench, client) = Bench.withRunningApp()

    bench.ask(.enqueue(.delayed(1), isSuspended: false), as: client)
    bench.passWithWall(.seconds(61))

    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
  }
}

extension TransferRequest {
  fileprivate static func delayed(_ number: UInt64) -> TransferRequest {
    var request = made(number)
    request.options.earliestBegin = Timestamp(seconds: 1_700_000_060)
    return request
  }
}
