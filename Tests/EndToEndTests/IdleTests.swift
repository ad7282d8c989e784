import Foundation
import Patience
import ScriptedServer
import Testing

extension EndToEndTests {
  /// What a daemon does while there is nothing to do.
  @Suite struct IdleTests {
    @Test func `nothing wakes a daemon that has nothing to do, also after it had something`() async throws {
      let server = try await HTTPTestServer.start()
      server.play("/page", .answer(status: 200, body: "here"))
      try await withHome { home in
        try await home.start()
        try await home.run([
          "download", server.url("/page").replacing("127.0.0.1", with: "localhost"), "-o", home.folder + "/p",
        ])

        try await eventually("no timer of its rings soon") {
          try #require(home.daemon?.timers).allSatisfy { $0 > .seconds(2) }
        }
      }
      try await server.stop()
    }
  }
}

extension Spawned {
  /// In how long each of the process's timers rings that is set (timerfd_create(2), proc(5)).
  fileprivate var timers: [Duration] {
    Files.names("/proc/\(pid)/fdinfo").compactMap { name in
      let text = Files.text("/proc/\(pid)/fdinfo/\(name)")
      guard let match = text.firstMatch(of: /it_value: \((\d+), (\d+)\)/) else { return nil }
      guard let seconds = Int64(match.1), let rest = Int64(match.2), seconds > 0 || rest > 0 else { return nil }
      return .seconds(seconds) + .nanoseconds(rest)
    }
  }
}
