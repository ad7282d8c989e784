import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Notifications and settings on the home screen, in a real browser.
  @Suite struct HomeScreenNoticeTests {
    @Test func `a notification comes as a banner and a badge, and a tap on it opens the app`() async throws {
      try await withProbeOnScreen(.init(notices: [.init(name: "tea", after: 6, badge: 3)])) { home, probe, screen in
        let browser = screen.browser
        let badge = "document.querySelector('#apps .badge').textContent"
        let waiting = "document.querySelector('#dock [data-opens=notices] .badge').textContent"

        try await probe.launch()
        try await eventually("it is scheduled") { probe.heard.contains { $0.call == "scheduled" } }
        try await browser.click("#press")
        try await browser.wait(
          "the banner is there", for: "document.querySelectorAll('#banners .banner').length", toBe: "1")
        let words = try browser.read("document.querySelector('#banners .banner').textContent")
        try await browser.wait("the icon has its badge", for: badge, toBe: "3")
        try await browser.wait("it waits in the centre", for: waiting, toBe: "1")
        try await browser.click("#banners .banner")
        try await browser.wait("the app is on the screen", for: Screen.shown, toBe: Probe.id)
        try await eventually("the app is told") { probe.heard.contains { $0.call == "didReceive" } }

        #expect(words.contains("tea") && words.contains("Probe 1"))
        try await browser.wait("the centre is empty", for: waiting, toBe: "")
      }
    }

    @Test func `a banner is seen above the sheet that is open, and a tap on it leads to the app`() async throws {
      try await withProbeOnScreen(.init(notices: [.init(name: "tea", after: 6)])) { home, probe, screen in
        let browser = screen.browser
        let banner = "document.querySelector('#banners .banner')"
        let box = "\(banner).getBoundingClientRect()"
        let isOnTop =
          "\(banner) !== null && \(banner).contains(document.elementFromPoint(\(box).x + \(box).width / 2, "
          + "\(box).y + \(box).height / 2))"

        try await probe.launch()
        try await eventually("it is scheduled") { probe.heard.contains { $0.call == "scheduled" } }
        try await browser.click("#press")
        try await browser.click("[data-opens=settings]")
        try await browser.wait("nothing covers the banner", for: isOnTop)
        try await browser.click("#banners .banner")
        try await browser.wait("the app is on the screen", for: Screen.shown, toBe: Probe.id)

        #expect(try browser.read("document.querySelectorAll('dialog[open]').length") == "0")
      }
    }

    @Test func `a long notification covers neither the screen nor its keys, and neither do many`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let notice = { (id: Int) in "{ id: \(id), app: '\(Probe.id)', body: 'word '.repeat(500), firedAt: Date.now() }"
        }
        let height = { (path: String) in "document.querySelector('\(path)').getBoundingClientRect().height" }

        try browser.resize(width: 360, height: 640)
        _ = try browser.read("[\((1...5).map { "learnNotice(\(notice($0)), true)" }.joined(separator: ", "))]")
        let banner = try browser.read("\(height("#banners .banner")) < 160")
        let banners = try browser.read("\(height("#banners")) <= 320")
        try await browser.click("[data-opens=notices]")
        let row = "document.querySelector('#notices .row') && \(height("#notices .row")) < 200"

        try await browser.wait("a row is short, too", for: row)
        #expect(banner == "true" && banners == "true")
      }
    }

    @Test func `a notification in the centre has its app's present name, and its day once that is over`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let notice = "{ id: 1, app: '\(Probe.id)', body: 'Tea is ready.', firedAt: Date.now() }"
        let words = "['.name', '.value'].map((part) => document.querySelector('#notices .row ' + part)?.textContent)"
        let day = "Date.now() - 2 * 86400000"

        try await browser.wait("all is known", for: "known.waiting === null")
        _ = try browser.read("learnNotice(\(notice), false)")
        try await browser.click("[data-opens=notices]")
        try await browser.wait("it is listed", for: "\(words)[0]", toBe: "Probe 1")
        _ = try browser.read("[(apps.get('\(Probe.id)').name = 'Tea'), (notices.get(1).firedAt = \(day)), draw()]")

        try await browser.wait("its name is the new one", for: "\(words)[0]", toBe: "Tea")
        #expect(try browser.read("\(words)[1] === when(notices.get(1).firedAt)") == "true")
      }
    }

    @Test func `what a person allows is changed in the settings, for all apps and for one`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let isOn = "document.querySelector('#refresh-all input')?.checked"

        try await browser.click("[data-opens=settings]")
        try await browser.wait("it is allowed", for: isOn)
        try await browser.click("#refresh-all input")
        try await eventually("the daemon knows") { try await !home.settings().backgroundRefresh }
        try await browser.click("#settings .apps .row")
        try await browser.wait("it is told why", for: "document.querySelector('#about .why li') !== null")
        try await browser.click("#about [data-permission=alerts] input")
        try await eventually("the daemon knows of the app's alerts") {
          try await home.settings().apps.first?.alerts == false
        }

        #expect(try browser.read(isOn) == "false")
        #expect(try await home.settings().apps.first?.badges == true)
      }
    }

    @Test func `what is allowed elsewhere, and to a new app, is seen on the sheets that are open`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let other = Probe(home: home, app: "dev.nightjar.other")
        let alerts = "document.querySelector('#about [data-permission=alerts] input').checked"

        try await browser.click("[data-opens=settings]")
        try await home.run(["settings", "background-refresh=off"])
        try await browser.wait(
          "it is not allowed", for: "document.querySelector('#refresh-all input')?.checked", toBe: "false")
        try await other.install()
        try await browser.click("#settings .apps [data-key='\(other.app)']")
        try await browser.wait(
          "the new app has some", for: "document.querySelector('#about .permissions').hidden", toBe: "false")
        let before = try browser.read(alerts)
        try await home.run(["settings", other.app, "alerts=off"])

        try await browser.wait("its alerts are off", for: alerts, toBe: "false")
        #expect(before == "true")
      }
    }

    @Test func `the sheet about an app closes when the app is uninstalled, and that of another stays`() async throws {
      try await withProbeOnScreen { home, probe, screen in
        let browser = screen.browser
        let other = Probe(home: home, app: "dev.nightjar.other")
        let isOpen = "document.querySelector('#about').open"
        let row = { (app: String) in "#settings .apps [data-key='\(app)']" }
        try await other.install()
        try await browser.click("[data-opens=settings]")
        try await browser.click(row(Probe.id))
        try await browser.wait("it is open", for: isOpen)

        try await home.run(["uninstall", other.app])
        try await browser.wait(
          "the other app is gone", for: "document.querySelector(\"\(row(other.app))\") === null")
        let before = try browser.read(isOpen)
        try await home.run(["uninstall", Probe.id])

        try await browser.wait("it is closed", for: isOpen, toBe: "false")
        #expect(before == "true")
      }
    }
  }
}

extension Home {
  fileprivate func settings() async throws -> ControlInterface.ListSettings.Reply {
    try await call(ControlInterface.ListSettings.self)
  }
}
