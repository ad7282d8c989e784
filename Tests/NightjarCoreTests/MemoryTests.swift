import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `When memory is short` {
  @Test func `apps that run are told, at most every five seconds, and no other`() {
    var (bench, _) = Bench.withAppsSuspended(1)

    let first = bench.send(.pressed(.warning))
    bench.pass(.seconds(4))
    let early = bench.send(.pressed(.warning))
    bench.pass(.seconds(1))
    let late = bench.send(.pressed(.warning))

    #expect(first == [.tell(ConnectionID(1), .memoryWarning), .note(farm, "is told that memory is short")])
    #expect(early == [])
    #expect(late == [.tell(ConnectionID(1), .memoryWarning)])
  }

  @Test func `suspended apps are ended one by one, the largest first, until there is enough`() {
    var (bench, apps) = Bench.withAppsSuspended(3)
    bench.send(.pressed(.urgent))
    let asked = bench.deeds.measures
    bench.measured([10, 30, 20], of: apps, .none)  // That memory was short is known without it.
    let first = bench.deeds.ended
    bench.gone(apps[1])

    let second = bench.pass(.milliseconds(100)).measures
    bench.measured([10, 0, 20], of: apps, .urgent)
    let secondEnded = bench.deeds.ended
    bench.gone(apps[2])
    bench.pass(.milliseconds(100))
    bench.measured([10, 0, 0], of: apps, .none)

    #expect(asked == [apps] && second == [[apps[0], apps[2]]])
    #expect(first == [apps[1].app] && secondEnded == [apps[2].app])
    #expect(bench.deeds.ended == [])
    #expect(bench.supervisor.shortage.isOver)
    #expect(bench.rows.memory.history.filter { $0.kind == .memory }.map(\.id.app) == [apps[1].app, apps[2].app])
    #expect(bench.view(apps[1].app)?.endReason?.contains("30 MiB") == true)
  }

  @Test func `among equals the one goes first that has stood still for longest`() {
    var (bench, apps) = Bench.withAppsSuspended(3, in: [2, 0, 1])
    bench.send(.pressed(.urgent))

    bench.measured([20, 20, 20], of: apps, .urgent)

    #expect(bench.deeds.ended == [apps[2].app])
  }

  @Test func `the next is not ended before the last is gone, but not waited for without end either`() {
    var (bench, apps) = Bench.withAppsSuspended(2)
    bench.send(.pressed(.urgent))
    bench.measured([20, 10], of: apps, .urgent)

    let early = bench.pass(.seconds(4)).measures
    let late = bench.pass(.seconds(2)).measures

    #expect(early == [])
    #expect(late == [[apps[1]]])
  }

  @Test func `those that run in the background go after all that stand still, and the foreground last`() {
    var (bench, apps) = Bench.withAppsSuspended(1)
    bench.order(.leave)  // The first app runs on in the background, since it has yet to confirm.
    let front = bench.launchAnother()
    bench.send(.pressed(.urgent))
    bench.measured([1], of: apps, .urgent)
    bench.gone(apps[0])

    let background = bench.pass(.milliseconds(100)).measures
    bench.measured([50], of: background.first ?? [], .urgent)
    let second = bench.deeds.ended
    bench.gone(AppLifeID(farm, life: 1))
    let foreground = bench.pass(.milliseconds(100)).measures
    bench.measured([500], of: foreground.first ?? [], .urgent)

    #expect(background == [[AppLifeID(farm, life: 1)]] && second == [farm])
    #expect(foreground == [[front]])
    #expect(bench.deeds.ended == [front.app])
  }

  @Test func `the app in the foreground is spared if its end would bring next to nothing, or nobody measured a lack`() {
    for (size, pressure) in [(Int64(99), MemoryPressure.urgent), (900, .none)] {
      var (bench, _) = Bench.withAppsSuspended(0)
      bench.send(.pressed(.urgent))

      bench.measured([size], of: [AppLifeID(farm, life: 1)], pressure)

      #expect(bench.deeds.ended == [] && bench.supervisor.shortage.isOver)
    }
  }

  @Test func `a late or lost measurement ends nobody, and the next alarm begins anew`() {
    var (bench, apps) = Bench.withAppsSuspended(1)
    bench.send(.pressed(.urgent))

    bench.pass(.seconds(10))
    bench.measured([20], of: apps, .urgent)
    let late = bench.deeds.ended
    bench.send(.pressed(.urgent))
    bench.measured([20], of: apps, .urgent)

    #expect(late == [])
    #expect(bench.deeds.ended == [apps[0].app])
  }

  @Test func `a measurement counts that nobody could listen to while the database stood still`() {
    var (bench, apps) = Bench.withAppsSuspended(1)
    bench.send(.pressed(.urgent))
    let start = bench.moment
    bench.boot += .minutes(2)

    bench.supervisor.giveBack(from: start, to: bench.moment)
    bench.measured([20], of: apps, .urgent)

    #expect(bench.deeds.ended == [apps[0].app])
  }

  @Test func `the wait for the last to go counts no time in which the database stood still, either`() {
    var (bench, apps) = Bench.withAppsSuspended(2)
    bench.send(.pressed(.urgent))
    bench.measured([20, 10], of: apps, .urgent)
    let start = bench.moment
    bench.boot += .minutes(2)

    bench.supervisor.giveBack(from: start, to: bench.moment)
    let early = bench.send(.awoke).measures + bench.pass(.seconds(4)).measures
    let late = bench.pass(.seconds(2)).measures

    #expect(early == [])
    #expect(late == [[apps[1]]])
  }

  @Test func `an alarm while the last is going ends no other, unless memory is short when that is gone`() {
    for pressure in [MemoryPressure.none, .urgent] {
      var (bench, apps) = Bench.withAppsSuspended(2)
      bench.send(.pressed(.urgent))
      bench.measured([20, 10], of: apps, .urgent)

      bench.send(.pressed(.urgent))
      bench.gone(apps[0])
      bench.pass(.milliseconds(100))
      bench.measured([0, 10], of: apps, pressure)

      #expect(bench.deeds.ended == (pressure == .urgent ? [apps[1].app] : []))
    }
  }

  @Test func `no app is launched to be told before there is room, and then it is`() {
    var bench = Bench.withTasksOfEndedApp()
    let (_, apps) = bench.addSuspended(1)
    bench.send(.pressed(.urgent))

    bench.finish(1)
    let held = bench.deeds.launches
    bench.measured([20], of: apps, .urgent)
    bench.gone(apps[0])

    #expect(held.isEmpty)
    #expect(bench.pass(.milliseconds(100)).launches.map(\.app.id) == [farm])
  }

  @Test func `a simulation tells who was told, and ends the one that comes first`() {
    var (bench, apps) = Bench.withAppsSuspended(2)

    let warned = bench.order(.simulateMemory(.warning))
    let again = bench.order(.simulateMemory(.urgent))
    bench.measured([1, 2], of: apps, .none)

    #expect(warned == .warned([farm]) && again == .warned([farm]))
    #expect(bench.deeds.ended == [apps[1].app])
  }
}

