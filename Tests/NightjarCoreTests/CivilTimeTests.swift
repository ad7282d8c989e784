import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A significant time change` {
  @Test func `is told a running app at midnight by its clocks, for which the daemon is woken`() {
    var (bench, _) = Bench.withRunningApp()  // At 22:13 in UTC.
    bench.send(.located(ZoneRules(name: "Berlin", offset: 3600)))

    let before = bench.passWithWall(.seconds(46 * 60)).messages
    let midnight = bench.passWithWall(.seconds(60)).messages
    let after = bench.passWithWall(.seconds(86_000)).messages

    #expect(before == [])
    #expect(midnight == [.significantTimeChange])
    #expect(after == [])
  }

  @Test func `is told a suspended app once when it runs again, however many there were`() {
    var (bench, client) = Bench.withRunningApp()
    bench.suspend(client)

    let asleep = bench.passWithWall(.seconds(3 * 86_400)).messages
    bench.order(.launch(farm, arguments: []))
    let again = bench.deeds.messages

    #expect(asleep == [])
    #expect(again == [.significantTimeChange, .enterForeground])
  }

  @Test func `is another time zone, the change for the season, or a clock that is set to another day`() {
    var (bench, _) = Bench.withRunningApp()
    let summer = ZoneRules.Change(at: bench.wall.seconds + 600, offset: 7200)

    let zone = bench.send(.located(ZoneRules(name: "Berlin", offset: 3600, changes: [summer]))).messages
    let season = bench.passWithWall(.seconds(600)).messages
    bench.wall = Timestamp(seconds: bench.wall.seconds + 400 * 86_400)
    let set = bench.send(.awoke).messages

    #expect([zone, season, set] == Array(repeating: [.significantTimeChange], count: 3))
  }

  @Test func `is foreseen by the rules of the place that the device is in by now`() {
    var (bench, _) = Bench.withRunningApp()
    let winter = ZoneRules.Change(at: bench.wall.seconds + 600, offset: -3600)

    bench.send(.located(ZoneRules(name: "London", offset: 0, changes: [winter])))

    #expect(bench.supervisor.civilTime.next == Timestamp(seconds: winter.at))
  }

  @Test func `is foreseen where clocks are set back at midnight, or a change changes nothing`() {
    let start = Timestamp(seconds: 1_700_000_000)  // 22:13 in UTC.
    let midnight = start.seconds + 6400
    let nothing = ZoneRules.Change(at: start.seconds + 60, offset: 0)
    let back = ZoneRules.Change(at: midnight, offset: -3600)
    let rules = ZoneRules(name: "Havana", offset: 0, changes: [nothing, back])
    var time = CivilTime(at: start, rules)
    var changes: [Int64] = []

    while let next = time.next, next.seconds < midnight + 90_000, changes.count < 9 {
      let (before, isNew) = (time.next, time.advance(to: next, rules))
      #expect(time.next != before)
      if isNew { changes.append(next.seconds - midnight) }
    }

    #expect(changes == [0, 3600])  // The clocks are set back, and the day begins after all.
  }

  @Test func `is no news for a process that comes later, and wakes no daemon without apps`() {
    var bench = Bench.withApp()
    let idle = bench.supervisor.nextLook
    bench.passWithWall(.seconds(86_400))

    bench.order(.launch(farm, arguments: []))
    bench.send(.app(farm, life: 2, .launched(pid: 43)))
    bench.attach(Client(farm, pid: 43, connection: 2))
    let later = bench.deeds.messages

    #expect(idle == nil)
    #expect(!later.contains(.significantTimeChange))
  }
}
