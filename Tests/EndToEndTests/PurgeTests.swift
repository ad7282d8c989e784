import Foundation
import NightjarWire
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// The removal of everything.
  @Suite struct PurgeTests {
    @Test func `a purge leaves neither an app that has yet to be told something nor one that ignores its end`()
      async throws
    {
      let film = Content(seed: 4, size: 20_000)
      let server = try await HTTPTestServer.start()
      try await withHome(.impatient) { home in
        try home.hideSystemd()
        let probe = Probe(home: home)
        let pid = try await probe.download(film, from: server)
        kill(pid, SIGSTOP)  // So it acknowledges nothing.
        server.release("/film")
        try await eventually("it has yet to be told of its film") { try await probe.waiting() == 1 }
        try await home.installStubborn()

        let said = try await home.run(["service", "uninstall", "--purge"])

        #expect(home.apps.isEmpty)
        #expect(["data", "state", "run"].filter { Files.exists("\(home.path)/\($0)") } == [], "\(said)")
        #expect(said.contains("Ended \(Probe.id)\n") && said.contains("Ended dev.test.Stubborn\n"))
      }
      try await server.stop()
    }

    @Test func `a purge ends what a daemon that was killed has left running`() async throws {
      try await withHome(.impatient) { home in
        try home.hideSystemd()
        try await home.start()
        try await home.installStubborn()
        home.crash()

        let said = try await home.run(["service", "uninstall", "--purge"])

        #expect(home.apps.isEmpty)
        #expect(said.contains("Ended dev.test.Stubborn\n") && !Files.exists(home.path + "/data"))
      }
    }
  }
}

extension Probe {
  /// How many events it has not acknowledged.
  fileprivate func waiting() async throws -> Int64? {
    try await home.call(ControlInterface.ListApps.self).apps.first { $0.id == app }?.waiting
  }
}

extension Home {
  /// What belongs to this machine's own systemd is nobody's business here.
  fileprivate func hideSystemd() throws {
    tools = folder + "/tools"
    try Files.program("exit 1", at: folder + "/tools/systemctl")
  }

  /// Installs and launches an app that does not end when it is asked to.
  fileprivate func installStubborn() async throws {
    let bundle = folder + "/Stubborn.app"
    try Files.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>dev.test.Stubborn</string>
      <key>CFBundleExecutable</key><string>run</string>
      </dict></plist>
      """.utf8, to: bundle + "/Info.plist")
    try Files.program("trap '' TERM; while :; do sleep 1; done", at: bundle + "/run")
    _ = try await call(ControlInterface.Install.self, .init(path: bundle))
    _ = try await call(ControlInterface.Launch.self, .init(app: "dev.test.Stubborn", arguments: []))
  }
}

extension Files {
  /// Makes a shell script that can be run.
  fileprivate static func program(_ script: String, at path: String) throws {
    try write("#!/bin/sh\n\(script)\n".utf8, to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }
}
