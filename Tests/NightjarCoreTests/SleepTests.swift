import NightjarModel
import Testing

@testable import NightjarCore

/// What becomes of deadlines in which the device sleeps.
@Suite struct `A device that sleeps` {
  @Test func `takes no time from an app that is at its events, and no more is given back`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)
    bench.pass(.seconds(20))

    bench.sleep(.hours(8))
    let slept = bench.deeds.ends
    let early = bench.pass(.seconds(9)).ends
    let late = bench.pass(.seconds(2)).ends

    #expect(slept == [] && early == [])
    #expect(late == [false])
  }

  @Test func `takes none either by many short naps`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    let client = bench.attachInBackground(life: 2, connection: 2)
    bench.ask(.openSession("main", sendsLaunchEvents: true), as: client)

    var slept: [Bool] = []
    for _ in 1...100 {
      bench.sleep(.milliseconds(900))
      slept += bench.deeds.ends
    }
    let early = bench.pass(.seconds(28)).ends
    let late = bench.pass(.seconds(3)).ends

    #expect(slept == [] && early == [])
    #expect(late == [false])
  }

  @Test func `takes none from an app that is launched, or ends`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.finish(1)
    bench.sleep(.hours(8))
    let launched = bench.deeds.ends
    bench.send(.app(farm, life: 2, .launched(pid: 102)))
    bench.order(.terminate(farm))

    bench.sleep(.hours(8))

    #expect(launched == [])
    #expect(bench.deeds.ends == [])
    #expect(bench.pass(.seconds(6)).ends == [false])
  }

  @Test func `is given back once what it sleeps while the database cannot be written`() {
    var (bench, client) = Bench.withSuspendedApp(tasks: 1)
    bench.finish(1)
    let start = bench.moment
    bench.boot += .hours(1)
    bench.slept += .hours(1)
    bench.supervisor.giveBack(from: start, to: bench.moment)
    bench.ask(.acknowledge([1]), as: client)

    let early = bench.pass(.seconds(29)).ends
    let late = bench.pass(.seconds(2)).ends

    #expect(early == [] && late == [false])
  }

  @Test func `breaks off no attempt for its silence, which only goes on afterwards`() {
    var bench = Bench()
    bench.queue(1)

    bench.sleep(.hours(4))
    let slept = bench.phase(1)
    bench.pass(.minutes(3))

    #expect(slept == .running)
    #expect(bench.phase(1) == .stopping)
  }

  @Test func `ends no timeout of a transfer later for that`() {
    var bench = Bench()
    bench.queue(1, timeout: .hours(3))

    bench.sleep(.hours(4))

    #expect(bench.phase(1) == .stopping)
  }
}