extension Bench {
  /// The first app runs in the foreground; so many others are suspended, in this order.
  static func withAppsSuspended(_ count: Int, in order: [Int]? = nil) -> (Bench, [AppLifeID]) {
    var (bench, _) = withRunningApp()
    let (_, apps) = bench.addSuspended(count, in: order)
    bench.order(.launch(farm, arguments: []))
    return (bench, apps)
  }

  mutating func addSuspended(_ count: Int, in order: [Int]? = nil) -> (Int, [AppLifeID]) {
    let clients = (0..<count).map { index in
      let app = InstalledApp(
        id: AppID("dev.example.App\(index)"), displayName: "\(index)",
        kind: .bundle(path: "/\(index)", executable: "/x"))
      send(.installed(app, nil))
      let client = Client(app.id, pid: Int32(100 + index), connection: UInt64(100 + index))
      self.order(.launch(app.id, arguments: []))
      send(.app(app.id, life: 1, .launched(pid: client.pid)))
      attach(client)
      return client
    }
    self.order(.leave)
    for index in order ?? Array(0..<count) {
      pass(.milliseconds(10))
      ask(.entered(1), as: clients[index])
      send(.app(clients[index].app, life: 1, .suspended(stint: 1, true)))
    }
    return (count, clients.map { AppLifeID($0.app, life: 1) })
  }

  fileprivate mutating func launchAnother() -> AppLifeID {
    send(.installed(otherApp, nil))
    order(.launch(other, arguments: []))
    send(.app(other, life: 1, .launched(pid: 77)))
    attach(Client(other, pid: 77, connection: 77))
    return AppLifeID(other, life: 1)
  }

  /// The room answers its latest question; sizes in MiB, of 1,000 in all.
  fileprivate mutating func measured(_ sizes: [Int64], of lives: [AppLifeID], _ pressure: MemoryPressure) {
    let footprints = Dictionary(uniqueKeysWithValues: zip(lives, sizes.map { $0 << 20 }))
    let reading = MemoryReading(pressure: pressure, total: 1000 << 20, footprints: footprints)
    send(.measured(question: supervisor.shortage.question, reading))
  }

  fileprivate mutating func gone(_ life: AppLifeID) {
    send(.app(life.app, life: life.life, .exited(status: "was killed by signal 9", isCrash: false)))
  }
}

extension [Deed] {
  fileprivate var measures: [[AppLifeID]] { compactMap { if case .measure(_, let lives) = $0 { lives } else { nil } } }
  fileprivate var ended: [AppID] { compactMap { if case .end(let app, _, _) = $0 { app } else { nil } } }
}
