import Foundation
import Patience

/// The home screen of a home, in a browser.
final class Screen {
  /// How to come in, as `nightjar home --json` prints it.
  struct Entrance: Decodable {
    var address: String
    var file: String
    var code: String
  }

  let home: Home
  let browser: Browser
  let server: Spawned

  /// All that the server has printed.
  var entrances: [Entrance] {
    server.text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Entrance.self, from: Data($0.utf8)) }
  }

  fileprivate init(_ home: Home) async throws {
    self.home = home
    server = try home.command(["home", "--no-open", "--json"])
    browser = try await Browser(folder: home.folder)
    try await eventually("the home screen is served") { !entrances.isEmpty }
  }

  /// Opens the page as a desktop does.
  func open() async throws {
    try browser.go(to: "file://" + entrances[entrances.count - 1].file)
    try await browser.wait("the page is open", for: "document.querySelectorAll('#apps .icon').length > 0")
    try await nameModules()
  }

  /// Names what the page's modules export for the scripts of tests, which see only what the window has.
  private func nameModules() async throws {
    let modules = "[...document.querySelectorAll('[rel=modulepreload]')].map((link) => import(link.href))"
    _ = try browser.read("Promise.all(\(modules)).then((all) => Object.assign(window, ...all))")
    try await browser.wait("what the modules export has a name", for: "typeof draw === 'function'")
  }

  /// What the page says of an app: the state of its icon.
  func state(of app: String) -> String { "document.querySelector(\"#apps [data-app='\(app)']\")?.dataset.state" }

  /// The app that is on the page's screen, if any.
  static let shown = "document.querySelector('#stage').hidden ? 'none' : document.querySelector('#stage').dataset.app"
  /// What the page has told a screen reader last.
  static let said = "document.querySelector('#said').textContent"

  func icon(_ app: String) -> String { "#apps [data-app='\(app)']" }

  fileprivate func close() async throws {
    browser.close()
    server.send(SIGTERM)
    _ = try await server.ended()
  }
}

/// Runs `body` with a home, the probe app in it, and its home screen open in a browser.
func withProbeOnScreen(
  _ instructions: Instructions = .init(), _ body: (Home, Probe, Screen) async throws -> Void
) async throws {
  try await withHome(.impatient) { home in
    let probe = Probe(home: home)
    try probe.instruct(instructions)
    try await home.start()
    try await probe.install()
    try await withScreen(of: home) { screen in
      try await screen.open()
      try await body(home, probe, screen)
    }
  }
}

/// Runs `body` with a browser that has the home screen of a home.
func withScreen(of home: Home, _ body: (Screen) async throws -> Void) async throws {
  let screen = try await Screen(home)
  do {
    try await body(screen)
  } catch {
    print("The home screen's last words:\n\(screen.server.text.suffix(2000))")
    try? await screen.close()
    throw error
  }
  try await screen.close()
}
