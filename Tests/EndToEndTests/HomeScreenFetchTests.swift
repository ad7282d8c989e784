import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Background fetch on the home screen, in a real browser.
  @Suite struct HomeScreenFetchTests {
    private static let card = "document.querySelector(\"#fetches [data-app='\(WeatherStage.id)']\")"
    private static let timeline = "\(card)?.querySelector('.timeline').getAttribute('aria-label')"
    private static let verdict = "\(card)?.querySelector('.verdict').textContent"

    @Test func `a fetch is asked for with the keyboard, and appears on the time line with its outcome`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let weather = try await WeatherStage(home: home)
        try await weather.leave()
        try await withScreen(of: home) { screen in
          let browser = screen.browser
          try await screen.open()

          try await browser.click("[data-opens=fetches]")
          try await browser.wait("it says that there was none", for: "\(Self.timeline)?.startsWith('No fetch')")
          let focused = "document.activeElement.getAttribute('aria-label')"
          try await browser.wait("tabs lead to the button", for: focused, toBe: "Fetch now: Weather") {
            try browser.press(.tab)
          }
          try browser.press(.enter)
          try await browser.wait("the outcome is told", for: "\(Self.verdict)?.startsWith('Just now: nothing new')")
          try await browser.wait(
            "it is on the line", for: "\(Self.card).querySelectorAll('.mark.noData').length", toBe: "1")

          #expect(try browser.read(Self.timeline).hasPrefix("1 fetch in the last day"))
        }
      }
    }

    @Test func `what others do appears by itself, and what keeps an app stands there in words`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let weather = try await WeatherStage(home: home)
        try await weather.leave()
        try await withScreen(of: home) { screen in
          let browser = screen.browser
          try await screen.open()
          try await browser.click("[data-opens=fetches]")

          weather.stopServer()
          #expect(try await weather.fetchNow() == .failed)
          try await browser.wait(
            "the failure is shown", for: "\(Self.card)?.querySelectorAll('.mark.failed').length", toBe: "1")
          try await browser.click("#fetches .all .toggle")
          try await browser.wait(
            "the setting is changed", for: "known.settings.backgroundRefresh === false && \(Self.verdict).length > 0")
          try await browser.click("#fetches .now-button")
          try await browser.wait("the setting keeps it", for: "\(Self.verdict)?.includes('Background App Refresh')")
          try await browser.click("#fetches [data-app='\(WeatherStage.id)'] .row")
          try await browser.wait(
            "the app's sheet has its decisions",
            for: "document.querySelectorAll('#about .made li .mark.failed').length", toBe: "1")

          try await browser.wait(
            "and what was learned of its day",
            for: "document.querySelectorAll('#about .learned:not([hidden]) .day rect').length", toBe: "96")
          let weekday = try browser.read(
            "document.querySelector('#about [data-day=Weekday] svg').getAttribute('aria-label')")

          #expect(weekday.hasPrefix("Weekday: "))
          #expect(try await home.call(ControlInterface.ListSettings.self).backgroundRefresh == false)
        }
      }
    }

    @Test func `a task of upkeep is said to run and to be completed, and is no fetch on the time line`() async throws {
      let tidy = Instructions.Task(identifier: "tidy", isProcessing: true, after: 3600, waitsWhile: "busy")
      try await withFetcher(.init(tasks: [tidy]), permitted: ["tidy"]) { home, probe in
        try Files.write([], to: probe.documents + "/busy")
        try await probe.launch()
        try await eventually("it is pending") { probe.heard.contains { $0.call == "pending" } }
        try await home.run(["leave"])
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        try await withScreen(of: home) { screen in
          let browser = screen.browser
          let words = "[...document.querySelectorAll('#about .made .text')].map((row) => row.textContent).join(' ')"
          try await screen.open()
          try await browser.click("[data-opens=settings]")
          try await browser.click("#settings .apps [data-key='\(Probe.id)']")

          let run = try home.command(["fetch", "now", "--task", "tidy", Probe.id])
          try await browser.wait(
            "it is said to run", for: "document.querySelector('#about .verdict').textContent",
            toBe: "Runs the task “tidy” now…")
          try FileManager.default.removeItem(atPath: probe.documents + "/busy")
          try await browser.wait("it is said to be completed", for: "\(words).includes(\": completed in \")")

          #expect(try await run.ended() == 0)
          #expect(try browser.read("\(words).includes('new content')") == "false")
          let timeline = try browser.read("document.querySelector('#about .timeline').getAttribute('aria-label')")
          #expect(timeline.hasPrefix("No fetch in the last day"), "\(timeline)")
        }
      }
    }
  }
}

extension Browser {
  /// Does something again and again until an expression is worth something in the page.
  func wait(_ what: String, for expression: String, toBe wanted: String, doing deed: () throws -> Void) async throws {
    try await eventually(what) {
      if try read(expression) == wanted { return true }
      try deed()
      return false
    }
  }
}
