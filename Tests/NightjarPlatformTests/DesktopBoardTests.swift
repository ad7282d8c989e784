import NightjarModel
import Testing

@testable import NightjarPlatform

/// What is asked of the desktop, and what its answers mean, without a desktop.
@Suite struct DesktopBoardTests {
  private let first = DesktopServer(bus: "b", name: ":1.1")
  private let second = DesktopServer(bus: "b", name: ":1.2")

  @Test func `a notification waits for a service, and is shown once`() {
    var board = DesktopBoard()

    let early = board.show(.tea(1))
    let asked = board.serverCame(first, isPersistent: true)
    let told = board.answered(1, 7)
    let again = board.serverCame(first, isPersistent: true)

    #expect(early.isEmpty && again.isEmpty)
    #expect(asked == [.notify(.tea(1), replacing: 0, isQuiet: false, attempt: 1)])
    #expect(told == [.report(.shown(NoticeID(1)))])
    #expect(board.records == [.open(1, at: first, 7)])
  }

  @Test func `the service is asked for one after the other, the oldest first`() {
    var board = DesktopBoard()
    _ = board.show(.tea(2))
    _ = board.show(.tea(1))

    let one = board.serverCame(first, isPersistent: false)
    let other = board.answered(1, 1)

    #expect(one == [.notify(.tea(1), replacing: 0, isQuiet: false, attempt: 1)])
    #expect(other.last == .notify(.tea(2), replacing: 0, isQuiet: false, attempt: 2))
  }

  @Test func `a click taps it, again and again, and what closes after a click was not dismissed`() {
    var board = DesktopBoard.showing(on: first)

    let taps = [board.tapped(7), board.tapped(7)]
    let end = board.closed(7, reason: 2)

    #expect(taps == [[.report(.tapped(NoticeID(1)))], [.report(.tapped(NoticeID(1)))]])
    #expect(end.isEmpty)
  }

  @Test(arguments: [(1, false), (2, true), (3, false), (4, false), (99, false)] as [(Int64, Bool)])
  func `only what a person closes is put away`(reason: Int64, isDismissed: Bool) {
    var board = DesktopBoard.showing(on: first)

    let told = board.closed(7, reason: reason)
    let later = board.serverCame(second, isPersistent: true)

    #expect(told == (isDismissed ? [.report(.dismissed(NoticeID(1)))] : []))
    #expect(later.isEmpty, "what was closed comes back")
    #expect(board.records == [DesktopRecord(id: NoticeID(1), open: nil)])
  }

  @Test func `numbers that nobody knows mean nothing`() {
    var board = DesktopBoard.showing(on: first)

    #expect(board.tapped(8).isEmpty && board.closed(8, reason: 2).isEmpty && board.answered(99, 9).isEmpty)
  }

  @Test func `what is retracted is closed, also if it is just being shown`() {
    var board = DesktopBoard.showing(on: first)
    _ = board.show(.tea(2))

    let now = board.retract(NoticeID(1))
    let under = board.retract(NoticeID(2))
    let later = board.answered(2, 8)

    #expect(now == [.close(7)] && under.isEmpty && later == [.close(8)])
    #expect(board.records.isEmpty)
  }

  @Test func `a service that starts anew shows what was open, quietly, and nothing else`() {
    var board = DesktopBoard.showing(on: first)
    _ = board.show(.tea(2))
    _ = board.answered(2, 8)
    _ = board.closed(8, reason: 1)

    _ = board.serverWent()
    let deeds = board.serverCame(second, isPersistent: false)

    #expect(deeds == [.notify(.tea(1), replacing: 0, isQuiet: true, attempt: 3)])
  }

  @Test func `a service that dies before it answers has its successor asked, and its late answer means nothing`() {
    var board = DesktopBoard()
    _ = board.serverCame(first, isPersistent: true)
    _ = board.show(.tea(1))

    _ = board.serverWent()
    let anew = board.serverCame(second, isPersistent: true)
    let late = board.answered(1, 7)
    let right = board.answered(2, 3)

    #expect(anew == [.notify(.tea(1), replacing: 0, isQuiet: false, attempt: 2)])
    #expect(late.isEmpty && right == [.report(.shown(NoticeID(1)))])
    #expect(board.records == [.open(1, at: second, 3)])
  }

  @Test func `what three services have died of counts as shown, and the next is asked for what is behind it`() {
    var board = DesktopBoard()
    _ = board.show(.tea(1)) + board.show(.tea(2))

    let courses = (1...4).map { number in
      (board.serverCame(DesktopServer(bus: "b", name: ":1.\(number)"), isPersistent: true), board.serverWent())
    }

    for (index, course) in courses.prefix(3).enumerated() {
      #expect(course.0 == [.notify(.tea(1), replacing: 0, isQuiet: false, attempt: index + 1)])
      #expect(course.1 == (index == 2 ? [.report(.shown(NoticeID(1)))] : []))
    }
    #expect(courses[3].0 == [.notify(.tea(2), replacing: 0, isQuiet: false, attempt: 4)] && courses[3].1.isEmpty)
    #expect(board.isWaiting && board.records == [DesktopRecord(id: NoticeID(1), open: nil)])
  }

