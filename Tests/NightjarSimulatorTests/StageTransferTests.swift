import NightjarCore
import NightjarModel
import NightjarSimulator
import TestThreads
import Testing

/// The transfers on a stage: bytes take their time, and stand still when they must.
@Suite(.computing) struct StageTransferTests {
  private let start: Int64 = 1_750_000_000_000
  private let mail = AppID("mail")

  @Test func `a transfer asks its server first, and then takes the time that its bytes take`() {
    var stage = stage()
    stage.ask(.enqueue(request(), isSuspended: false), by: mail)

    let asked = run(&stage, until: start + 1000) { if case .requested = $0 { true } else { false } }
    stage.answer(TransferID(1), attempt: 1, with: .init(offset: 0, length: 60_000, validator: nil))
    let arrived = run(&stage, until: start + 200_000) { if case .arrived = $0 { true } else { false } }

    #expect(asked == start + 100)
    #expect(arrived == start + 60_100)
  }

  @Test func `progress is told now and then, and never for longer than half a minute not`() {
    var stage = stage()
    stage.ask(.enqueue(request(), isSuspended: false), by: mail)
    run(&stage, until: start + 1000) { if case .requested = $0 { true } else { false } }
    stage.answer(TransferID(1), attempt: 1, with: .init(offset: 0, length: 3_600_000, validator: nil))

    var told: [Int64] = []
    run(&stage, until: start + 3_601_000) { cue in
      if case .told(_, .progressed(_, _, let count, _)) = cue { told.append(count) }
      return false
    }

    #expect(told.count == 121)
    #expect(zip(told, told.dropFirst()).allSatisfy { $1 - $0 == 30_000 })
  }

  @Test func `without a network a transfer is stopped at its byte, and goes on there`() {
    var stage = stage()
    stage.ask(.enqueue(request(), isSuspended: false), by: mail)
    run(&stage, until: start + 1000) { if case .requested = $0 { true } else { false } }
    stage.answer(
      TransferID(1), attempt: 1, with: .init(offset: 0, length: 60_000, validator: .entityTag("\"1\"")))
    run(&stage, until: start + 20_100) { _ in false }

    stage.post([.sensed(Conditions(network: .none))])
    run(&stage, until: start + 500_000) { _ in false }
    stage.post([.sensed(Conditions())])
    var order: TransferOrder?
    run(&stage, until: start + 500_100) { cue in
      if case .requested(let found) = cue { order = found }
      return order != nil
    }

    #expect(order?.attempt == 2)
    #expect(order?.resume == ResumePoint(offset: 20_000, validator: .entityTag("\"1\""), length: 60_000))
  }

  @Test func `nothing moves while the device sleeps`() {
    var stage = stage()
    stage.ask(.enqueue(request(), isSuspended: false), by: mail)
    run(&stage, until: start + 1000) { if case .requested = $0 { true } else { false } }
    stage.answer(TransferID(1), attempt: 1, with: .init(offset: 0, length: 60_000, validator: nil))

    run(&stage, until: start + 20_100) { _ in false }
    stage.isAsleep = true
    run(&stage, until: start + 40_100) { _ in false }
    stage.isAsleep = false
    let arrived = run(&stage, until: start + 200_000) { if case .arrived = $0 { true } else { false } }

    #expect(arrived == start + 80_100)
  }

  @Test func `an answer for an attempt that was stopped meanwhile changes nothing`() {
    var stage = stage()
    stage.ask(.enqueue(request(), isSuspended: false), by: mail)
    run(&stage, until: start + 1000) { if case .requested = $0 { true } else { false } }
    stage.ask(.cancel("main", task: 1), by: mail)

    stage.answer(TransferID(1), attempt: 1, with: .init(offset: 0, length: 60_000, validator: nil))
    let arrived = run(&stage, until: start + 200_000) { if case .arrived = $0 { true } else { false } }

    #expect(arrived == nil)
  }

  /// Lets the time pass until something comes up; hands back when it did.
  @discardableResult
  private func run(_ stage: inout Stage, until end: Int64, _ isIt: (Stage.Cue) -> Bool) -> Int64? {
    while true {
      for cue in stage.takeCues() where isIt(cue) { return stage.now }
      guard stage.now < end else { return nil }
      stage.pass(until: end)
    }
  }

  private func request() -> TransferRequest {
    TransferRequest(
      key: RequestKey(high: 1, low: 2), app: mail, session: "main", task: 1, url: "https://mail.example/1")
  }

  /// A stage with an app in the foreground that has a session open; a thousand bytes move in a second.
  private func stage() -> Stage {
    let app = InstalledApp(id: mail, displayName: "Mail", kind: .bundle(path: "/a", executable: "/a/b"))
    var stage = Stage(apps: [app], at: start, seed: 1)
    stage.bytesPerSecond = 1000
    stage.order(.launch(mail, arguments: []))
    stage.attach(mail)
    stage.ask(.openSession("main", sendsLaunchEvents: true), by: mail)
    _ = stage.takeCues()
    return stage
  }
}
