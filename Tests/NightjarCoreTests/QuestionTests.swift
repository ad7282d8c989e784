import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A question` {
  @Test func `holds its transfer until the app has answered, and the next attempt knows the answer`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)

    bench.askFor(.password())
    let state = bench.view(TransferID(1))?.state
    let asked = bench.deeds.questions
    bench.ask(.decide(1, .use(secret, isRemembered: false), asks: nil), as: client)

    #expect(state == .asking)
    #expect(asked == [.init(number: 1, session: "main", task: 1, question: .challenge(.password()))])
    #expect(bench.deeds.starts.map(\.attempt) == [2])
    #expect(
      bench.deeds.starts.first?.answers == [Answered(Challenge.password().subject, .use(secret, isRemembered: false))])
  }

  @Test func `gives up its transfer's place`() {
    var limits = Limits()
    limits.runningMax = 1
    var (bench, _) = Bench.withAskingApp(tasks: 2, limits: limits)

    bench.askFor(.password())

    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `is not put twice for one answer that serves the whole session`() {
    var (bench, client) = Bench.withAskingApp(tasks: 3)
    for id in 1...3 as ClosedRange<Int64> { bench.askFor(.password(), by: id) }
    let more = bench.deeds.questions

    bench.ask(.decide(1, .use(secret, isRemembered: true), asks: nil), as: client)

    #expect(more == [])
    #expect(bench.deeds.starts.map(\.id) == [1, 2, 3].map { TransferID($0) })
    #expect(bench.deeds.starts.allSatisfy { $0.answers.map(\.decision) == [.use(secret, isRemembered: true)] })
    #expect(bench.deeds.questions == [])
  }

  @Test func `is put for the next transfer when the answer was for one only`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.password(), by: 1)
    bench.askFor(.password(), by: 2)

    bench.ask(.decide(1, .use(secret, isRemembered: false), asks: nil), as: client)

    #expect(bench.deeds.starts.map(\.id) == [TransferID(1)])
    #expect(bench.deeds.questions.map(\.task) == [2])
  }

  @Test func `that was answered while its attempt ran is not put`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.password(), by: 1)
    bench.ask(.decide(1, .use(secret, isRemembered: true), asks: nil), as: client)

    bench.askFor(.password(), by: 2)

    #expect(bench.deeds.questions == [])
    #expect(bench.deeds.starts.map(\.attempt) == [2])
  }

  @Test func `is put again when its session's decisions are forgotten`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.password(), by: 1)
    bench.ask(.decide(1, .use(secret, isRemembered: true), asks: nil), as: client)

    bench.ask(.forgetDecisions("main"), as: client)
    bench.askFor(.password(), by: 2)

    #expect(bench.deeds.questions.map(\.task) == [2])
  }

  @Test func `comes again when the answer was wrong, and says so`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.password())
    bench.ask(.decide(1, .use(secret, isRemembered: true), asks: nil), as: client)

    bench.askFor(.password(failures: 1), attempt: 2)
    let again = bench.deeds.questions
    bench.ask(.decide(2, .use(otherSecret, isRemembered: true), asks: nil), as: client)

    #expect(again.map(\.question) == [.challenge(.password(failures: 1))])
    #expect(again.map(\.number) == [2])
    #expect(
      bench.deeds.starts.first?.answers
        == [Answered(Challenge.password().subject, .use(otherSecret, isRemembered: true), previousFailures: 1)])
  }

  @Test func `is answered once: what comes later or under another number changes nothing`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.password())
    bench.ask(.decide(1, .use(secret, isRemembered: false), asks: nil), as: client)

    let late = bench.ask(.decide(1, .cancel, asks: nil), as: client)
    let stray = bench.ask(.decide(77, .cancel, asks: nil), as: client)

    #expect(late == .done && stray == .done)
    #expect(bench.view(TransferID(1))?.state == .running)
  }

  @Test func `is not settled by an acknowledgement`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.password())

    bench.ask(.acknowledge([1]), as: client)
    bench.ask(.reportDamage(1), as: client)

    #expect(bench.view(TransferID(1))?.state == .asking)
  }

  @Test func `launches its app without waiting for the rest of the session`() {
    var bench = Bench.withEndedAppThatIsAsked(tasks: 2)

    bench.askFor(.password())
    let launches = bench.deeds.launches.map(\.isBackground)
    let client = bench.attachInBackground(life: 2, connection: 2)
    let woken = bench.deeds.messages
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)

    #expect(launches == [true])
    #expect(woken == [.handleEvents(session: "main")])
    #expect(bench.deeds.questions.map(\.task) == [1])
    #expect(bench.deeds.messages.last == .eventsFinished(session: "main"))
  }

  @Test func `keeps the app running until it is answered`() {
    var bench = Bench.withEndedAppThatIsAsked(tasks: 1)
    bench.askFor(.password())
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)

    bench.ask(.finishEvents("main"), as: client)
    let early = bench.deeds.suspensions
    bench.ask(.decide(1, .use(secret, isRemembered: false), asks: nil), as: client)

    #expect(early == [])
    #expect(bench.deeds.suspensions == [farm])
    #expect(bench.deeds.starts.map(\.attempt) == [2])
  }

  @Test func `that crashes its app three times is parked, and put again when a person launches the app`() {
    var bench = Bench.withEndedAppThatIsAsked(tasks: 1)
    bench.askFor(.password())
    bench.crashWhenAsked()

    let idle = bench.pass(.hours(2)).launches
    bench.order(.launch(farm, arguments: []))
    let client = bench.attachInBackground(life: 5, connection: 9)
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)

    #expect(idle == [])
    #expect(bench.deeds.questions.map(\.task) == [1])
    #expect(bench.rows.memory.wakes == [])
  }

  @Test func `that is parked lets the next in line be put`() {
    var bench = Bench.withEndedAppThatIsAsked(tasks: 2)
    for id in 1...2 as ClosedRange<Int64> { bench.askFor(.password(), by: id) }
    bench.crashWhenAsked()

    let client = bench.attachInBackground(life: 5, connection: 9)
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)

    #expect(bench.deeds.questions.map(\.task) == [2])
  }

  @Test func `that stood in line has all its time from when its app hears it`() {
    var (bench, _) = Bench.withAskingApp(tasks: 2)
    for id in 1...2 as ClosedRange<Int64> { bench.askFor(.password(), by: id) }
    let inLine = bench.view(TransferID(2))?.verdict

    let asked = bench.pass(Limits().questionTimeout).questions
    let heard = bench.view(TransferID(2))?.verdict
    let early = bench.pass(Limits().questionTimeout - .seconds(1)).starts
    let late = bench.pass(.seconds(1)).starts

    #expect(asked.map(\.task) == [2])
    #expect(inLine == .waits(.answer(.challenge(.password())), atMost: nil))
    #expect(heard == .waits(.answer(.challenge(.password())), atMost: Limits().questionTimeout))
    #expect(!early.map(\.id).contains(TransferID(2)) && late.map(\.id).contains(TransferID(2)))
  }

  @Test func `without an answer by its deadline takes the default course`() {
    var (bench, _) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.password(), by: 1)
    bench.askFor(.certificate, by: 2)

    bench.pass(Limits().questionTimeout)

    #expect(bench.deeds.starts.map(\.answers) == [[Answered(Challenge.password().subject, .performDefault)]])
    #expect(bench.failure(2) == .certificateUntrusted)
    #expect(bench.deeds.tasksTold == [2])
  }

  @Test func `keeps its deadline for the time in which somebody can answer: sleep and standstills do not count`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    for id in 1...2 as ClosedRange<Int64> { bench.askFor(.password(), by: id) }

    bench.sleep(.hours(25))
    let start = bench.moment
    bench.boot += .hours(25)
    bench.supervisor.giveBack(from: start, to: bench.moment)
    bench.send(.awoke)
    bench.ask(.decide(1, .use(secret, isRemembered: false), asks: nil), as: client)
    let answered = bench.deeds.starts.map(\.answers)
    let early = bench.pass(Limits().questionTimeout - .seconds(1)).starts
    let late = bench.pass(.seconds(1)).starts

    #expect(answered == [[Answered(Challenge.password().subject, .use(secret, isRemembered: false))]])
    #expect(early.filter { $0.id == TransferID(2) } == [])
    #expect(late.map(\.id).contains(TransferID(2)))  // Nobody reports on the other, so it begins again.
  }

  @Test func `does not outlast its transfer's resource timeout`() {
    var limits = Limits()
    limits.questionTimeout = .days(30)
    var (bench, _) = Bench.withAskingApp(tasks: 1, limits: limits)
    bench.askFor(.password())

    bench.pass(.days(7))

    #expect(bench.failure(1) == .resourceTimedOut)
  }

  @Test func `is forgotten by a crash of the daemon, and put anew under a new number`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.password())

    bench.restart()
    let started = bench.deeds.starts
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)
    bench.ask(.decide(1, .cancel, asks: nil), as: client)
    bench.askFor(.password(), attempt: 2)

    #expect(started.map(\.attempt) == [2])
    #expect(started.first?.asks == Asks(credentials: true, delays: true))
    #expect(bench.deeds.questions.map(\.number) == [2])
  }

  @Test func `goes with a transfer that is cancelled, and is put again for one that was suspended`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.password(realm: "one"), by: 1)
    bench.askFor(.password(realm: "two"), by: 2)

    bench.ask(.cancel("main", task: 1), as: client)
    let told = bench.deeds.tasksTold
    bench.ask(.suspend("main", task: 2), as: client)
    bench.ask(.decide(2, .cancel, asks: nil), as: client)
    bench.ask(.resume("main", task: 2), as: client)

    #expect(told == [1])
    #expect(bench.deeds.starts.map(\.id) == [TransferID(2)])
  }

  @Test func `is told again to a client that came back`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.password())
    bench.send(.detached(client.connection))

    client.connection = ConnectionID(2)
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)

    #expect(bench.deeds.questions.map(\.number) == [1])
  }

  @Test func `is explained`() {
    var (bench, _) = Bench.withAskingApp(tasks: 1)

    bench.askFor(.password())

    #expect(
      bench.view(TransferID(1))?.verdict
        == .waits(.answer(.challenge(.password())), atMost: Limits().questionTimeout))
  }

  @Test(arguments: [
    (Decision.use(.trust, isRemembered: true), nil as TransferFailure.Code?), (.performDefault, .certificateUntrusted),
    (.reject, .certificateUntrusted), (.cancel, .cancelled), (.use(secret, isRemembered: true), .certificateUntrusted),
  ])
  func `about a certificate that is not trusted is decided by trust alone`(
    decision: Decision, failure: TransferFailure.Code?
  ) {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.certificate)

    bench.ask(.decide(1, decision, asks: nil), as: client)

    #expect(bench.failure(1) == failure)
    #expect(bench.deeds.starts.count == (failure == nil ? 1 : 0))
  }

  @Test func `about another certificate of the same host is put again`() {
    var (bench, client) = Bench.withAskingApp(tasks: 2)
    bench.askFor(.certificate, by: 1)
    bench.ask(.decide(1, .use(.trust, isRemembered: true), asks: nil), as: client)

    var changed = Challenge.certificate
    changed.chain = [[9, 9]]
    bench.askFor(changed, attempt: 2, by: 1)

    #expect(bench.deeds.questions.map(\.question) == [.challenge(changed)])
  }

  @Test func `that its session need not be asked is not`() {
    var (bench, client) = Bench.withAskingApp(tasks: 1)
    bench.askFor(.certificate)

    bench.ask(.decide(1, .use(.trust, isRemembered: true), asks: Asks(delays: true)), as: client)

    #expect(bench.deeds.starts.map(\.asks) == [Asks(delays: true)])
    #expect(bench.rows.memory.sessions.map(\.asks) == [Asks(delays: true)])
  }

  @Test func `shows no secret`() {
    let decision = Decision.use(.password(user: "anna", password: "hunter2"), isRemembered: true)
    let answered = Answered(Challenge.password().subject, decision)

    var dumped = ""
    dump(answered, to: &dumped)
    let texts = ["\(answered)", String(reflecting: answered), dumped]

    #expect(texts.allSatisfy { !$0.contains("hunter2") && !$0.contains("anna") })
  }
}

