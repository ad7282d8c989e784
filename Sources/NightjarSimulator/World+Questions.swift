import NightjarCore
import NightjarModel

/// Servers that challenge, and apps that answer: soon, late, twice, differently the second time, or never.
extension World {
  /// The challenge of an attempt's server; nil if it has none.
  ///
  /// One server in three challenges. It accepts the right password, and now and then challenges again.
  mutating func challenge(to attempt: Engine.Attempt) -> Challenge? {
    guard attempt.request.key.low % 3 == 0 else { return nil }
    let isSecret = attempt.request.key.low % 2 == 0
    let space = ProtectionSpace(
      method: isSecret ? .serverTrust : .digest, host: attempt.host, port: 443, isSecure: true,
      realm: isSecret ? nil : "things")
    var challenge = Challenge(space: space)
    if isSecret {
      challenge.chain = [[1, 2, 3]]
      challenge.distrust = TransferFailure(.certificateUntrusted, "made up")
    }
    guard let known = attempt.answers.first(where: { $0.subject == challenge.subject }) else { return challenge }
    switch known.decision {
    case .use where isSecret || dice.falls(900): return nil
    case .use:
      challenge.previousFailures = known.previousFailures + 1
      return challenge
    case .performDefault, .reject, .cancel, .replace: return nil
    }
  }

  /// Handles a question that has arrived.
  mutating func take(_ asked: Message.Asked, _ index: Int) {
    guard !hangs(index, before: 1) else { return }
    plan(.stepped(pid: processes[index].pid, .decide(asked.number)), in: dice.draw(1...4_000))
    if dice.falls(faults.engineUnrest) {
      plan(.stepped(pid: processes[index].pid, .decide(asked.number)), in: dice.draw(1...90_000))
    }
  }

  mutating func decide(_ number: Int64, _ index: Int) {
    if dice.falls(faults.appCrash / 2), processes[index].isLaunched { return exit(processes[index].pid, isCrash: true) }
    let key = Credential.password(user: "me", password: "it")
    let decision: Decision =
      switch dice.below(20) {
      case 0: .performDefault
      case 1: .reject
      case 2: .cancel
      case 3...10: .use(key, isRemembered: true)
      case 11...15: .use(key, isRemembered: false)
      default: .use(.trust, isRemembered: true)
      }
    call(.decide(number, decision, asks: nil), index)
  }

  /// Whether an app has a transfer that asks.
  func asks(_ app: AppID) -> Bool {
    disk.transfers.keys.contains {
      disk.transfers[$0]?.request.app == app && supervisor?.view(of: $0, at: device.moment)?.state == .asking
    }
  }

  /// Checks that a question goes to its own app, under a number that was never used for another question and has no
  /// answer yet.
  mutating func checkAsked(_ asked: Message.Asked, on id: ConnectionID) {
    guard let app = connections[id]?.app else { return }
    let session = SessionID(app: app, identifier: asked.session)
    guard
      let row = disk.transfers.values.first(where: { $0.request.sessionID == session && $0.request.task == asked.task })
    else {
      guard isLone else { return }  // Of several events in a turn one may have cancelled the task.
      return fail("question \(asked.number) is about task \(asked.task) of \(session), which is not there")
    }
    if asked.number > disk.counters.wake { fail("question \(asked.number) is told before its number is saved") }
    if let other = watch.asked.updateValue(row.request.key, forKey: asked.number), other != row.request.key {
      fail("question \(asked.number) is about two transfers")
    }
    if disk.wakes[asked.number] != nil { fail("number \(asked.number) is a question's and an event's") }
    if watch.decided.contains(asked.number) { fail("question \(asked.number) is told again after its answer") }
  }
}