  @Test(arguments: [nil, 0] as [UInt32?])
  func `what a service refuses is not asked of it again, but of the next`(answer: UInt32?) {
    var board = DesktopBoard()
    _ = board.serverCame(first, isPersistent: true)
    _ = board.show(.tea(1))

    let refused = board.answered(1, answer)
    let same = board.serverCame(first, isPersistent: true)
    _ = board.serverWent()
    let next = board.serverCame(second, isPersistent: true)

    #expect(refused.isEmpty && same.isEmpty)
    #expect(next == [.notify(.tea(1), replacing: 0, isQuiet: false, attempt: 2)])
  }

  @Test func `a service that gives one number twice has one notification under it`() {
    var board = DesktopBoard.showing(on: first)
    _ = board.show(.tea(2))

    _ = board.answered(2, 7)

    #expect(board.tapped(7) == [.report(.tapped(NoticeID(2)))])
  }

  // MARK: Restarts of the daemon

  @Test func `a new daemon leaves what is open where it is, if the service does not keep things`() {
    var board = DesktopBoard([.open(1, at: first, 7)])
    _ = board.restore(seen: [.tea(1)], unseen: [])

    let deeds = board.serverCame(first, isPersistent: false)

    #expect(deeds.isEmpty)
    #expect(board.tapped(7) == [.report(.tapped(NoticeID(1)))])
  }

  @Test(arguments: [true, false])
  func `a new daemon has a service that keeps things show it in its old place, whoever comes first`(isLate: Bool) {
    var board = DesktopBoard([.open(1, at: first, 7)])

    var deeds = isLate ? board.serverCame(first, isPersistent: true) : []
    deeds += board.restore(seen: [.tea(1)], unseen: [])
    if !isLate { deeds += board.serverCame(first, isPersistent: true) }

    #expect(deeds == [.notify(.tea(1), replacing: 7, isQuiet: true, attempt: 1)])
  }

  @Test func `a daemon that dies while it puts something into its old place leaves the place to the next`() {
    var board = DesktopBoard([.open(1, at: first, 7), .open(2, at: second, 8)])
    _ = board.restore(seen: [.tea(1), .tea(2)], unseen: [])

    let deeds = board.serverCame(first, isPersistent: true)

    #expect(deeds == [.notify(.tea(1), replacing: 7, isQuiet: true, attempt: 1)])
    #expect(board.records == [.open(1, at: first, 7), .open(2, at: second, 8)])
  }

  @Test func `what is retracted while it is put into its old place is closed there, also if that is refused`() {
    var board = DesktopBoard([.open(1, at: first, 7)])
    _ = board.restore(seen: [.tea(1)], unseen: [])
    _ = board.serverCame(first, isPersistent: true)

    let early = board.retract(NoticeID(1))
    let late = board.answered(1, nil)

    #expect(early.isEmpty && late == [.close(7)])
    #expect(board.records.isEmpty)
  }

  @Test func `a number of another service is never used`() {
    var board = DesktopBoard([.open(1, at: first, 7), .open(2, at: first, 8)])
    _ = board.restore(seen: [.tea(1)], unseen: [])

    let deeds = board.serverCame(second, isPersistent: true)

    #expect(deeds == [.notify(.tea(1), replacing: 0, isQuiet: true, attempt: 1)])
  }

  @Test func `what was put away while no daemon ran is closed`() {
    var board = DesktopBoard([.open(1, at: first, 7), DesktopRecord(id: NoticeID(2), open: nil)])
    _ = board.serverCame(first, isPersistent: true)

    let deeds = board.restore(seen: [], unseen: [])

    #expect(deeds == [.close(7)])
    #expect(board.records.isEmpty)
  }

  @Test func `what the last daemon showed and could not note any more is not shown twice`() {
    var board = DesktopBoard([.open(1, at: first, 7)])
    _ = board.restore(seen: [], unseen: [NoticeID(1)])
    _ = board.serverCame(first, isPersistent: false)

    let deeds = board.show(.tea(1))

    #expect(deeds == [.report(.shown(NoticeID(1)))])
  }

  @Test func `what was seen before there are records of it is shown by a service that keeps things, and by no other`() {
    var keeping = DesktopBoard()
    var forgetting = DesktopBoard()
    for isPersistent in [true, false] {
      _ = isPersistent ? keeping.restore(seen: [.tea(1)], unseen: []) : forgetting.restore(seen: [.tea(1)], unseen: [])
    }

    #expect(
      keeping.serverCame(first, isPersistent: true)
        == [.notify(.tea(1), replacing: 0, isQuiet: true, attempt: 1)])
    #expect(forgetting.serverCame(first, isPersistent: false).isEmpty)
  }
}

