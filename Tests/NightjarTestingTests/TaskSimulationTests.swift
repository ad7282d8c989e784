import Foundation
import Nightjar
import NightjarTesting
import Testing

/// Work that an app puts off, in days of virtual time. Each in a process of its own: there is one `BGTaskScheduler`.
extension SimulationTests {
  @Test func `work that was put off is done in the background: upkeep while it charges, and nothing before its time`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        var simulation = AppSimulation(of: Gardener.self)
        simulation.permittedTasks = [Gardener.watering, Gardener.weeding]

        let history = try await simulation.run(
          """
          days 3
          opens at 09:00 give or take 0 min for 2 min
          opens at 18:00 give or take 0 min for 2 min
          battery lasts 40 h
          charging 23:00-07:00
          """)

        #expect(
          Set(Gardener.done) == [
            "watered as BGAppRefreshTask in the background", "weeded as BGProcessingTask in the background",
          ])
        let weeded = history.log.filter { $0.contains("runs the task 'dev.example.weeding'") }
        #expect(weeded.count == 3 && weeded.allSatisfy { $0.contains(", 23:") })
        let runs = history.tasks.filter { $0.identifier == Gardener.weeding }
        #expect(runs.count == 3 && runs.allSatisfy { $0.kind == .processing && $0.began.clock.hasPrefix("23:") })
        #expect(history.tasks.contains { $0.kind == .refresh && $0.identifier == Gardener.watering })
        #expect(history.tasks.allSatisfy { $0.isSuccess == true && $0.ended != nil })
      }
    }
  }

  @Test func `a task that its expiration handler completes ends in time, on whatever queue`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        var simulation = AppSimulation(of: Straggler.self)
        simulation.permittedTasks = [Straggler.sorting]
        simulation.patience = .milliseconds(500)

        for queue in [DispatchQueue.main, nil] {
          Straggler.queue = queue
          let history = try await simulation.run(
            "days 1\nopens at 09:00 give or take 0 min for 2 min\ncharging 23:00-07:00\nbattery lasts 40 h")

          #expect(history.tasks.map(\.isSuccess) == [false])
          #expect(!history.log.contains { $0.contains("did not complete the task") })
        }
      }
    }
  }

  @Test func `an app may look what is pending and then ask for more`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        var simulation = AppSimulation(of: Bookkeeper.self)
        simulation.permittedTasks = [Bookkeeper.balancing]

        let history = try await simulation.run("days 2\nopens at 09:00\ncharging 23:00-07:00\nbattery lasts 40 h")

        #expect(history.log.contains { $0.contains("runs the task 'dev.example.balancing'") })
      }
    }
  }

  @Test func `a name that the app may not use is refused, and what a person forbids is not run`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        var simulation = AppSimulation(of: Gardener.self)
        simulation.permittedTasks = [Gardener.watering, Gardener.weeding]

        let forbidden = try await simulation.run(
          "days 3\nopens at 09:00\nrefresh off at 08:00\ncharging 23:00-07:00\nbattery lasts 40 h")
        let refusals = Gardener.done
        simulation.permittedTasks = []
        Gardener.done = []
        _ = try await simulation.run("days 1\nopens at 09:00")

        #expect(!forbidden.log.contains { $0.contains("runs the task") })
        #expect(refusals.count == 3 && refusals.allSatisfy { $0.contains("Background App Refresh is off") })
        #expect(Gardener.done.count == 1 && Gardener.done[0].contains("BGTaskSchedulerPermittedIdentifiers"))
      }
    }
  }

  @Test func `work that takes a background mode which the app does not declare is refused as on a device`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        var simulation = AppSimulation(of: Gardener.self)
        simulation.permittedTasks = [Gardener.watering, Gardener.weeding]
        simulation.backgroundModes = ["fetch"]

        _ = try await simulation.run("days 1\nopens at 09:00")

        #expect(Gardener.refusals == [.notPermitted])
      }
    }
  }
}
