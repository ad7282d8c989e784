import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// The home screen in a real browser, over a real daemon and real apps.
  @Suite struct HomeScreenTests {
    @Test func `an app is opened with a tap, left with the home button, and comes back as the same process`()
      async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let (state, shown) = (screen.state(of: Probe.id), Screen.shown)

        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the app is on the screen", for: shown, toBe: Probe.id)
        try await browser.wait("the app is in the foreground", for: state, toBe: "foreground")
        let pid = try await screen.pid(of: Probe.id)
        try await browser.click("#press")
        try await browser.wait("the screen is home", for: shown, toBe: "none")
        try await browser.wait("the app is suspended", for: state, toBe: "suspended")
        try await browser.click(screen.icon(Probe.id))
        try await browser.wait("the app is in the foreground again", for: state, toBe: "foreground")

        #expect(try await screen.pid(of: Probe.id) == pid)
        #expect(try browser.read("location.hash + location.search + document.cookie") == "")
      }
    }

    @Test func `the keyboard alone opens an app, leaves it, and says where it is`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let focused = "document.activeElement.getAttribute('aria-label')"

        try await browser.wait("tabs lead to the app's icon", for: "\(focused)?.startsWith('Probe 1')") {
          try browser.press(.tab)
        }
        let label = try browser.read(focused)
        try browser.press(.enter)
        try await browser.wait("the app is in the foreground", for: screen.state(of: Probe.id), toBe: "foreground")
        let heading = try browser.read("document.activeElement.textContent")
        try browser.press(.escape)
        try await browser.wait("a reader is told", for: Screen.said, toBe: "Probe 1 is suspended")

        #expect(label == "Probe 1, does not run" && heading == "Probe 1")
        #expect(try browser.read(focused).hasPrefix("Probe 1, "))
      }
    }

    @Test func `the status bar says what the device runs on, with or without a battery, and what is simulated`()
      async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let label = "document.querySelector('#power').getAttribute('aria-label')"
        func says(_ words: String, once settings: [String]) async throws {
          try await home.run(["device", "set"] + settings)
          try await screen.browser.wait(words, for: label, toBe: "Power: \(words), simulated. Conditions")
        }

        try await says("External power", once: ["power=external", "charging=no"])
        try await says("Battery", once: ["power=battery"])
        try await says("80 %", once: ["power=external", "battery=80"])
        try await says("80 %, charging", once: ["charging=yes"])
        try await home.run(["device", "reset"])
        try await screen.browser.wait("nothing is simulated", for: "!\(label).includes('simulated')")
      }
    }

    @Test func `what others do appears by itself, and so does the daemon's end and return`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let away = "document.querySelector('#away').textContent"

        try await home.run(["launch", Probe.id])
        try await browser.wait("the app is on the screen", for: Screen.shown, toBe: Probe.id)
        try await home.run(["leave"])
        try await browser.wait("the screen is home", for: Screen.shown, toBe: "none")
        home.crash()
        try await browser.wait("the page says so", for: "\(away).includes('daemon')")
        try await home.start()
        try await browser.wait("the page goes on", for: away, toBe: "")
        try await home.run(["launch", Probe.id])

        try await browser.wait("the app is on the screen", for: Screen.shown, toBe: Probe.id)
        try await home.run(["uninstall", Probe.id])
        try await browser.wait("its icon is gone", for: screen.state(of: Probe.id), toBe: "undefined")
      }
    }

    @Test func `a page whose server has gone says how to go on, and so does the door`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let words = "textContent.includes('open the address that it prints')"

        screen.server.send(SIGKILL)
        try await screen.browser.wait("the page says so", for: "document.querySelector('#away').\(words)")
        _ = try screen.browser.read("[leave(), location.hash = '#AAAA-AAAA-AAAA'].length")

        try await screen.browser.wait("the door says so", for: "document.querySelector('#refused').\(words)")
      }
    }

    @Test(.enabled(if: Rights.mayMakeMachines, "only root may mount"))
    func `the page says that the database cannot be written, for as long as it cannot`() async throws {
      try await withHome(.impatient) { home in
        let (probe, state) = (Probe(home: home), home.path + "/state")
        try Files.folder(state)
        try #require(mount("tmpfs", state, "tmpfs", 0, "size=4m,mode=700") == 0)
        defer { umount2(state, Int32(MNT_DETACH)) }
        try probe.instruct(.init())
        try await home.start()
        try await probe.install()
        try await withScreen(of: home) { screen in
          let banner = "document.querySelector('#away').textContent"
          try await screen.open()
          Files.fill(diskBy: state + "/ballast")
          _ = try await home.command(["launch", Probe.id]).ended()
          try await screen.browser.wait("the page says so", for: "\(banner).includes('cannot be written')")
          _ = try screen.browser.read("[apps.clear(), draw()]")  // As on a page that is opened only now.
          try await screen.browser.wait(
            "the dock stays below",
            for: "!document.querySelector('#apps .icon') "
              + "&& document.querySelector('#dock').getBoundingClientRect().top > innerHeight / 2")
          try FileManager.default.removeItem(atPath: state + "/ballast")
          try await screen.browser.wait("the page goes on", for: banner, toBe: "")
        }
      }
    }

    @Test func `a transfer's progress is shown, and it can be paused, resumed, explained and cancelled`() async throws {
      let server = try await HTTPTestServer.start()
      let film = Serving(Content(seed: 3, size: 2_000_000))
      let half = film.with { ($0.speed, $0.mishap, $0.mishapAfter) = (200_000, .hold, 1_000_000) }
      server.play("/film.mp4", .serve(half))
      try await withProbeOnScreen(.init(transfers: [.init(name: "film", url: server.url("/film.mp4"))])) {
        home, probe, screen in
        let browser = screen.browser
        let row = "document.querySelector('#transfers .transfer')"
        let done = "Number(\(row).querySelector('.meter').getAttribute('aria-valuenow'))"

        try await home.run(["launch", Probe.id])
        try await eventually("the download is under way") { !server.requests("/film.mp4").isEmpty }
        try await browser.click("#press")
        try await browser.click("[data-opens=transfers]")
        try await browser.wait("its progress is shown", for: "\(row) && \(done) > 10")
        try await browser.click("#transfers [data-deed=Pause]")
        try await browser.wait("it is paused", for: "\(row).dataset.state", toBe: "suspended")
        try await browser.click("#transfers .why-button")
        try await browser.wait("it says why", for: "\(row).querySelectorAll('.reasons li').length > 0")
        let why = try browser.read("\(row).querySelector('.reasons').textContent")
        try await browser.click("#transfers [data-deed=Resume]")
        try await browser.wait("it goes on", for: "\(row).dataset.state", toBe: "running")
        try await browser.click("#transfers [data-deed=Cancel]")
        try await browser.wait("it is over", for: "\(row) === null || \(row).dataset.state === 'failed'")

        #expect(why.contains("suspended"), "it said: \(why)")
      }
      try await server.stop()
    }

    @Test func `that a transfer's reasons cannot be had is said only to a person who has asked for them`() async throws
    {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let alerts = "document.querySelectorAll('#banners [role=alert]').length"
        let failing = "(fetch = async () => Response.json({ code: 'refused', message: 'no' }, { status: 409 }))"

        try await home.run([
          "download", "http://127.0.0.1:9/film", "-o", home.folder + "/film", "--no-wait", "--not-before",
          "2037-01-31T03:00:00Z",
        ])
        try await browser.click("[data-opens=transfers]")
        try await browser.click("#transfers .why-button")
        try await browser.wait("it says why", for: "document.querySelectorAll('#transfers .reasons li').length > 0")
        _ = try browser.read("[\(failing), [...transfers.values()].map((one) => (one.verdict = 'another')), draw()]")
        try await browser.wait(
          "it stands otherwise", for: "document.querySelector('#transfers .verdict').textContent.endsWith('another')")
        let unasked = try browser.read(alerts)
        try await browser.click("#transfers .why-button")
        try await browser.click("#transfers .why-button")
        try await browser.wait("who asks is told", for: alerts, toBe: "1")

        #expect(unasked == "0")
      }
    }

    @Test func `a transfer is called by its file, and what it waits for is said in the time here`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let row = "document.querySelector('#transfers .transfer')"
        let target = home.folder + "/lecture.mp4"

        try await home.run([
          "download", "http://127.0.0.1:9/v/4711", "-o", target, "--no-wait", "--not-before", "2037-01-31T03:00:00Z",
        ])
        try await browser.click("[data-opens=transfers]")
        try await browser.wait("it is listed", for: "\(row) !== null")
        let name = try browser.read("\(row).querySelector('.name').textContent")
        let words = try browser.read("\(row).querySelector('.verdict').textContent")
        let here = try browser.read("when(Date.parse('2037-01-31T03:00:00Z'))")
        let part = try browser.read("\(row).querySelector('.meter').getAttribute('aria-valuenow')")

        #expect(name == "↓ lecture.mp4")
        #expect(part == "null", "nobody knows yet how long it is")
        #expect(words.contains(here) && here.contains("2037") && !words.contains("T03:00:00Z"), "it said: \(words)")
      }
    }

    @Test func `on a screen of 320 pixels nothing sticks out, and words have the width of their row`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let within = { (parts: String) in
          "[...document.querySelectorAll('\(parts)')].every((part) => part.getBoundingClientRect().right <= 320)"
        }
        let width = { (part: String) in "document.querySelector('\(part)')?.clientWidth" }
        let apps = "[1, 2, 3, 4].map((n) => apps.set(`app${n}`, { ...[...apps.values()][0], id: `app${n}` }))"
        let notice = "notices.set(1, { id: 1, app: 'app1', body: 'Tea is ready. '.repeat(9), firedAt: Date.now() })"

        try browser.resize(width: 320, height: 480)
        try await home.run(["download", "http://127.0.0.1:9/film", "-o", home.folder + "/film", "--no-wait"])
        _ = try browser.read("[\(apps), \(notice), draw()]")
        try await browser.wait(
          "there are five icons", for: "document.querySelectorAll('#apps .icon').length", toBe: "5")
        try await browser.wait("the home screen fits", for: within("#home button"))
        for sheet in ["transfers", "notices", "fetches", "conditions", "settings"] {
          try await browser.click("[data-opens=\(sheet)]")
          let parts = ["span", "label", "button", "p", "li"].map { "#\(sheet) \($0)" }.joined(separator: ", ")
          try await browser.wait("\(sheet) fits", for: within(parts))
          try await browser.click("#\(sheet) .done")
        }
        for (words, row) in [("#transfers .verdict", "#transfers .transfer"), ("#notices .text", "#notices .row")] {
          try await browser.click("[data-opens=\(row.dropFirst().prefix { $0 != " " })]")
          try await browser.wait("\(words) are wide", for: "\(width(words)) > 0.5 * \(width(row))")
          try await browser.click("dialog[open] .done")
        }
        #expect(try browser.read("document.documentElement.scrollWidth") == "320")
      }
    }

    @Test func `an app's name and identifier stick out of nothing, however long they are`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let name = String(repeating: "x", count: 80)
        let app = "{ ...apps.get('\(Probe.id)'), id: 'dev.nightjar.\(name)', name: '\(name)' }"
        let fits = { (part: String) in
          "((part) => part.scrollWidth <= part.clientWidth)(document.querySelector('\(part)'))"
        }

        try browser.resize(width: 320, height: 480)
        _ = try browser.read("[apps.set('\(Probe.id)', \(app)), showAbout('\(Probe.id)')]")
        try await browser.wait("it is named", for: "document.querySelector('#about-title').textContent", toBe: name)
        let sheet = try browser.read("\(fits("#about header")) && \(fits("#about .body"))")
        _ = try browser.read("[closeDialogs(), (known.opening = '\(Probe.id)'), draw()]")
        try await browser.wait("it is shown", for: "document.querySelector('.plain h3')?.textContent", toBe: name)
        let screenful = try browser.read(fits(".plain"))

        #expect(sheet == "true" && screenful == "true")
      }
    }

    @Test func `the home screen is as wide as the window, whatever that is`() async throws {
      try await withProbeOnScreen { _, _, screen in
        for width in [320, 400, 480, 481, 500, 520, 521, 560, 800, 801] {
          try screen.browser.resize(width: width, height: 700)
          try await screen.browser.wait(
            "nothing sticks out of \(width) pixels", for: "document.documentElement.scrollWidth", toBe: "\(width)")
        }
      }
    }

    @Test func `a name that is written from the right is cut at its end`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let name = String(repeating: "\u{5D9}\u{5D5}\u{5DE}\u{5DF} ", count: 12)
        let isCut =
          "((name) => name && getComputedStyle(name).direction === 'rtl' && name.scrollWidth > name.clientWidth)"

        _ = try browser.read("[apps.set('\(Probe.id)', { ...apps.get('\(Probe.id)'), name: '\(name)' }), draw()]")
        try await browser.wait(
          "its icon's label begins with its beginning", for: "\(isCut)(document.querySelector('#apps .label'))")
        try browser.resize(width: 320, height: 480)
        try await browser.click("[data-opens=settings]")

        try await browser.wait("its row does, too", for: "\(isCut)(document.querySelector('#settings .apps .name'))")
      }
    }

    @Test func `what has the focus stands out, in a list and on a choice that is made`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let choice = "document.querySelector('#conditions label:has(:checked:focus-visible)')"
        let row = "getComputedStyle(document.querySelector('#settings .apps .row:focus-visible'))"

        try await browser.click("[data-opens=conditions]")
        try await browser.wait("the choice has the focus", for: "\(choice) !== null") { try browser.press(.tab) }
        let isOfItsColour = try browser.read(
          "((style) => style.outlineColor === style.backgroundColor)(getComputedStyle(\(choice)))")
        try await browser.click("#conditions .done")
        try await browser.click("[data-opens=settings]")
        try await browser.wait("the row has the focus", for: "document.activeElement.matches('#settings .apps .row')") {
          try browser.press(.tab)
        }
        let offset = try browser.read("parseFloat(\(row).outlineOffset) + parseFloat(\(row).outlineWidth)")

        #expect(isOfItsColour == "false")
        #expect(offset == "0", "what lies outside the list's round corners is cut off")
      }
    }

    @Test func `conditions are simulated from the page and from elsewhere, and marked as such`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let signal = "document.querySelector('#signal').textContent"
        let isMarked = "document.querySelector('#signal').classList.contains('simulated')"

        try await browser.click("[data-opens=conditions]")
        try await browser.click("#conditions [data-signal=network] label:has([value=cellular])")
        try await browser.wait("the bar shows it", for: signal, toBe: "Cellular")
        let device = try await home.call(ControlInterface.ShowDevice.self).device
        let mark = try browser.read(isMarked)
        let withoutSwitch = try browser.read(
          "[...document.querySelectorAll('#conditions [data-signal]')].filter((row) => !row.querySelector('input'))"
            + ".map((row) => row.textContent)")
        try await home.run(["device", "set", "network=none"])
        try await browser.wait("the bar shows what another has set", for: signal, toBe: "No network")
        try await browser.click("#conditions .deed")
        try await browser.wait("what is sensed counts again", for: isMarked, toBe: "false")

        #expect(device.network == .cellular && device.simulated == ["network"] && mark == "true")
        #expect(withoutSwitch == "AsleepNo", "nobody can simulate it, so there is nothing to press")
        #expect(try await home.call(ControlInterface.ShowDevice.self).device.simulated.isEmpty)
      }
    }
  }
}

extension Browser {
  /// Does something again and again until an expression is true in the page.
  func wait(_ what: String, for expression: String, doing deed: () async throws -> Void) async throws {
    try await eventually(what) {
      if try read(expression) == "true" { return true }
      try await deed()
      return false
    }
  }
}

extension Screen {
  fileprivate func pid(of app: String) async throws -> Int64? {
    try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == app }?.pid
  }
}