private let secret = Credential.password(user: "me", password: "it")
private let otherSecret = Credential.password(user: "me", password: "other")

extension Challenge {
  fileprivate static func password(realm: String = "films", failures: Int = 0) -> Challenge {
    let space = ProtectionSpace(method: .basic, host: "a.example", port: 443, isSecure: true, realm: realm)
    return Challenge(space: space, previousFailures: failures)
  }

  fileprivate static let certificate = Challenge(
    space: ProtectionSpace(method: .serverTrust, host: "a.example", port: 443, isSecure: true), chain: [[1, 2, 3]],
    distrust: TransferFailure(.certificateUntrusted, "nobody vouches for it"))
}

extension Bench {
  /// An app that runs and is asked, with so many tasks under way.
  static func withAskingApp(tasks: UInt64, limits: Limits = Limits()) -> (Bench, Client) {
    var (bench, client) = withRunningApp(limits: limits)
    bench.ask(
      .openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true, delays: true)), as: client)
    for number in 0..<tasks { bench.ask(.enqueue(.made(number + 1), isSuspended: false), as: client) }
    return (bench, client)
  }

  fileprivate static func withEndedAppThatIsAsked(tasks: UInt64) -> Bench {
    var (bench, client) = withAskingApp(tasks: tasks)
    bench.send(.detached(client.connection))
    bench.send(.app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))
    return bench
  }

  /// The app crashes over what it is asked in three lives, from the second on.
  fileprivate mutating func crashWhenAsked() {
    for life in 2...4 {
      let client = attachInBackground(life: life, connection: UInt64(life))
      ask(.openSession("main", sendsLaunchEvents: true, asks: Asks(credentials: true)), as: client)
      send(.detached(client.connection), .app(farm, life: life, .exited(status: "crashed", isCrash: true)))
      pass(.seconds(10))
    }
  }

  fileprivate mutating func askFor(_ challenge: Challenge, attempt: Int = 1, by id: Int64 = 1) {
    send(.transfer(TransferID(id), attempt: attempt, .asked(.challenge(challenge))))
  }
}

extension [Deed] {
  var questions: [Message.Asked] {
    messages.compactMap { if case .asked(let asked) = $0 { asked } else { nil } }
  }
}
