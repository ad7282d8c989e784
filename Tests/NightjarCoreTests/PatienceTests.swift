import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `An app that a debugger holds up` {
  @Test func `is not killed for its deadlines, and its log and why say so, once`() {
    var (bench, _) = Bench.withRunningApp()
    bench.tracer = 77
    bench.order(.leave)

    let passed = bench.pass(.minutes(10))

    #expect(passed.ends == [])
    #expect(passed.notes == ["is traced by process 77: its deadlines stand still"])
    #expect(bench.view(farm)?.tracer == 77)
    #expect(bench.view(farm)?.state == .background)
  }

  @Test func `has the whole of its time once the debugger has let it go`() {
    var (bench, client) = Bench.withRunningApp()
    bench.tracer = 77
    bench.order(.leave)
    bench.pass(.minutes(1))

    bench.tracer = nil
    let free = bench.pass(.seconds(9))
    bench.ask(.entered(1), as: client)

    #expect(free.ends == [] && free.notes.contains("is no longer traced: its deadlines begin anew"))
    #expect(bench.deeds.suspensions == [farm])
    #expect(bench.view(farm)?.tracer == nil)
  }

  @Test func `is killed if it then does not do what it owes`() {
    var (bench, _) = Bench.withRunningApp()
    bench.tracer = 77
    bench.order(.leave)
    bench.pass(.minutes(1))

    bench.tracer = nil

    #expect(bench.pass(.seconds(11)).ends == [false])
  }

  @Test func `is not waited for when nobody says whether it is held up`() {
    var (bench, _) = Bench.withRunningApp()
    bench.answersInspections = false
    bench.order(.leave)

    let early = bench.pass(.milliseconds(5_900)).ends
    let late = bench.pass(.milliseconds(200)).ends

    #expect(early == [] && late == [false])
  }

  @Test func `may take its time to attach as well`() {
    var bench = Bench.withTasksOfEndedApp()
    bench.tracer = 77
    bench.finish(1)
    bench.send(.app(farm, life: 2, .launched(pid: 102)))

    let waited = bench.pass(.minutes(10)).ends
    let client = Client(farm, pid: 102, connection: 2)
    bench.attach(client)

    #expect(waited == [])
    #expect(bench.deeds.messages == [.handleEvents(session: "main")])
  }
}