/// How a notification is put.
@Suite struct DesktopNoticeTests {
  @Test func `a title stands above the text, bold where there is markup`() {
    var banner = Banner.tea(1, body: "Ready")
    banner.heading = "Kettle & pot"
    let marked = DesktopNotice(banner, .init(), for: .init(["body", "body-markup"]), isQuiet: false)
    let plain = DesktopNotice(banner, .init(), for: .init(["body"]), isQuiet: false)
    let bare = DesktopNotice(banner, .init(), for: .init(), isQuiet: false)

    #expect(marked.body == "<b>Kettle &amp; pot</b>\nReady" && marked.summary == "Tea")
    #expect(plain.body == "Kettle & pot\nReady")
    #expect(bare.body.isEmpty && bare.summary == "Tea: Kettle & pot: Ready")
  }

  @Test func `a text is escaped where there is markup, and as it is elsewhere`() {
    let banner = Banner.tea(1, body: "a <b>&amp;\u{7}\u{0}\nc")

    let marked = DesktopNotice(banner, .init(), for: .init(["body", "body-markup"]), isQuiet: false)
    let plain = DesktopNotice(banner, .init(), for: .init(["body"]), isQuiet: false)
    let bare = DesktopNotice(banner, .init(), for: .init(), isQuiet: false)

    #expect(marked.body == "a &lt;b&gt;&amp;amp;\nc")
    #expect(plain.body == "a <b>&amp;\nc")
    #expect(bare.body.isEmpty && bare.summary == "Tea: a <b>&amp; c")
  }

  @Test func `a click opens the app, and so does a button if the app wants one`() {
    let capabilities = DesktopNotice.Capabilities(["actions", "body"])

    let with = DesktopNotice(.tea(1, action: "Drink"), .init(), for: capabilities, isQuiet: false)
    let without = DesktopNotice(.tea(1), .init(), for: capabilities, isQuiet: false)
    let unable = DesktopNotice(.tea(1, action: "Drink"), .init(), for: .init(), isQuiet: false)

    #expect(with.actions == ["default", "Drink", "open", "Drink"])
    #expect(without.actions == ["default", "Open"])
    #expect(unable.actions.isEmpty)
  }

  @Test func `a sound is the app's own, or the usual one, or none`() {
    let able = DesktopNotice.Capabilities(["sound"])
    let cases: [(DesktopNotice, String?)] = [
      (.init(.tea(1, sounds: true), .init(), for: able, isQuiet: false), "sound-name"),
      (.init(.tea(1, sounds: true), .init(sound: "/s.oga"), for: able, isQuiet: false), "sound-file"),
      (.init(.tea(1, sounds: false), .init(), for: able, isQuiet: false), "suppress-sound"),
      (.init(.tea(1, sounds: true), .init(), for: able, isQuiet: true), "suppress-sound"),
      (.init(.tea(1, sounds: true), .init(), for: .init(), isQuiet: false), nil),
    ]

    for (notice, name) in cases { #expect(notice.hints.map(\.name).dropFirst(2).first == name) }
  }

  @Test func `a path becomes a URL`() {
    #expect(DesktopNotice.url("/a b/ü%.png") == "file:///a%20b/%C3%BC%25.png")
  }

  @Test(
    arguments: [
      ([:], nil), (["XDG_RUNTIME_DIR": "/run/user/1000"], "unix:path=/run/user/1000/bus"),
      (["XDG_RUNTIME_DIR": "/run/a b;c"], "unix:path=/run/a%20b%3Bc/bus"), (["XDG_RUNTIME_DIR": "run"], nil),
      (["XDG_RUNTIME_DIR": "/run", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"], "unix:path=/x"),
    ] as [([String: String], String?)])
  func `the session bus is where the environment says`(environment: [String: String], address: String?) {
    #expect(DesktopSettings(environment: environment).busAddress == address)
  }

  @Test func `what cannot be read of the record is left out`() throws {
    let place = try TestHome()
    let path = place.root + "/desktop"
    let all: [DesktopRecord] = [
      .open(1, at: DesktopServer(bus: "b", name: ":1.1"), 7), DesktopRecord(id: NoticeID(2), open: nil),
    ]

    try DesktopRecord.write(all, to: path)
    let text = TestHome.text(path)
    try Disk.replace(path, with: "x\n1\n-1 closed\n3 open 0 a b\n4 open 1 a\n" + text + "5 ope", synced: false)

    #expect(DesktopRecord.all(in: path) == all)
    #expect(DesktopRecord.all(in: place.root + "/none").isEmpty)
  }
}

extension Banner {
  fileprivate static func tea(
    _ id: Int64, body: String = "tea", action: String? = nil, sounds: Bool = false
  ) -> Banner {
    Banner(
      id: NoticeID(id), app: AppID("dev.test.Tea"), title: "Tea", body: body, action: action, sounds: sounds,
      firedAt: Timestamp(seconds: 1))
  }
}

extension DesktopRecord {
  fileprivate static func open(_ id: Int64, at server: DesktopServer, _ number: UInt32) -> DesktopRecord {
    DesktopRecord(id: NoticeID(id), open: .init(server: server, number: number))
  }
}

extension DesktopBoard {
  /// One notification is open, under the number 7.
  fileprivate static func showing(on server: DesktopServer) -> DesktopBoard {
    var board = DesktopBoard()
    _ = board.serverCame(server, isPersistent: true)
    _ = board.show(.tea(1))
    _ = board.answered(1, 7)
    return board
  }
}
