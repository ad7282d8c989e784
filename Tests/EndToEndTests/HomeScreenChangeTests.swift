import Testing

extension EndToEndTests {
  /// What the home screen shows stays true while it is shown, whatever changes meanwhile.
  @Suite struct HomeScreenChangeTests {
    @Test func `a standstill that is told of before the page has caught up stays told, until the stream ends`()
      async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let banner = "document.querySelector('#away').textContent"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("[{ hello: true }, { trouble: 'The disk is full.' }, { current: true }].map(hear)")
        try await browser.wait("all is known again", for: "known.waiting === null")
        try await browser.wait("the page says so", for: banner, toBe: "The disk is full.")
        _ = try browser.read("[{ hello: true }, { current: true }].map(hear)")

        try await browser.wait("the next stream has not said so", for: banner, toBe: "")
      }
    }

    @Test func `how fast a transfer goes is measured anew once nothing was heard of it for a while`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let report = { (second: Int) in
          "performance.now = () => \(second) * 1000, hear({ transfer: { id: 7, state: 'running', count: \(second) } })"
        }

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("[\(report(1)), \(report(2))]")
        let before = try browser.read("rateOf(7)")
        _ = try browser.read("[hear({ hello: true }), \(report(3600))]")
        let after = try browser.read("rateOf(7)")
        _ = try browser.read("[\(report(3601)), hear({ removed: 7 }), \(report(7200))]")

        #expect(before == "1" && after == "null")
        #expect(try browser.read("rateOf(7)") == "null")
      }
    }

    @Test func `the card of an app goes with the app, while the switcher is open`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        let cards = "document.querySelectorAll('#cards .card').length"

        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the app is in the foreground", for: screen.state(of: Probe.id), toBe: "foreground")
        try await browser.click("#press")
        try await browser.wait("the app is suspended", for: screen.state(of: Probe.id), toBe: "suspended")
        try await browser.click("#switch")
        try await browser.wait("its card is there", for: cards, toBe: "1")
        try await home.run(["uninstall", Probe.id])

        try await browser.wait("its card is gone", for: cards, toBe: "0")
      }
    }

    @Test func `a notification stays in the centre if pressing it came to nothing`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let notice = "{ id: 1, app: '\(Probe.id)', body: 'Tea is ready.', firedAt: Date.now() }"
        let refusing = "(fetch = async () => Response.json({ code: 'refused', message: 'no' }, { status: 409 }))"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("[\(refusing), learnNotice(\(notice), true)]")
        try await browser.click("#banners [data-notice]")
        try await browser.wait("the person is told", for: "document.querySelector('#banners [role=alert]') !== null")

        #expect(try browser.read("[notices.has(1), document.querySelector('#banners [data-notice]')]") == "true,")
      }
    }

    @Test func `an app that gets another name has it on its sheet and on the screen, too`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let app = { (name: String) in "apps.set('\(Probe.id)', { ...apps.get('\(Probe.id)'), name: '\(name)' })" }
        let head = "document.querySelector('#about .head .name')?.textContent"
        let title = "document.querySelector('.plain h3')?.textContent"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("showAbout('\(Probe.id)')")
        try await browser.wait("its sheet is there", for: head, toBe: "Probe 1")
        _ = try browser.read("[\(app("Tea")), draw()]")
        try await browser.wait("its sheet names it anew", for: head, toBe: "Tea")
        _ = try browser.read("[closeDialogs(), (known.opening = '\(Probe.id)'), draw()]")
        try await browser.wait("it is on the screen", for: title, toBe: "Tea")
        _ = try browser.read("[\(app("Coffee")), draw()]")

        try await browser.wait("the screen names it anew", for: title, toBe: "Coffee")
      }
    }

    @Test func `an arrow goes to the next icon, and with another key held it is left to the browser`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let focused = "document.activeElement.dataset.opens"
        let press = { (options: String) in
          "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
            + "{ key: 'ArrowRight', bubbles: true, cancelable: true, \(options) }))"
        }

        _ = try browser.read("document.querySelector('[data-opens=conditions]').focus()")
        let isLeft = try browser.read("[\(press("altKey: true")), \(press("ctrlKey: true"))]")
        let before = try browser.read(focused)
        let isTaken = try browser.read("!\(press("altKey: false"))")
        let after = try browser.read(focused)

        #expect(isLeft == "true,true" && before == "conditions")
        #expect(isTaken == "true" && after == "settings")
      }
    }

    /// Puts transfers on their sheet that nobody moves.
    private static func showTransfers(_ ids: ClosedRange<Int>, _ screen: Screen) async throws {
      let transfer = { (id: Int) in
        "{ id: \(id), app: '\(Probe.id)', state: 'queued', direction: 'download', url: 'http://127.0.0.1/\(id)', "
          + "count: 0, verdict: '' }"
      }
      try await screen.browser.wait("all is known", for: "known.waiting === null")
      _ = try screen.browser.read("[\(ids.map { "transfers.set(\($0), \(transfer($0)))" }.joined(separator: ", "))]")
      try await screen.browser.click("[data-opens=transfers]")
      try await screen.browser.wait(
        "they are listed", for: "document.querySelectorAll('#transfers .transfer').length", toBe: "\(ids.count)")
    }

    @Test func `the focus goes on to the next row when its own goes, else back to the one before, else to the heading`()
      async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let focused = "document.activeElement.dataset.key ?? document.activeElement.textContent"

        try await Self.showTransfers(1...3, screen)
        _ = try browser.read("document.querySelector('#transfers [data-key=\"2\"] .why-button').focus()")
        for (gone, heir) in [(2, "3"), (3, "1"), (1, "Under way")] {
          _ = try browser.read("[transfers.delete(\(gone)), draw()]")
          try await browser.wait("the focus has gone on from \(gone)", for: focused, toBe: heir)
        }
        try await browser.click("#transfers .done")
        _ = try browser.read("[document.querySelector(`\(screen.icon(Probe.id))`).focus(), apps.clear(), draw()]")

        try await browser.wait("the last icon hands it on, too", for: focused, toBe: "Home screen")
      }
    }

    @Test func `a transfer that is paused and resumed with the keyboard keeps the focus`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let focused = "document.activeElement.textContent"

        try await Self.showTransfers(1...2, screen)  // The row of a suspended one goes down, and comes up again.
        _ = try browser.read("document.querySelector('#transfers [data-deed=Pause]').focus()")
        for (state, deed) in [("suspended", "Resume"), ("running", "Pause"), ("delivering", "Why")] {
          _ = try browser.read("[(transfers.get(1).state = '\(state)'), draw()]")
          try await browser.wait("it is \(state)", for: focused, toBe: deed)
        }
      }
    }

    @Test func `an answer that was overtaken does not take the place of the newer one`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let why = "document.querySelector('#about .why').textContent"
        let holding = Self.answering("WhyApp", "{ sentences: [`answer ${turn}`] }", holding: 2)
        let drawn = "requestAnimationFrame(() => requestAnimationFrame(() => (window.isDrawn = true)))"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("[\(holding), showAbout('\(Probe.id)')]")
        try await browser.wait("the first answer is there", for: why, toBe: "answer 1")
        _ = try browser.read("[(window.second = explain('\(Probe.id)')), explain('\(Probe.id)')]")
        try await browser.wait("the third answer is there", for: why, toBe: "answer 3")
        _ = try browser.read("[letGo(), second.then(() => \(drawn))]")
        try await browser.wait("the second answer has come", for: "window.isDrawn")

        #expect(try browser.read(why) == "answer 3")
      }
    }

    @Test(
      arguments: [
        ("ListRecents", "{ recents: [{ app: turn }] }", "listRecents", "known.recents[0].app"),
        ("ListSettings", "{ backgroundRefresh: turn, apps: [] }", "listSettings", "known.settings.backgroundRefresh"),
        ("ListNotices", "{ notices: [{ id: turn }] }", "listNotices", "[...notices.keys()]"),
        ("ListFetches", "{ apps: [{ app: turn }], budget: null }", "listFetches", "[...fetches.keys()]"),
      ] as [(String, String, String, String)])
    func `a list does not take the place of one that was asked for later`(
      method: String, answer: String, list: String, shown: String
    ) async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read(Self.answering(method, answer, holding: 1))
        _ = try browser.read("[(window.first = \(list)()), \(list)()]")
        try await browser.wait("the second list is there", for: shown, toBe: "2")
        _ = try browser.read("[letGo(), first.then(() => (window.isOver = true))]")
        try await browser.wait("the first has come", for: "window.isOver")

        #expect(try browser.read(shown) == "2")
      }
    }

    @Test func `an answer counts as long as none to a later question has come`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let asking = "inOrder(() => new Promise((done) => answers.push(done)))"
        let threefold = "[1, 2, 3].map(() => seeking().then((answer) => heard.push(answer)))"

        _ = try browser.read("[(window.answers = []), (window.heard = []), (window.seeking = \(asking)), \(threefold)]")
        _ = try browser.read("[answers[2](null), answers[0]('first'), answers[1]('second')]")

        try await browser.wait("all but the one that failed count", for: "heard", toBe: ",first,second")
      }
    }

    private static let isSaidToBeOld =
      "(document.querySelector('#banners .banner')?.closest('[aria-live=polite]').textContent ?? '').includes('be old')"

    /// Lets questions of this kind wait for `letGo()`.
    private static func delaying(_ question: String) -> String {
      """
      ((usual) => fetch = async (path, options) => {
        if (path.endsWith('\(question)')) await new Promise((done) => window.letGo = done);
        return usual(path, options);
      })(fetch)
      """
    }

    @Test func `until the lists of the next daemon are complete the page says that what it shows may be old`()
      async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let away = "document.querySelector('#away').textContent"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read(Self.delaying("ListApps"))
        home.crash()
        try await browser.wait("the daemon is away", for: "\(away) !== ''")
        let before = try browser.read(Self.isSaidToBeOld)
        try await home.start()
        try await browser.wait("it is back", for: away, toBe: "")
        try await browser.wait("the page says so", for: Self.isSaidToBeOld)
        _ = try browser.read("letGo()")

        try await browser.wait("it is up to date", for: Self.isSaidToBeOld, toBe: "false")
        #expect(before == "false", "that the daemon is away says enough")
      }
    }

    @Test func `a page that is looked at again says that what it shows may be old, until it is not`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let turn = { (isHidden: Bool) in
          "[Object.defineProperty(document, 'hidden', { value: \(isHidden), configurable: true }), "
            + "document.dispatchEvent(new Event('visibilitychange'))]"
        }

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("[\(turn(true)), \(Self.delaying("events"))]")
        _ = try browser.read(turn(false))
        try await browser.wait("the page says so", for: Self.isSaidToBeOld)
        _ = try browser.read("letGo()")

        try await browser.wait("it is up to date", for: Self.isSaidToBeOld, toBe: "false")
      }
    }

    /// Answers a method in place of the daemon, with the number of the question in `turn`; one answer waits for
    /// `letGo()`.
    private static func answering(_ method: String, _ answer: String, holding held: Int) -> String {
      """
      ((usual) => fetch = async (path, options) => {
        if (!path.endsWith('\(method)')) return usual(path, options);
        const turn = window.turn = (window.turn ?? 0) + 1;
        if (turn === \(held)) await new Promise((done) => window.letGo = done);
        return Response.json(\(answer));
      })(fetch)
      """
    }
  }
}
