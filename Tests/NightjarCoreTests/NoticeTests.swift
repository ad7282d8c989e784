import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A local notification` {
  @Test func `is fired at its time while its app does not run, and shown until a person has seen to it`() throws {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench))

    let early = bench.passWithWall(.seconds(59))
    let late = bench.passWithWall(.seconds(2))
    let banner = try #require(late.banners.first)
    bench.send(.shown(banner.id))

    #expect(early.banners == [])
    #expect(late.banners.map(\.body) == ["notice 1"] && banner.title == "Farm" && banner.action == "Open")
    #expect(bench.rows.memory.scheduled == [])
    #expect(bench.rows.memory.notices.map(\.stage) == [.shown(isSeen: true)])
    #expect(bench.order(.listNotices) == .notices([banner]))
    #expect(bench.order(.dismissNotice(banner.id)) == .done)
    #expect(bench.order(.dismissNotice(banner.id)) == .refused(.noSuchNotice(banner.id)))
  }

  @Test func `is told the delegate and not shown while its app is in the foreground`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)

    let done = bench.passWithWall(.seconds(61))
    let told = done.messages.noticed
    bench.ask(.takeNotice(NoticeID(1)), as: client)

    #expect(done.banners == [] && told.map(\.isTapped) == [false])
    #expect(bench.rows.memory.notices == [])
    #expect(bench.order(.listNotices) == .notices([]))
  }

  @Test(
    arguments: [
      ([1], nil), ([0], CalendarUnit.month), ([29, 29], .month), ([29, 28], .year), ([1_000_000], .year),
      (Array(1...241), .month),
    ] as [([Int64], CalendarUnit?)])
  func `with days that are not those of repetitions is refused`(days: [Int64], interval: CalendarUnit?) {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench, each: interval)
    let first = request.time!.reading.date.number
    request.time!.days = days.map { first + $0 }

    let answer = bench.ask(.schedule([request], replaces: false), as: client)

    switch answer {
    case .refused(.invalid(field: "days", _)), .refused(.limitReached): break
    default: Issue.record("\(String(describing: answer))")
    }
    #expect(bench.rows.memory.scheduled == [])
  }

  @Test func `opens its app when it is tapped, which finds it in its attachment`() throws {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench))
    let banner = try #require(bench.passWithWall(.seconds(61)).banners.first)

    bench.order(.tapNotice(banner.id))
    let launched = bench.deeds
    bench.send(.app(farm, life: 2, .launched(pid: 43)))
    let answer = bench.attach(Client(farm, pid: 43, connection: 2))
    bench.ask(.takeNotice(banner.id), as: Client(farm, pid: 43, connection: 2))

    guard case .attached(_, false, _, _, let noticed?) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(launched.launches.map(\.isBackground) == [false])
    #expect(launched.contains(.retract(banner.id)))
    #expect(noticed.isTapped && noticed.request.content.body == "notice 1")
    #expect(bench.rows.memory.notices == [])
  }

  @Test func `is told a suspended app that it opens before that comes to the foreground`() throws {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.suspend(client)
    let banner = try #require(bench.passWithWall(.seconds(61)).banners.first)

    bench.order(.tapNotice(banner.id))

    #expect(bench.deeds.thaws == [farm])
    #expect(bench.deeds.messages.last == .enterForeground)
    #expect(bench.deeds.messages.noticed.map(\.isTapped) == [true])
  }

  @Test func `lies in the notification centre again if the app that it opened ends without having taken it`() throws {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench))
    let banner = try #require(bench.passWithWall(.seconds(61)).banners.first)
    bench.order(.tapNotice(banner.id))

    bench.send(.app(farm, life: 2, .exited(status: "was killed by signal 9", isCrash: true)))

    #expect(bench.order(.listNotices) == .notices([banner]))
    #expect(bench.deeds.banners == [])
  }

  @Test func `is shown by the next daemon if this one dies before it has`() throws {
    var bench = Bench.withApp()
    bench.schedule(.made(1, in: 60, of: bench))
    bench.passWithWall(.seconds(61))

    bench.restart()
    let again = bench.deeds.banners
    bench.send(.shown(NoticeID(1)))
    bench.restart()

    #expect(again.map(\.id) == [NoticeID(1)])
    #expect(bench.deeds.banners == [])
  }

  @Test func `is kept if it is one of the soonest sixty-four, and the app's log says how many are not`() {
    var (bench, client) = Bench.withRunningApp()
    let requests = (1...70).reversed().map { NoticeRequest.made(UInt64($0), in: Int64($0) * 60, of: bench) }

    bench.ask(.schedule(requests, replaces: false), as: client)
    let answer = bench.ask(.listNotices, as: client)
    let notes = bench.deeds.notes

    guard case .scheduled(let kept, _) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(kept.map { $0.key.low } == Array(1...64))
    #expect(notes == [])
    #expect(bench.rows.memory.scheduled.count == 64)
  }

  @Test func `of too many is said in the log to be dropped`() {
    var (bench, client) = Bench.withRunningApp()
    let requests = (1...66).map { NoticeRequest.made(UInt64($0), in: Int64($0) * 60, of: bench) }

    bench.ask(.schedule(requests, replaces: false), as: client)

    #expect(bench.deeds.notes == ["2 notifications are not kept: an app may have 64 pending, the soonest"])
  }

  @Test func `is scheduled once however often it is asked for, and replaced with all others on demand`() {
    var (bench, client) = Bench.withRunningApp()
    let (first, second) = (NoticeRequest.made(1, in: 60, of: bench), NoticeRequest.made(2, in: 60, of: bench))

    bench.ask(.schedule([first], replaces: false), as: client)
    bench.ask(.schedule([first], replaces: false), as: client)
    let once = bench.rows.memory.scheduled.map(\.request)
    bench.ask(.schedule([second], replaces: true), as: client)

    #expect(once == [first])
    #expect(bench.rows.memory.scheduled.map(\.request) == [second])
  }

  @Test func `that is cancelled is neither fired nor shown any more`() {
    var (bench, client) = Bench.withRunningApp()
    let requests = (1...3).map { NoticeRequest.made(UInt64($0), in: Int64($0) * 60, of: bench) }
    bench.ask(.schedule(requests, replaces: false), as: client)
    bench.order(.leave)
    bench.ask(.beginBackgroundTask(1, name: "cancel"), as: client)
    bench.passWithWall(.seconds(61))

    bench.ask(.cancelNotices([requests[0].key, requests[1].key]), as: client)
    let retracted = bench.deeds.contains(.retract(NoticeID(1)))
    bench.ask(.cancelNotices(nil), as: client)

    #expect(retracted)
    #expect(bench.rows.memory.scheduled == [] && bench.rows.memory.notices == [])
  }

  @Test func `is not shown if the person does not want it, which the log says, and sets the badge all the same`() {
    var bench = Bench.withApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    request.content.badge = 3
    bench.schedule(request)
    bench.order(.changeSettings(farm, SettingsChange(alerts: false)))

    let done = bench.passWithWall(.seconds(61))
    let badge = bench.view(farm)?.badge
    bench.order(.changeSettings(farm, SettingsChange(badges: false)))

    #expect(done.banners == [])
    #expect(done.notes == ["a notification was not shown: alerts are off in the settings of dev.example.Farm"])
    #expect(badge == 3 && bench.view(farm)?.badge == 0)
    #expect(bench.rows.memory.apps.map(\.badge) == [3])
  }

  @Test func `leaves the screen when its app sets its badge to nothing`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)
    bench.ask(.setBadge(7), as: client)
    bench.order(.leave)
    bench.ask(.beginBackgroundTask(1, name: "badge"), as: client)
    bench.passWithWall(.seconds(61))

    let badge = bench.view(farm)?.badge
    bench.ask(.setBadge(0), as: client)

    #expect(badge == 7 && bench.view(farm)?.badge == 0)
    #expect(bench.deeds.contains(.retract(NoticeID(1))))
  }

  @Test func `may have a badge: a process that sets one is told how things stand after each, also if refused`() {
    var (bench, client) = Bench.withRunningApp()

    var told: [[Int]] = []
    for badge in [1, 2, 2, 1_000_000] {
      bench.ask(.setBadge(badge), as: client)
      told.append(bench.deeds.messages.badges)
    }

    #expect(told == [[1], [2], [2], [2]])
  }

  @Test func `that is due when its app sets the badge is told after that`() {
    var (bench, client) = Bench.withRunningApp()
    var request = NoticeRequest.made(1, in: 60, of: bench)
    request.content.badge = 3
    bench.ask(.schedule([request], replaces: false), as: client)

    bench.wall = Timestamp(seconds: bench.wall.seconds + 61)
    bench.ask(.setBadge(0), as: client)

    #expect(bench.deeds.messages.badges == [0, 3])
  }

  @Test func `may have a badge: an app that stands still as it sets one is told how things stand later`() {
    var (bench, client) = Bench.withRunningApp()
    bench.suspend(client)

    bench.ask(.setBadge(0), as: client)
    let suspended = bench.deeds.messages.badges
    bench.order(.launch(farm, arguments: []))

    #expect(suspended == [])
    #expect(bench.deeds.messages.badges == [0])
  }

  @Test func `is one of a bounded number that an app in the foreground does not take, also when its life ends`() {
    var limits = Limits()
    limits.shownNoticesPerAppMax = 3
    var (bench, client) = Bench.withRunningApp(limits: limits)
    bench.ask(.schedule([.made(1, in: 1, of: bench, each: .minute)], replaces: false), as: client)

    bench.passWithWall(.minutes(10))
    let told = bench.rows.memory.notices.count
    bench.send(.detached(client.connection), .app(farm, life: 1, .exited(status: "was killed", isCrash: true)))

    #expect(told == 3)
    #expect(bench.rows.memory.notices.map(\.stage) == Array(repeating: .shown(isSeen: false), count: 3))
  }

  @Test func `is listed with its texts cut where there are many, so that all have room in one message`() {
    var bench = Bench.withApp()
    for number in 1...100 as ClosedRange<UInt64> {
      var request = NoticeRequest.made(number, in: 60, of: bench)
      request.content.body = String(repeating: "ä", count: 30_000)
      bench.schedule(request)
    }
    bench.passWithWall(.seconds(61))

    guard case .notices(let banners)? = bench.order(.listNotices) else { return }

    #expect(banners.count == 64 && banners.reduce(0) { $0 + $1.body.utf8.count } <= 2 << 20 + 64 * 3)
    #expect(banners.allSatisfy { $0.body.hasSuffix("ä…") })
  }

  @Test(arguments: [("\u{1}", 6), ("\n", 6), ("\"", 2), ("\\", 2), ("ä", 2), ("a", 1)] as [(Character, Int)])
  func `has texts that are counted as a list of it has them, so that all have room in one message`(
    character: Character, byteCount: Int
  ) {
    var (bench, client) = Bench.withRunningApp()
    let answers = [0, 1].map { extra in
      var request = NoticeRequest.made(1, in: 60, of: bench)
      request.content.body = String(repeating: character, count: (64 << 10) / byteCount + extra)
      return bench.ask(.schedule([request], replaces: true), as: client)
    }

    #expect(answers == [.done, .refused(.limitReached(what: "bytes of a notification's texts", limit: 64 << 10))])
  }

  @Test func `is refused with the others if they are far too many for one call`() {
    var (bench, client) = Bench.withRunningApp()
    let many = (0...4096).map { NoticeRequest.made(UInt64($0), in: 60, of: bench) }

    let refused = bench.ask(.schedule(many, replaces: false), as: client)
    let accepted = bench.ask(.schedule(Array(many.dropLast()), replaces: false), as: client)

    #expect(refused == .refused(.limitReached(what: "notifications in one call", limit: 4096)))
    #expect(accepted == .done && bench.rows.memory.scheduled.count == 64)
  }

  @Test func `goes with its app`() {
    var (bench, client) = Bench.withRunningApp()
    bench.ask(.schedule([.made(1, in: 60, of: bench)], replaces: false), as: client)

    bench.order(.uninstall(farm))
    bench.send(.app(farm, life: 1, .exited(status: "was killed by signal 9", isCrash: false)))

    #expect(bench.rows.memory.scheduled == [] && bench.rows.memory.apps == [])
    #expect(bench.passWithWall(.seconds(61)).banners == [])
  }

  @Test func `is for installed apps, and has a time on the calendar`() {
    var (bench, client) = Bench.withRunningApp()
    let program = Client(tool, pid: 50, connection: 5, relaunch: [])
    bench.attach(program)
    var request = NoticeRequest.made(1, in: 60, of: bench)

    request.time?.at = Timestamp(seconds: 8_000_000_000)
    let late = bench.ask(.schedule([request], replaces: false), as: client)
    let stranger = bench.ask(.schedule([], replaces: false), as: program)

    #expect(late == .refused(.invalid(field: "at", reason: "a notification is due in the years 1900 to 2199")))
    guard case .refused(.invalid("notification", _)) = stranger else {
      Issue.record("\(String(describing: stranger))")
      return
    }
  }
}

extension [Message] {
  fileprivate var badges: [Int] { compactMap { if case .standing(let standing) = $0 { standing.badge } else { nil } } }
}
