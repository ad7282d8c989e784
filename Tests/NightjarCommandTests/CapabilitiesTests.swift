import FoundationEssentials
import NightjarCommand
import NightjarWire
import Testing

@Suite(.timeLimit(.minutes(2))) struct CapabilitiesTests {
  @Test(arguments: [
    (["add", "fetch"], false), (["remove", "processing"], false), (["add", "processing"], true),
    (["remove", "fetch"], true),
  ])
  func `an app is installed anew only if it declares something else`(deed: [String], isChange: Bool) async throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.folder + "/App.app", withIntermediateDirectories: true)
    try bench.script("#!/bin/sh\n", to: "App.app/App")
    try bench.write(
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>dev.example.App</string>
      <key>CFBundleExecutable</key><string>App</string>
      <key>UIBackgroundModes</key><array><string>fetch</string></array>
      </dict></plist>
      """, to: "App.app/Info.plist")
    let app = ControlInterface.App(
      id: "dev.example.App", name: "App", path: bench.folder + "/App.app", state: .background, pid: 9, transfers: 0,
      waiting: 0)
    let daemon = try TestDaemon(bench.socket) { $0.apps = [app] }

    #expect(await Program.run(["capabilities", "dev.example.App"] + deed + ["--json"], in: bench.surroundings()) == 0)

    #expect(daemon.read { $0.deeds.count } == (isChange ? 1 : 0))
    #expect(bench.screen.output.contains("\"fetch\"") == (deed != ["remove", "fetch"]))
    daemon.stop()
  }
}
