import CNightjarSpawn
import Glibc
import NightjarModel
import TestThreads
import Testing

@testable import NightjarPlatform

@Suite(.blocking) struct ClockTests {
  @Test func `the clocks agree with the machine's`() throws {
    let clocks = try Clocks()

    let (first, second) = (clocks.now(), clocks.now())

    #expect(first.boot <= second.boot && first.awake <= second.awake && first.awake <= first.boot)
    #expect(first.bootID.rawValue.utf8.count == 36 && first.bootID == second.bootID)
    #expect(abs(first.wall.seconds - Int64(time(nil))) < 60)
  }

  @Test func `an alarm rings for a time that has passed`() throws {
    let (lookout, bell) = (try Lookout(), Doorbell())
    defer { lookout.stop() }
    let alarm = try Alarm(lookout: lookout) { bell.ring() }

    alarm.set(at: .zero)
    #expect(bell.wait())
    alarm.set(at: try Clocks().now().boot - .seconds(1))
    #expect(bell.wait())
  }

  @Test func `an alarm rings no sooner than it was set for`() throws {
    let (lookout, bell, clocks) = (try Lookout(), Doorbell(), try Clocks())
    defer { lookout.stop() }
    let alarm = try Alarm(lookout: lookout) { bell.ring() }
    let due = clocks.now().boot + .milliseconds(20)

    alarm.set(at: .seconds(1 << 40))
    alarm.set(at: nil)
    alarm.set(at: due)

    #expect(bell.wait() && clocks.now().boot >= due)
  }

  @Test(arguments: [false, true])
  func `who is watched for may be the last to hold others who are`(isStopped: Bool) throws {
    let lookout = try Lookout()
    defer { lookout.stop() }
    let bell = try Lookout.descriptor(nightjar_bell(), "eventfd")
    weak var held: Alarm?
    let watch = try {
      let alarm = try Alarm(lookout: lookout) {}
      held = alarm
      return try lookout.watch(bell, for: .readable) { alarm.set(at: nil) }
    }()

    if isStopped { lookout.stop() } else { lookout.cancel(watch) }

    #expect(held == nil)
  }

  @Test func `work is done in order, and none after the end`() throws {
    let (lookout, place) = (try Lookout(), try TestHome())
    let pipe = Pipe(in: place)
    for number in 1...3 { lookout.perform { pipe.say("\(number)") } }
    #expect((1...3).map { _ in pipe.line() } == ["1", "2", "3"])

    lookout.stop()
    lookout.stop()
    lookout.perform { pipe.say("4") }
    pipe.say("5")

    #expect(pipe.line() == "5")
  }
}
