import NightjarModel
import Testing

@testable import NightjarDaemon

/// How the daemon learns that it was stopped for a while.
@Suite struct PunctualityTests {
  private func moment(_ boot: Duration, slept: Duration = .zero) -> Moment {
    Moment(wall: Timestamp(seconds: 1_700_000_000), boot: boot, awake: boot - slept, bootID: BootID("first"))
  }

  /// A daemon whose last turn was at 100 s of boot time, and whose alarm rings at 130 s.
  private func waiting() -> Punctuality {
    var punctuality = Punctuality()
    punctuality.note(moment(.seconds(100)), alarm: .seconds(130))
    return punctuality
  }

  @Test(arguments: [.seconds(101), .seconds(130), .milliseconds(134_900)] as [Duration])
  func `a daemon that is woken before its alarm, by it or a little after it has not stood still`(now: Duration) {
    #expect(waiting().standstill(at: moment(now)) == nil)
    #expect(Punctuality().standstill(at: moment(now)) == nil)
  }

  @Test func `a daemon that is late for its alarm has stood still since its last turn`() {
    #expect(waiting().standstill(at: moment(.hours(1))) == moment(.seconds(100)))
  }

  @Test func `a daemon that was stopped in a turn is late for an alarm that was over when it was set`() {
    var punctuality = waiting()

    punctuality.note(moment(.seconds(140)), alarm: .seconds(139))

    #expect(punctuality.standstill(at: moment(.seconds(144))) == nil)
    #expect(punctuality.standstill(at: moment(.seconds(145))) == moment(.seconds(140)))
  }

  @Test func `a machine that sleeps across the alarm has not kept the daemon from its work`() {
    let (slept, late) = (Duration.hours(8), Duration.hours(8) + .seconds(135))

    #expect(waiting().standstill(at: moment(slept + .seconds(110), slept: slept)) == nil)
    #expect(waiting().standstill(at: moment(late, slept: slept)) == moment(.seconds(100)))
  }
}
