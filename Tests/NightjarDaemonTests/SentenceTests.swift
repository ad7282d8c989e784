import NightjarModel
import Testing

@testable import NightjarCore
@testable import NightjarDaemon

/// What people are told of transfers.
@Suite struct SentenceTests {
  private static func view(_ verdict: Verdict, _ state: TransferView.State, _ failure: TransferFailure) -> TransferView
  {
    TransferView(
      id: TransferID(7),
      request: TransferRequest(key: RequestKey(high: 1, low: 2), app: .commandLine, url: "http://h/a"),
      state: state, count: 0, expected: nil, attempts: 3, response: nil, file: nil, failure: failure, verdict: verdict,
      keptFor: nil)
  }

  @Test func `what is delivered only when somebody says so says what to do, and what is tried again says when`() {
    let failure = TransferFailure(.destinationExists, "something stands at /a already; move it away")
    let (stands, goesOn) = (
      Verdict.waits(.delivery(failure), atMost: nil), Verdict.waits(.delivery(failure), atMost: .seconds(30))
    )

    let words = "Its file is finished and could not be delivered: something stands at /a already; move it away"
    #expect(
      Self.view(stands, .delivering, failure).sentences == [
        "\(words). Once that is mended: nightjar transfers resume 7."
      ])
    #expect(Self.view(goesOn, .delivering, failure).sentences == ["\(words), in 30 s at the latest."])
  }

  @Test func `a host that has asked for a pause is named, with the end of it`() {
    let verdict = Verdict.waits(.throttled(host: "h.example"), atMost: .seconds(30))

    #expect(
      Self.view(verdict, .queued, TransferFailure(.cancelled, "")).sentence
        == "It begins once the pause is over that h.example has asked for, in 30 s at the latest.")
  }

  @Test func `a program that has not attached is not said to be told`() {
    let failure = TransferFailure(.cancelled, "cancelled")
    let installed = InstalledApp(id: AppID("tool"), displayName: "tool", kind: .program(relaunch: ["tool"]))
    let verdict = Verdict.waits(.unattached(pid: 50), atMost: nil)
    let app = AppView(
      installed: installed, state: .launching, transfers: 1, waiting: 1, verdict: verdict, hasCrashed: false,
      card: Card())

    #expect(
      Self.view(verdict, .failed, failure).sentences == [
        "Its program was started (pid 50) and is not attached; its events wait for that.",
        "The transfer itself has failed: cancelled.",
      ])
    #expect(
      app.sentences == [
        "It was started (pid 50) and is not attached; its events wait for that.",
        "1 event waits to be acknowledged by it.",
      ])
  }

  @Test(arguments: [.nextLaunch, .restOfSession(count: 2), .parked(crashes: 3)] as [Verdict.Reason])
  func `a failure that its app has yet to be told of says what failed`(reason: Verdict.Reason) {
    let failure = TransferFailure(.badRedirect, "h redirects to nowhere")

    let sentences = Self.view(.waits(reason, atMost: nil), .failed, failure).sentences

    #expect(sentences.count == 2)
    #expect(sentences.last == "The transfer itself has failed: h redirects to nowhere.")
  }

  @Test func `an end that is not collected says when it is removed, also while its program fails to start`() {
    let failure = TransferFailure(.cancelled, "cancelled")
    let fails = Verdict.waits(.launchBackOff(detail: "exited 1", attempts: 3), atMost: .seconds(20))
    let views = [fails, .waits(.nextLaunch, atMost: nil), .waits(.telling, atMost: nil)].map { verdict in
      var view = Self.view(verdict, .failed, failure)
      view.keptFor = .seconds(90_000)
      return view.sentence
    }

    #expect(
      views == [
        "Its app is launched again to be told; the last 3 times it exited 1, in 20 s at the latest. "
          + "Uncollected, it is removed in 1 d 1 h.",
        "Its app is told at the next launch, as its session asked for. Uncollected, it is removed in 1 d 1 h.",
        "Its app is being told. Uncollected, it is removed in 1 d 1 h.",
      ])
  }

  @Test func `what is tried ever more rarely says why`() {
    let failure = TransferFailure(.connectionLost, "h closed the connection")
    let verdict = Verdict.waits(.backOff(failure, attempts: 12, inVain: 11), atMost: .seconds(600))

    #expect(
      Self.view(verdict, .waiting, failure).sentences == [
        "It is tried again, ever more rarely since nothing of 11 attempts could be kept, "
          + "after attempt 12 failed (connectionLost: h closed the connection), in 10 min at the latest."
      ])
  }

  @Test func `what waits for the staging area says that it goes on by itself`() {
    let failure = TransferFailure(.cannotWrite, "the staging folder /s cannot be written: Read-only file system")
    let verdict = Verdict.waits(.backOff(failure, attempts: 1, inVain: 0), atMost: .seconds(30))

    #expect(
      Self.view(verdict, .waiting, failure).sentences == [
        "It is tried again after attempt 1 failed (cannotWrite: \(failure.detail)), "
          + "and goes on once that is mended, in 30 s at the latest."
      ])
  }

  @Test func `bytes that were announced are not said to lie in the staging area already`() {
    let verdict = Verdict.waits(.stagedBytes(21, limit: 20), atMost: nil)

    #expect(
      Self.view(verdict, .queued, TransferFailure(.cancelled, "")).sentence
        == "It waits for room: 21 bytes lie in the staging area or are about to come for its app, which may have 20.")
  }

  @Test(arguments: [
    (1, "the other running transfer of its session ends"), (2, "the 2 other running transfers of its session end"),
  ])
  func `an app that waits for the rest of its session is told of how many`(count: Int, words: String) {
    let failure = TransferFailure(.cancelled, "cancelled")
    let verdict = Verdict.waits(.restOfSession(count: count), atMost: nil)

    #expect(Self.view(verdict, .failed, failure).sentences.first == "Its app is told when \(words).")
  }

  @Test func `the failure after which it is tried again is told once`() {
    let failure = TransferFailure(.connectionLost, "h closed the connection")
    let verdict = Verdict.waits(.backOff(failure, attempts: 3, inVain: 0), atMost: .seconds(5))

    #expect(Self.view(verdict, .waiting, failure).sentences.count == 1)
    #expect(
      Self.view(.allowed, .running, failure).sentences.last
        == "The last attempt failed with connectionLost: h closed the connection.")
  }
}
