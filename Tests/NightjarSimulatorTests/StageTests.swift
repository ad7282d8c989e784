import NightjarCore
import NightjarModel
import NightjarSimulator
import TestThreads
import Testing

@Suite(.computing) struct StageTests {
  private let mail = AppID("dev.example.Mail")
  private let start: Int64 = 1_767_571_200_000

  @Test func `an app that a person opens is launched, and suspended once it has left`() {
    var stage = stage()

    stage.order(.launch(mail, arguments: []))
    stage.attach(mail)
    stage.order(.leave)
    let number = stage.takeCues().compactMap { cue in
      if case .told(_, .enterBackground(let number, _)) = cue { number } else { nil }
    }.first
    stage.ask(.entered(number ?? 0), by: mail)

    let cues = stage.takeCues()
    #expect(cues.contains { if case .suspended(mail) = $0 { true } else { false } })
    #expect(stage.runs(mail))
  }

  @Test func `an app that does not confirm that it has left is ended after its time`() {
    var stage = stage()
    stage.order(.launch(mail, arguments: []))
    stage.attach(mail)
    stage.order(.leave)

    let look = stage.nextLook ?? 0
    while stage.now < start + 60_000 { stage.pass(until: start + 60_000) }

    #expect(look > start && look < start + 60_000)
    #expect(!stage.runs(mail))
  }

  @Test func `an app that is asked to end is heard until it has, and killed if it does not`() {
    var (heard, silent) = (stage(), stage())
    for index in 0...1 {
      var stage = index == 0 ? heard : silent
      stage.order(.launch(mail, arguments: []))
      stage.attach(mail)
      _ = stage.takeCues()
      stage.order(.terminate(mail))
      if index == 0 { heard = stage } else { silent = stage }
    }

    let ticket = heard.ask(.setBadge(1), by: mail)
    heard.exit(mail)
    while silent.now < start + 60_000 { silent.pass(until: start + 60_000) }

    let isEnding = heard.cues.contains { if case .ending(mail) = $0 { true } else { false } }
    let isHeard = heard.cues.contains { if case .answered(ticket, .done) = $0 { true } else { false } }
    #expect(isEnding && isHeard && !heard.runs(mail))
    #expect(!silent.runs(mail))
  }

  @Test func `a device that sleeps wakes nobody, and its awake clock stands still`() {
    var stage = stage()
    stage.order(.launch(mail, arguments: []))
    let awake = stage.moment.awake

    stage.isAsleep = true
    stage.pass(until: start + 3_600_000)

    #expect(stage.now == start + 3_600_000)
    #expect(stage.moment.awake == awake)
    let asleep = stage.nextLook
    #expect(asleep == nil)
  }

  @Test func `the same calls give the same turns`() {
    var (one, other) = (stage(), stage())

    for _ in 0..<3 {
      one.order(.launch(mail, arguments: []))
      other.order(.launch(mail, arguments: []))
    }

    #expect(one.digest == other.digest)
    #expect(one.turns == other.turns)
  }

  private func stage() -> Stage {
    let app = InstalledApp(id: mail, displayName: "Mail", kind: .bundle(path: "/a", executable: "/a/b"))
    return Stage(apps: [app], at: start, seed: 1)
  }
}
