import Foundation
import NightjarClient
import NightjarWire
import Patience
import Testing

extension EndToEndTests {
  /// Tasks that an app puts off with `BGTaskScheduler`.
  @Suite struct RequestTests {
    @Test func `requests are kept over a killed daemon, run when they are asked for, and are no longer pending then`()
      async throws
    {
      let tasks: [Instructions.Task] = [
        .init(identifier: "news", after: 3600), .init(identifier: "tidy", isProcessing: true, after: 3600),
      ]
      try await withFetcher(.init(tasks: tasks), permitted: ["news", "tidy"]) { home, probe in
        try await probe.launch()
        try await eventually("both are pending") { probe.heard.contains { $0.call == "pending" } }
        try await home.run(["leave"])
        try await eventually("it is suspended") { try await probe.state() == .suspended }
        home.crash()
        try await home.start()

        let before = try await probe.fetches()?.requests.map(\.identifier)
        let outcome = try await probe.fetchNow(task: "tidy")
        let after = try await probe.fetches()?.requests.map(\.identifier)
        try await eventually("it is suspended again") { try await probe.state() == .suspended }

        #expect(probe.named("pending") == ["news tidy"] && before == ["news", "tidy"] && after == ["news"])
        #expect(outcome == .newData, "a task that is completed with success counts as news")
        #expect(probe.calls.suffix(2) == ["launchHandler", "completed"])
        #expect(probe.named("completed") == ["tidy"] && Set(probe.heard.map(\.pid)).count == 1)
      }
    }

    @Test func `a task is launched for, and told five seconds before its time is up`() async throws {
      let tasks: [Instructions.Task] = [
        .init(identifier: "tidy", isProcessing: true, after: 3600, waitsWhile: "busy")
      ]
      let limits = ["NIGHTJAR_PROCESSING_TIMEOUT": "6"]
      try await withFetcher(.init(tasks: tasks), limits, permitted: ["tidy"]) { home, probe in
        try Files.write([], to: probe.documents + "/busy")
        try await probe.launch()
        try await eventually("it is pending") { probe.heard.contains { $0.call == "pending" } }
        try await probe.terminate()
        try await eventually("it has ended") { try await probe.state() == .notRunning }

        let outcome = try await probe.fetchNow(task: "tidy")

        #expect(outcome == .failed)
        let calls = probe.calls.drop { $0 != "launchHandler" }
        #expect(calls.prefix(2) == ["launchHandler", "expirationHandler"], "it heard \(probe.calls)")
        #expect(Set(probe.heard.map(\.pid)).count == 2)
      }
    }

    @Test func `what is not declared, and one too many, is refused with Apple's codes`() async throws {
      let tasks: [Instructions.Task] = [
        .init(identifier: "news"), .init(identifier: "more"), .init(identifier: "strange"),
      ]
      try await withFetcher(.init(tasks: tasks), permitted: ["news", "more"]) { _, probe in
        try await probe.launch()
        try await eventually("it has submitted them") { probe.heard.contains { $0.call == "pending" } }

        let refused = probe.heard.filter { $0.call == "notSubmitted" }
        #expect(probe.named("submitted") == ["news"] && probe.named("notRegistered") == ["strange"])
        #expect(refused.map(\.name) == ["more", "strange"] && refused.map(\.error) == [2, 3])
      }
    }

    @Test func `a mode that is not declared is refused with the command that declares it`() async throws {
      let tasks: [Instructions.Task] = [.init(identifier: "tidy", isProcessing: true)]
      try await withFetcher(.init(tasks: tasks), permitted: ["tidy"]) { home, probe in
        try await home.run(["capabilities", Probe.id, "remove", "processing"])

        try await probe.launch()
        try await eventually("it has tried") { probe.heard.contains { $0.call == "notSubmitted" } }

        let refused = probe.heard.first { $0.call == "notSubmitted" }
        #expect(refused?.error == 3)
        #expect(refused?.detail?.contains("nightjar capabilities \(Probe.id) add processing") == true)
      }
    }
  }
}

extension Probe {
  /// The names that stand beside a call.
  fileprivate func named(_ call: String) -> [String] { heard.filter { $0.call == call }.compactMap(\.name) }
}
