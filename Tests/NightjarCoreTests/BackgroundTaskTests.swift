import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `Background tasks` {
  @Test func `keep an app running that has left the foreground, until they end`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    let early = bench.deeds.suspensions

    bench.ask(.endBackgroundTask(1), as: client)

    #expect(early == [])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `have their time again when the daemon was killed meanwhile`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)
    bench.order(.leave)
    bench.restart(adopting: [(farm, life: 1, pid: client.pid)])
    bench.attach(client)
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)

    let early = bench.pass(.seconds(170))

    #expect(early.messages == [] && early.ends == [])
  }

  @Test func `are told shortly before 180 seconds are over, and cost the app its life after them`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    let early = bench.pass(.seconds(174))
    let warned = bench.pass(.seconds(2))
    let late = bench.pass(.seconds(5))

    #expect(early.messages == [] && early.ends == [])
    #expect(warned.messages == [.expireBackgroundTasks] && warned.ends == [])
    #expect(late.messages == [] && late.ends == [false])
    #expect(late.notes.contains { $0.contains("'save'") })
  }

  @Test func `keep 256 bytes of a name, whatever the app calls them`() throws {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: String(repeating: "ä", count: 1_000_000)), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    let late = bench.pass(.seconds(181))

    let words = try #require(late.notes.first { $0.contains("ää") })
    #expect(words.utf8.count < 400 && words.contains("ä…'"))
  }

  @Test func `do not lose the time in which the device sleeps`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    bench.pass(.seconds(100))
    bench.sleep(.hours(8))
    let rest = bench.pass(.seconds(74))
    let warned = bench.pass(.seconds(2))

    #expect(rest.messages == [] && rest.ends == [])
    #expect(warned.messages == [.expireBackgroundTasks])
  }

  @Test func `that begin in an app that was woken have ten seconds`() {
    var (bench, client) = Bench.withSuspendedApp(tasks: 1)
    bench.finish(1)
    bench.ask(.beginBackgroundTask(1, name: "sort"), as: client)
    bench.ask(.acknowledge([1]), as: client)
    bench.ask(.finishEvents("main"), as: client)

    let warned = bench.pass(.seconds(6))
    let late = bench.pass(.seconds(5))

    #expect(warned.messages == [.expireBackgroundTasks] && warned.ends == [])
    #expect(late.ends == [false])
  }

  @Test func `have all the time there is in the foreground`() {
    var (bench, client) = Bench.withRunningApp()

    bench.ask(.beginBackgroundTask(1, name: "play"), as: client)
    let done = bench.pass(.hours(5))

    #expect(done.messages == [] && done.ends == [])
  }

  @Test func `cannot be begun one after the other to run for ever`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "first"), as: client)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)
    bench.pass(.seconds(176))
    bench.ask(.endBackgroundTask(1), as: client)

    let answer = bench.ask(.beginBackgroundTask(2, name: "second"), as: client)

    let isRefused = if case .refused(.invalid("task", _))? = answer { true } else { false }
    #expect(isRefused)
    #expect(bench.deeds.thaws == [])
  }

  @Test func `let an app go on that was just told to stand still`() {
    var (bench, client) = Bench.withSuspendedApp()

    bench.ask(.beginBackgroundTask(1, name: "late"), as: client)
    let thawed = bench.deeds.thaws
    bench.ask(.endBackgroundTask(1), as: client)

    #expect(thawed == [farm])
    #expect(bench.deeds.suspensions == [farm])
  }

  @Test func `are what the app says that it runs for`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.beginBackgroundTask(1, name: "save"), as: client)
    let before = bench.view(farm)?.rights

    bench.order(.leave)
    let leaving = bench.view(farm)?.rights
    bench.ask(.entered(1), as: client)
    bench.pass(.seconds(60))

    #expect(before == [])
    #expect(leaving == [.entering(atMost: .seconds(5)), .tasks(names: "'save'", atMost: .seconds(180))])
    #expect(bench.view(farm)?.rights == [.tasks(names: "'save'", atMost: .seconds(120))])
  }

  @Test func `end with the connection of the process that began them`() {
    var (bench, client) = Bench.withRunningApp()
    let second = Client(farm, pid: 77, connection: 7)
    bench.attach(second)
    bench.ask(.beginBackgroundTask(1, name: "helper's"), as: second)
    bench.order(.leave)
    bench.ask(.entered(1), as: client)

    bench.send(.detached(second.connection))

    #expect(bench.deeds.suspensions == [farm])
  }
}
