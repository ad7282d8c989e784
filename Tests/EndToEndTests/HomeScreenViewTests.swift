import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Views of apps and the switcher, in a real browser.
  @Suite struct HomeScreenViewTests {
    @Test func `an app is used in its view, seen in the switcher as it was left, and removed there`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser

        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try browser.enter(frame: "#view iframe")
        try await browser.click("[data-action=more]")
        try await browser.wait("the app has heard", for: Self.count, toBe: "count 1")
        try browser.type("a<b & 'c'", into: "[name=note]")
        try browser.press(.enter)
        try await browser.wait("what was typed is shown as text", for: Self.note, toBe: "a<b & 'c'")
        try await browser.wait("the field is empty again", for: Self.field, toBe: "")
        try browser.press(.escape)
        try browser.enter(frame: nil)
        try await browser.wait("the app is suspended", for: screen.state(of: Probe.id), toBe: "suspended")
        try await browser.click("#switch")
        try await browser.wait(
          "its card is drawn", for: "document.querySelector('#cards iframe')?.dataset.drawn !== undefined")
        try browser.enter(frame: "#cards iframe")
        let snapshot = try browser.read("\(Self.count) + ', ' + \(Self.note)")
        try browser.enter(frame: nil)
        try browser.press(.delete)
        try await browser.wait("it does not run", for: screen.state(of: Probe.id), toBe: "notRunning")
        try await browser.wait("its card is gone", for: Self.cards, toBe: "0")

        #expect(snapshot == "count 1, a<b & 'c'")
        #expect(try await home.call(ControlInterface.ListRecents.self).recents.isEmpty)
      }
    }

    @Test func `what was typed stays in its field when the daemon was not there to take it`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser

        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        home.crash()
        try browser.enter(frame: "#view iframe")
        try browser.type("a long thought", into: "[name=note]")
        try browser.press(.enter)
        try browser.enter(frame: nil)
        try await browser.wait(
          "the person is told", for: "document.querySelector('#banners [role=alert]') !== null")
        try browser.enter(frame: "#view iframe")
        let typed = try browser.read(Self.field)
        try browser.enter(frame: nil)

        #expect(typed == "a long thought")
      }
    }

    private static let isFocusInTheMiddle =
      "((box) => Math.abs(box.x + box.width / 2 - innerWidth / 2) < 2)(document.activeElement.getBoundingClientRect())"

    @Test func `another app is chosen in the switcher with the keyboard`() async throws {
      try await Self.withThreeUsed { one, newest, screen in
        let browser = screen.browser

        try await browser.click("#switch")
        try await browser.wait("all are there", for: Self.cards, toBe: "3")
        try await browser.wait("the newest has the focus", for: Self.focusedCard, toBe: newest.app)
        try browser.press(.right)
        try await browser.wait("what has the focus is in the middle", for: Self.isFocusInTheMiddle)
        try browser.press(.enter)

        try await browser.wait("the other is on the screen", for: Screen.shown, toBe: one.app)
        try await browser.wait("and in the foreground", for: screen.state(of: one.app), toBe: "foreground")
      }
    }

    @Test func `a card that is removed hands the focus to the next, and the others stay as they are`() async throws {
      try await Self.withThreeUsed { one, newest, screen in
        let browser = screen.browser
        let frames = "[...document.querySelectorAll('#cards iframe')]"

        try await browser.click("#press")
        try await browser.wait("the newest is suspended", for: screen.state(of: newest.app), toBe: "suspended")
        try await browser.click("#switch")
        try await browser.wait(
          "all are drawn", for: "\(frames).filter((frame) => frame.dataset.drawn !== undefined).length", toBe: "3")
        try await browser.wait("the newest has the focus", for: Self.focusedCard, toBe: newest.app)
        _ = try browser.read(
          "\(frames).map((frame) => frame.addEventListener('load', () => (frame.dataset.again = true)))")
        _ = try browser.read(
          "document.activeElement.dispatchEvent("
            + "new KeyboardEvent('keydown', { key: 'Delete', repeat: true, bubbles: true }))")
        try browser.press(.delete)
        try await browser.wait("its card is gone", for: Self.cards, toBe: "2")

        #expect(try await screen.home.call(ControlInterface.ListRecents.self).recents.count == 2)
        #expect(try browser.read(Self.focusedCard) == one.app)
        #expect(try browser.read("document.querySelector('#said').closest('dialog')?.id") == "switcher")
        #expect(try browser.read("\(frames).some((frame) => frame.dataset.again)") == "false")
      }
    }

    /// Opens the app, leaves it, and opens the switcher.
    private static func leaveForSwitcher(_ screen: Screen) async throws {
      let browser = screen.browser
      try await browser.click(screen.icon(Probe.id))
      try await browser.wait("the view is drawn", for: isDrawn)
      try await browser.click("#press")
      try await browser.wait("the app is suspended", for: screen.state(of: Probe.id), toBe: "suspended")
      try await browser.click("#switch")
      try await browser.wait("its card is there", for: cards, toBe: "1")
    }

    @Test func `on a phone a card's cross can be pressed, whatever the app is called`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser

        try browser.resize(width: 360, height: 640)
        try await Self.leaveForSwitcher(screen)
        _ = try browser.read("[known.recents[0].name = 'Weather Forecast of the North', drawCards()]")
        let box = "document.querySelector('#cards .remove').getBoundingClientRect()"
        let isWithin = try browser.read("\(box).right <= document.querySelector('.card').getBoundingClientRect().right")
        try await browser.click("#cards .remove")

        try await browser.wait("it is gone", for: Self.cards, toBe: "0")
        #expect(isWithin == "true")
      }
    }

    @Test func `a swipe that ends beside its card removes nothing, then or later`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        let handle = "document.querySelector('#cards .open')"
        let point = { (kind: String, y: Int, buttons: Int) in
          "\(handle).dispatchEvent(new PointerEvent('pointer\(kind)', "
            + "{ clientY: \(y), buttons: \(buttons), bubbles: true }))"
        }

        try await Self.leaveForSwitcher(screen)
        _ = try browser.read("[\(point("down", 400, 1)), \(point("move", 395, 1)), \(point("move", 100, 0))]")
        let moved = try browser.read("\(handle).style.transform")
        _ = try browser.read(point("up", 100, 0))

        #expect(moved == "")
        #expect(try await home.call(ControlInterface.ListRecents.self).recents.count == 1)
      }
    }

    @Test func `a snapshot that the daemon was not there to hand over is seen when it is back`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser

        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try await browser.click("#press")
        try await browser.wait("it has a snapshot", for: "known.recents.some((recent) => recent.snapshot != null)")
        home.crash()
        try await browser.wait("the page says so", for: "!document.querySelector('#away').hidden")
        try await browser.click("#switch")
        try await browser.wait("its card is there", for: "document.querySelector('#cards .none') !== null")
        try await home.start()

        try await browser.wait(
          "its card is drawn", for: "document.querySelector('#cards iframe')?.dataset.drawn !== undefined")
      }
    }

    /// Three apps with views, of which the newest is on the screen, and `one` was there before it.
    private static func withThreeUsed(
      _ body: (_ one: Probe, _ newest: Probe, Screen) async throws -> Void
    ) async throws {
      try await withHome(.impatient) { home in
        let probes = ["dev.nightjar.oldest", Probe.id, "dev.nightjar.other"].map { Probe(home: home, app: $0) }
        for probe in probes { try probe.instruct(.init(shows: true)) }
        try await home.start()
        for probe in probes { try await probe.install() }
        try await withScreen(of: home) { screen in
          try await screen.open()
          for probe in probes {
            try await probe.launch()
            try await screen.browser.wait("it is on the screen", for: Screen.shown, toBe: probe.app)
          }
          try await body(probes[1], probes[2], screen)
        }
      }
    }

    @Test func `a hostile view runs nothing, leads nowhere and acts for nobody`() async throws {
      let hostile = """
        <script>document.body.dataset.owned = 1; parent.postMessage({action: 'more', fields: {}}, '*')</script>
        <img src='data:,' onerror="document.body.dataset.owned = 2"><svg onload="document.body.dataset.owned = 3"></svg>
        <iframe srcdoc="<script>parent.parent.postMessage({action: 'more'}, '*')</script>"></iframe>
        <meta http-equiv='refresh' content='0;url=http://127.0.0.1:9/'><base href='http://127.0.0.1:9/'>
        <link rel='stylesheet' href='http://127.0.0.1:9/x.css'><style>body{background:url(http://127.0.0.1:9/x)}</style>
        <form id='trap' action='http://127.0.0.1:9/' method='post'><input name='body'><img name='getElementById'></form>
        <a id='link' href="javascript:document.body.dataset.owned=4" target='_top'>link</a><p id='end'>end</p>
        """
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)

        _ = try await home.call(
          ControlInterface.Act.self, .init(app: Probe.id, action: "draw", fields: ["markup": hostile]))
        try browser.enter(frame: "#view iframe")
        try await browser.wait("it is drawn", for: "document.querySelector('#end')?.textContent", toBe: "end")
        try await browser.click("#link")
        try await browser.click("[data-action=more]")
        try await browser.wait("the app hears what a person does", for: Self.count, toBe: "count 1")
        let facts = try browser.read(
          "[document.body.dataset.owned, document.querySelectorAll('body script, iframe, meta[http-equiv], base, link').length, "
            + "document.querySelector('#link').hasAttribute('href'), origin, document.querySelector('#trap').hasAttribute('action')]"
        )
        try browser.enter(frame: nil)

        #expect(facts == ",0,false,null,false")
        #expect(try browser.read("location.origin + '/'") == screen.entrances[0].address)
      }
    }

    @Test func `what an app says of a field is shown, also when a person has changed the field before`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        let boxes = "document.querySelector('#box').checked, document.querySelector('#two').checked"
        let fields = "[\(boxes), document.querySelector('#list').value, document.querySelector('#text').value]"
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try browser.enter(frame: "#view iframe")

        try await Self.draw(round: 1, home, browser)
        _ = try browser.read("['#box', '#box', '#two', '#one'].map((id) => document.querySelector(id).click())")
        _ = try browser.read("['b', 'a'].map((value) => document.querySelector('#list').value = value)")
        _ = try browser.read("document.querySelector('#text').value = 'typed'")
        try await Self.draw(round: 2, isOn: true, home, browser)
        let on = try browser.read(fields)
        try await Self.draw(round: 3, home, browser)
        let off = try browser.read(fields)
        try browser.enter(frame: nil)

        #expect(on == "true,true,b,text 2")
        #expect(off == "false,false,a,text 3")
      }
    }

    /// Has the app show some fields, and waits until they are there.
    private static func draw(round: Int, isOn: Bool = false, _ home: Home, _ browser: Browser) async throws {
      let (checked, selected) = isOn ? (" checked", " selected") : ("", "")
      let unchecked = isOn ? "" : " checked"
      let markup = """
        <input type='checkbox' id='box'\(checked)>
        <input type='radio' name='way' id='one'\(unchecked)><input type='radio' name='way' id='two'\(checked)>
        <select id='list'><option\(isOn ? "" : " selected")>a</option><option\(selected)>b</option></select>
        <textarea id='text'>text \(round)</textarea>
        """
      try await show(markup, round: round, home, browser)
    }

    @Test func `what is typed, focus and cursor stay when something before a form comes or goes`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        let form = "<form data-action='write'><input id='thought' name='thought'><button>Write</button></form>"
        let field = "document.querySelector('#thought')"
        let facts = "[\(field).value, \(field) === document.activeElement, \(field).selectionStart]"
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try browser.enter(frame: "#view iframe")

        try await Self.show("<p>news</p>" + form, round: 1, home, browser)
        try browser.type("typed", into: "#thought")
        try browser.press(.left)
        try await Self.show("<ul><li>more</li></ul><p>news</p>" + form, round: 2, home, browser)
        let withMore = try browser.read(facts)
        try await Self.show(form, round: 3, home, browser)
        let withLess = try browser.read(facts)
        try browser.enter(frame: nil)

        #expect(withMore == "typed,true,4" && withLess == "typed,true,4")
      }
    }

    @Test func `a view has the language and the direction that the app names, and none that it does not`() async throws
    {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        let facts = "[document.documentElement.lang, document.documentElement.dir]"
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try browser.enter(frame: "#view iframe")

        let before = try browser.read(facts)
        try await Self.show("<html lang='he' dir='rtl'>", round: 1, home, browser)
        let named = try browser.read(facts)
        try await Self.show("", round: 2, home, browser)
        let after = try browser.read(facts)
        try browser.enter(frame: nil)

        #expect(before == "," && named == "he,rtl" && after == ",")
      }
    }

    @Test func `a view with odd attributes is drawn whole, and one of frames alone is empty`() async throws {
      try await withProbeOnScreen(.init(shows: true)) { home, probe, screen in
        let browser = screen.browser
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the view is drawn", for: Self.isDrawn)
        try browser.enter(frame: "#view iframe")

        try await Self.show("<p id='odd'>odd</p>", round: 1, home, browser)
        try await Self.show("<p id='odd' @click='x' hi\"='y'>odd</p>", round: 2, home, browser)
        let count = try browser.read("document.querySelector('#odd').attributes.length")
        try browser.enter(frame: nil)
        _ = try browser.read("show(document.querySelector('#view iframe'), '<frameset><frame></frameset>')")
        try browser.enter(frame: "#view iframe")
        try await browser.wait("nothing is left", for: "document.body.childNodes.length", toBe: "0")
        try browser.enter(frame: nil)

        #expect(count == "3")
      }
    }

    /// Has the app show some markup, and waits until it is there.
    private static func show(_ markup: String, round: Int, _ home: Home, _ browser: Browser) async throws {
      let fields = ["markup": markup + "<p id='round'>\(round)</p>"]
      _ = try await home.call(ControlInterface.Act.self, .init(app: Probe.id, action: "draw", fields: fields))
      let shown = "document.querySelector('#round')?.textContent"
      try await browser.wait("round \(round) is drawn", for: shown, toBe: "\(round)")
    }

    private static let cards = "document.querySelectorAll('#cards .card').length"
    private static let focusedCard = "document.activeElement.closest('.card')?.dataset.app"
    private static let isDrawn = "Boolean(document.querySelector('#view iframe')?.dataset.drawn)"
    private static let count = "document.querySelector('#count').textContent"
    private static let note = "document.querySelector('#note').textContent"
    private static let field = "document.querySelector('[name=note]').value"
  }
}
