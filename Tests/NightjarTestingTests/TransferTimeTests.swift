import Foundation
import Nightjar
import NightjarTesting
import Testing

/// Where the app's own code meets the time of its transfers.
extension SimulationTests {
  @Test func `what an app queues in the background waits like a discretionary task`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ _ in }]
        Kiosk.fetches = { session in session.downloadTask(with: Kiosk.url("owl")).resume() }

        let history = try await Kiosk.simulation(Gallery()).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          fetch now at 12:00
          battery lasts 40 h
          charging 15:00-18:00
          """)

        let transfer = try #require(history.transfers.first)
        #expect(transfer.queued.clock == "12:00" && transfer.begun?.clock == "15:00" && transfer.told?.clock == "15:00")
      }
    }
  }

  @Test func `the time stands still while the server thinks`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { _ in
          let before = AppSimulation<Kiosk>.now
          let passed = await MainActor.run { AppSimulation<Kiosk>.now.timeIntervalSince(before) }
          return ServerAnswer(data: Data("\(passed)".utf8))
        }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(Kiosk.heard == ["3 of 3 bytes", "owl: 0.0"])
        #expect(history.transfers.map(\.told?.clock) == ["09:00"])
      }
    }
  }

  @Test func `an app that never says that it has handled its events is ended for it, and the time goes on`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.forgets = true
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        var simulation = Kiosk.simulation(Gallery(size: 600_000))
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run("days 2\nopens at 09:00 give or take 0 min for 1 min")

        #expect(history.transfers.map(\.told?.clock) == ["09:10"])
        #expect(history.log.contains { $0.contains("09:10: is killed: it did not call the completion handler") })
        #expect(history.launches == 2 && history.visits.count == 2)
      }
    }
  }

  @Test func `a delegate on the main queue is told while virtual time stands still`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.queue = .main
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        nonisolated(unsafe) var told: Date?
        Kiosk.ended = { _, _ in told = AppSimulation<Kiosk>.now }

        let history = try await Kiosk.simulation(Gallery(size: 600_000)).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min")

        let ended = try #require(history.transfers.first?.ended)
        #expect(told == ended.date)
        #expect(Kiosk.heard.suffix(2) == ["owl: 600000 bytes", "all told"])
      }
    }
  }

  @Test func `a queue that the app has suspended holds up neither the time nor the end of its life`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in
            session.downloadTask(with: Kiosk.url("owl")).resume()
            session.delegateQueue.isSuspended = true
          }
        ]
        var simulation = Kiosk.simulation(Gallery())
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run(
          "days 2\nopens at 09:00 give or take 0 min for 5 min\nremoves from the switcher on day 1 at 09:03")

        #expect(history.transfers.map(\.ended?.clock) == ["09:00"])
        #expect(history.launches == 2 && history.visits.count == 2)
        #expect(
          Kiosk.heard == ["events of dev.example.pictures in the active", "9 of 9 bytes", "owl: a picture", "all told"])
      }
    }
  }

  @Test func `an empty file is a file`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { _ in ServerAnswer() }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(Kiosk.heard == ["owl: "])
        #expect(history.transfers.map(\.bytes) == [0] && history.transfers.map(\.statusCode) == [200])
      }
    }
  }

  @Test func `a device that sleeps moves nothing, and what it was at goes on when it wakes`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let gallery = Gallery(size: 3_600_000)

        let history = try await Kiosk.simulation(gallery).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nasleep 09:30-12:00")

        #expect(history.transfers.map(\.ended?.clock) == ["12:30"])
        #expect(Kiosk.last == gallery.picture)
      }
    }
  }

  @Test func `transfers leave no file behind, and none open`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        setenv("TMPDIR", folder, 1)
        Kiosk.begin()
        Kiosk.visits = [
          { session in for name in ["owl", "bat", "moth"] { session.downloadTask(with: Kiosk.url(name)).resume() } },
          { $0.downloadTask(with: Kiosk.url("fox")).resume() },
        ]

        let history = try await Kiosk.simulation(Gallery(size: 60_000)).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nopens at 23:59 give or take 0 min for 1 min")

        let open = try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
          try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        #expect(history.transfers.map { $0.told == nil } == [false, false, false, true])
        #expect(try manager.contentsOfDirectory(atPath: folder) == [])
        #expect(open.filter { $0.hasPrefix(folder) } == [])
      }
    }
  }
}
