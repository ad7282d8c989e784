import Foundation
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// A program in a terminal as an app.
  @Suite struct TerminalTests {
    private static let app = "com.example.Shell"

    @Test func `a program in a terminal is an app: seen, typed into, left, and ended with it`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let script = "echo \"size $(stty size) on $TERM\"; while read word; do echo \"<$word>\"; done; exit 7"
        try await home.run(["bundle", "Shell", "--terminal", "--output", home.folder, "--", "sh", "-c", script])
        try await home.run(["install", home.folder + "/Shell.app"])
        try await home.run(["launch", Self.app])
        try await eventually("it is seen") { try await Self.view(home).contains("size 24 80 on xterm-256color") }

        try await home.run(["act", Self.app, "type", "text=a & b"])
        try await eventually("it has read") { try await Self.view(home).contains("&lt;a &amp; b&gt;") }
        try await home.run(["leave"])
        try await eventually("it is suspended") {
          try await home.call(ControlInterface.ListApps.self).apps.first?.state == .suspended
        }
        let snapshot = try await home.run(["view", "--snapshot", Self.app])
        try await home.run(["launch", Self.app])
        try await eventually("it is back") { try await Self.view(home).contains("&lt;a &amp; b&gt;") }
        try await home.run(["act", Self.app, "end"])
        try await eventually("it ends with its program") {
          try await home.call(ControlInterface.ListApps.self).apps.first?.lastEnd == "exited 7"
        }

        #expect(snapshot.contains("&lt;a &amp; b&gt;"))
      }
    }

    @Test func `it ends with its program, even if another process keeps the terminal open`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let held = home.folder + "/held"
        try Files.write([], to: held)
        let holder = "trap '' HUP; while [ -e \(held) ]; do sleep 0.1; done &"
        let script = "\(holder) echo ready; read word; echo \"last words\"; exit 7"
        try await home.run(["bundle", "Shell", "--terminal", "--output", home.folder, "--", "sh", "-c", script])
        try await home.run(["install", home.folder + "/Shell.app"])
        try await home.run(["launch", Self.app])
        try await eventually("it is ready") { try await Self.view(home).contains("ready") }

        try await home.run(["act", Self.app, "end"])

        try await eventually("it ends with its program") {
          try await home.call(ControlInterface.ListApps.self).apps.first?.lastEnd == "exited 7"
        }
        try FileManager.default.removeItem(atPath: held)
      }
    }

    @Test func `what is typed arrives whole, even if it is long and the program takes its time`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let script = "stty raw -echo; echo ready; until [ -e go ]; do :; done; head -c 60001 | wc -c; cat"
        let command = ["sh", "-c", "cd \(home.folder) && \(script)"]
        try await home.run(["bundle", "Shell", "--terminal", "--output", home.folder, "--"] + command)
        try await home.run(["install", home.folder + "/Shell.app"])
        try await home.run(["launch", Self.app])
        try await eventually("it is ready") { try await Self.view(home).contains("ready") }

        let text = String(repeating: "x", count: 60_000)
        _ = try await home.call(ControlInterface.Act.self, .init(app: Self.app, action: "type", fields: ["text": text]))
        try Files.write("".utf8, to: home.folder + "/go")

        try await eventually("all of it has arrived") {
          try await Self.view(home).contains("60001")
        }
      }
    }

    @Test func `a terminal without a program is refused in words`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        try await home.run(["bundle", "Nothing", "--terminal", "--output", home.folder, "--", "/no/such/program"])
        try await home.run(["install", home.folder + "/Nothing.app"])
        try await home.run(["launch", "com.example.Nothing"])
        try await eventually("its log says why") {
          try await home.run(["log", "com.example.Nothing"]).contains("cannot start /no/such/program")
        }
      }
    }

    @Test func `outside of a bundle it says what it is, and no app comes of it`() async throws {
      try await withHome(.impatient) { home in
        try await home.start()
        let program = try Spawned(
          [Home.programs + "/nightjar-terminal", "--help"], environment: home.environment,
          output: home.folder + "/terminal.log")

        let status = try await program.ended()

        #expect(status == 2 && program.text.contains("nightjar bundle NAME --terminal"))
        #expect(try await home.call(ControlInterface.ListApps.self).apps.isEmpty)
      }
    }

    private static func view(_ home: Home) async throws -> String {
      try await home.call(ControlInterface.ShowView.self, .init(app: app)).html ?? ""
    }
  }
}
