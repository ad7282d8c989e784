import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `What a cancelled or failed download leaves` {
  private let point = ResumePoint(offset: 7, validator: .entityTag("\"a\""), length: 10)
  private let key = RequestKey(high: 7, low: 1)

  /// A task runs, and seven of its bytes are safe.
  private func running() -> (Bench, Client) {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    return (bench, client)
  }

  /// The same, cancelled so that it leaves something; what it left.
  private func cancelled() -> (Bench, Client, Remnant?) {
    var (bench, client) = running()
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))
    guard case .left(let remnant)? = bench.answer(to: ticket) else { return (bench, client, nil) }
    return (bench, client, remnant)
  }

  /// A request for the same URL under another key.
  private func again(_ number: UInt64, url: String = "https://a.example/1") -> TransferRequest {
    var request = TransferRequest.made(number)
    request.url = url
    return request
  }

  @Test(arguments: [false, true])
  func `is kept with its file where an attempt says nothing to its end at the resource timeout`(isCancelled: Bool) {
    var (bench, client) = Bench.withRunningApp()
    var request = TransferRequest.made(1)
    request.resourceTimeout = .seconds(100)
    bench.ask(.enqueue(request, isSuspended: false), as: client)
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(point)))
    bench.pass(.seconds(50))
    if isCancelled {
      bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), bench.ticket()))
    }

    let done = bench.pass(.seconds(51) + bench.limits.answerTimeout)

    #expect(bench.rows.memory.remnants.map(\.transfer) == [TransferID(1)])
    #expect(!done.contains(.discard(TransferID(1))), "\(done)")
  }

  @Test func `is not mixed with what comes of its transfer, though damage is reported of a failure`() {
    var (bench, client) = running()
    bench.send(.transfer(TransferID(1), attempt: 1, .failed(TransferFailure(.badRedirect, "no"), retryAfter: nil)))

    bench.ask(.reportDamage(1), as: client)
    let done = bench.pass(.minutes(1))

    #expect(done.starts.isEmpty)
    #expect(bench.failure(1) == .badRedirect)
    #expect(bench.rows.memory.remnants.map(\.transfer) == [TransferID(1)])
  }

  @Test(arguments: [ControlCall.removeFromSwitcher(farm), .cancel(TransferID(1))])
  func `is left by a task that a person cancels, and told with its end`(call: ControlCall) {
    var (bench, client) = running()
    bench.order(call)
    let stops = bench.deeds.count { $0 == .stop(TransferID(1), attempt: 1) }
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    bench.order(.launch(farm, arguments: []))
    let later = bench.attachInBackground(life: 2, connection: 7)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: later)

    let ends = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    #expect(stops == 1)
    #expect(ends.map(\.remnant?.point) == [point])
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `is told once its attempt has stopped, with what was made safe at last`() {
    var (bench, client) = running()
    let ticket = bench.ticket()
    let further = ResumePoint(offset: 9, validator: .entityTag("\"a\""), length: 10)

    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))
    #expect(bench.answer(to: ticket) == nil)
    #expect(bench.deeds.contains(.stop(TransferID(1), attempt: 1)))
    bench.send(.transfer(TransferID(1), attempt: 1, .checkpointed(further)))
    bench.send(.transfer(TransferID(1), attempt: 1, .stopped))

    guard case .left(let remnant?)? = bench.answer(to: ticket) else { return #expect(Bool(false), "nothing was left") }
    #expect(remnant.point == further && remnant.key == key)
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
    #expect(bench.deeds.tasksTold == [1])
  }

  @Test func `is left by an attempt that never says that it has stopped, and is not begun again`() {
    var (bench, client) = running()
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))

    let done = bench.pass(bench.limits.answerTimeout + .seconds(1))

    #expect(done.starts.isEmpty)
    #expect(done.contains { if case .answer(ticket, .left(.some)) = $0 { true } else { false } })
    #expect(bench.failure(1) == .cancelled)
  }

  @Test func `costs no task its life where the machine dies before the attempt has stopped`() {
    var (bench, client) = running()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), bench.ticket()))

    bench.restart()
    let start = bench.deeds.starts.first
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))
    bench.send(.transfer(TransferID(1), attempt: 2, .stopped))

    #expect(start?.resume == point)
    guard case .left(let remnant?)? = bench.answer(to: ticket) else { return #expect(Bool(false), "nothing was left") }
    #expect(remnant.point == point)
  }

  @Test func `is where another download goes on, once`() {
    var (bench, client, remnant) = cancelled()

    let first = bench.ask(.enqueue(again(2), isSuspended: false, remnant: remnant?.key), as: client)
    let start = bench.deeds.starts.first
    let repeated = bench.ask(.enqueue(again(2), isSuspended: false, remnant: remnant?.key), as: client)
    let second = bench.ask(.enqueue(again(3), isSuspended: false, remnant: remnant?.key), as: client)

    var inherited = point
    inherited.heritage = TransferID(1)
    #expect(first == .resumed(TransferID(2), inherited))
    #expect(start?.resume == inherited)
    #expect(repeated == first)
    #expect(second == .accepted(TransferID(3)))
    #expect(bench.deeds.starts.first?.resume == nil)
  }

  @Test(arguments: [false, true])
  func `is left again by a download that was stopped before it took the file over`(hasTakenOver: Bool) {
    var (bench, client, remnant) = cancelled()
    bench.ask(.enqueue(again(2), isSuspended: false, remnant: remnant?.key), as: client)
    let ticket = bench.ticket()

    bench.send(.called(.cancelKeeping("main", task: 2), by: Caller(app: farm, pid: client.pid), ticket))
    if hasTakenOver { bench.send(.transfer(TransferID(2), attempt: 1, .checkpointed(point))) }
    bench.send(.transfer(TransferID(2), attempt: 1, .stopped))

    guard case .left(let left?)? = bench.answer(to: ticket) else { return #expect(Bool(false), "nothing was left") }
    #expect(left.point == point && left.transfer == TransferID(hasTakenOver ? 2 : 1))
    #expect(!bench.deeds.contains(.discard(left.transfer)))
  }

  @Test func `outlives its transfer, and the daemon`() {
    var (bench, client, remnant) = cancelled()
    bench.ask(.acknowledge([1]), as: client)
    #expect(!bench.deeds.contains(.discard(TransferID(1))))

    bench.restart()
    bench.attach(client)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    #expect(bench.supervisor.remembers(TransferID(1)))
    let answer = bench.ask(.enqueue(again(2), isSuspended: true, remnant: remnant?.key), as: client)
    guard case .resumed? = answer else { return #expect(Bool(false), "it began again: \(String(describing: answer))") }
    #expect(bench.supervisor.remembers(TransferID(1)))
  }

  @Test func `goes after thirty days, with its file`() {
    var (bench, _, _) = cancelled()

    let done = bench.pass(.days(31))

    #expect(done.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.remnants.isEmpty)
  }

  @Test func `is left alone when the transfer goes whose file it lies in, until its heir has it`() {
    var (bench, client, remnant) = cancelled()
    bench.ask(.enqueue(again(2), isSuspended: true, remnant: remnant?.key), as: client)

    bench.ask(.acknowledge([1]), as: client)

    #expect(bench.view(TransferID(1)) == nil)
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
    bench.ask(.resume("main", task: 2), as: client)
    bench.send(.transfer(TransferID(2), attempt: 1, .checkpointed(point)))
    #expect(!bench.supervisor.remembers(TransferID(1)))
  }

  @Test func `is left alone when an heir goes that has left it again`() {
    var (bench, client, remnant) = cancelled()
    bench.ask(.enqueue(again(2), isSuspended: true, remnant: remnant?.key), as: client)
    bench.ask(.cancelKeeping("main", task: 2), as: client)
    bench.ask(.enqueue(again(3), isSuspended: true, remnant: RequestKey(high: 7, low: 2)), as: client)

    bench.ask(.acknowledge([1, 2]), as: client)

    #expect(bench.view(TransferID(2)) == nil && bench.supervisor.remembers(TransferID(1)))
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `who waits for it is answered though the engine says nothing more`() {
    var (bench, client) = running()
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))

    bench.pass(.minutes(11))

    guard case .left(_?)? = bench.answer(to: ticket) else { return #expect(Bool(false), "nothing was left") }
    #expect(bench.view(TransferID(1))?.state == .failed)
  }

  @Test func `who waits for it is answered though its session is closed meanwhile`() {
    var (bench, client) = running()
    let ticket = bench.ticket()
    bench.send(.called(.cancelKeeping("main", task: 1), by: Caller(app: farm, pid: client.pid), ticket))

    bench.ask(.closeSession("main", cancel: true), as: client)

    #expect(bench.answer(to: ticket) == .left(nil))
  }

  @Test func `is not given to a download of another URL, nor to another app`() {
    var (bench, client, remnant) = cancelled()
    let other = Client(tool, pid: 77, connection: 9, relaunch: [])
    bench.attach(other)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: other)
    var foreign = TransferRequest.made(5, app: tool)
    foreign.url = "https://a.example/1"

    let elsewhere = bench.ask(
      .enqueue(again(2, url: "https://a.example/2"), isSuspended: false, remnant: remnant?.key), as: client)
    let stolen = bench.ask(.enqueue(foreign, isSuspended: false, remnant: remnant?.key), as: other)

    for answer in [elsewhere, stolen] {
      guard case .refused(.invalid("remnant", _))? = answer else {
        #expect(Bool(false), "it was taken: \(String(describing: answer))")
        continue
      }
    }
    #expect(bench.rows.memory.remnants.count == 1)
  }

  @Test func `is left by a failure, and told with it`() {
    var (bench, _) = running()

    bench.send(.transfer(TransferID(1), attempt: 1, .failed(TransferFailure(.badRedirect, "no"), retryAfter: nil)))

    let told = bench.deeds.messages.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    #expect(told.map(\.remnant?.point) == [point])
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `is nothing where no version is known`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.enqueue(.made(1), isSuspended: true), as: client)

    let answer = bench.ask(.cancelKeeping("main", task: 1), as: client)

    #expect(answer == .left(nil))
    #expect(bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `is kept by a download that is cancelled before it has begun`() {
    var (bench, client, remnant) = cancelled()
    bench.ask(.enqueue(again(2), isSuspended: true, remnant: remnant?.key), as: client)

    let answer = bench.ask(.cancelKeeping("main", task: 2), as: client)

    guard case .left(let kept?)? = answer else { return #expect(Bool(false), "it is lost") }
    #expect(kept.transfer == TransferID(1) && kept.point == point && kept.key == RequestKey(high: 7, low: 2))
    #expect(!bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `goes with a download that is cancelled for good`() {
    var (bench, client, remnant) = cancelled()
    bench.ask(.enqueue(again(2), isSuspended: true, remnant: remnant?.key), as: client)

    bench.ask(.cancel("main", task: 2), as: client)

    #expect(bench.deeds.contains(.discard(TransferID(1))))
  }

  @Test func `goes with its app`() {
    var (bench, client, _) = cancelled()
    bench.order(.uninstall(farm))

    let done = bench.send(
      .detached(client.connection), .app(farm, life: 1, .exited(status: "exited 0", isCrash: false)))

    #expect(done.contains(.discard(TransferID(1))))
    #expect(bench.rows.memory.remnants.isEmpty)
  }
}
