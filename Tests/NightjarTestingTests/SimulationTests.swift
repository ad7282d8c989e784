import Foundation
import Nightjar
import NightjarTesting
import Testing

/// There is one `UIApplication` in a process, which other tests use too: each of these has a process of its own.
@Suite struct SimulationTests {
  @Test func `an app is launched, used, and fetches in the background when a person says so`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()

        let history = try await AppSimulation(of: Newspaper.self).run(
          """
          days 2
          opens at 09:00 give or take 0 min
          fetch now on day 2 at 08:30
          """)

        #expect(Newspaper.heard == ["launched inactive", "fetch background"])
        #expect(history.launches == 1)
        #expect(history.visits.map(\.began.description) == ["day 1, 09:00", "day 2, 09:00"])
        let fetch = try #require(history.fetches(onDay: 2).first)
        #expect(fetch.began.clock == "08:30")
        #expect(fetch.result == .newData && !fetch.isLate)
        #expect(fetch.applicationState == .background)
        #expect(fetch.manner == .thawed)
        #expect(history.visits(onDay: 2).first?.age == 1800)
      }
    }
  }

  @Test func `virtual time stands still while the app's code runs on another thread`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          let before = AppSimulation<Newspaper>.now
          let done = Once(completionHandler)
          Thread.detachNewThread {
            Newspaper.passed = AppSimulation<Newspaper>.now.timeIntervalSince(before)
            done.call(.noData)
          }
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        #expect(Newspaper.passed == 0)
        #expect(history.fetches.map(\.result) == [.noData])
      }
    }
  }

  @Test func `a completion handler that is never called makes the fetch late, and the app lives on`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { Newspaper.kept = $0 }
        var simulation = AppSimulation(of: Newspaper.self)
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run("days 2\nopens at 09:00\nfetch now on day 1 at 12:00")

        #expect(history.fetches.map(\.isLate) == [true])
        #expect(history.fetches.map(\.result) == [nil])
        #expect(history.visits.count == 2)
        #expect(history.launches == 1)
        Newspaper.kept = nil
      }
    }
  }

  @Test func `an app that never comes to rest keeps the time from going on for as long as patience lasts`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { _ in
          Newspaper.fidgets = true
          Newspaper.fidget()
        }
        Newspaper.ends = { Newspaper.fidgets = false }
        var simulation = AppSimulation(of: Newspaper.self)
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run(
          "days 1\nopens at 09:00 give or take 0 min\nfetch now at 12:00\nopens at 13:00 give or take 0 min")

        Newspaper.fidgets = false
        #expect(history.fetches.map(\.isLate) == [true])
        #expect(history.visits.count == 2)
      }
    }
  }

  @Test func `the delegate goes to the background and back as on a device, at the scenario's times`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()

        let history = try await AppSimulation(of: Newspaper.self).run(
          "days 2\nopens at 09:00 give or take 0 min for 2 min")

        let steps = history.steps.filter { $0.at.day == 1 }
        #expect(
          steps.map(\.name) == [
            UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
            UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
          ])
        #expect(steps.map(\.applicationState) == [.inactive, .active, .active, .background])
        #expect(steps.first?.at.clock == "09:00")
        #expect(history.steps.contains { $0.name == UIApplication.willEnterForegroundNotification && $0.at.day == 2 })
      }
    }
  }

  @Test func `an app that a person removes ends, and has a new delegate when it is opened again`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()

        let history = try await AppSimulation(of: Newspaper.self).run(
          "days 2\nopens at 09:00\nremoves from the switcher on day 1 at 12:00")

        #expect(history.launches == 2)
        #expect(Newspaper.heard == ["launched inactive", "launched inactive"])
        #expect(Newspaper.instances == 2)
      }
    }
  }

  @Test func `what an app asks for in its last moment is heard`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        Newspaper.ends = {
          let notification = UILocalNotification()
          notification.alertBody = "Come back!"
          notification.fireDate = AppSimulation<Newspaper>.now.addingTimeInterval(3600)
          UIApplication.shared.scheduleLocalNotification(notification)
        }

        let history = try await AppSimulation(of: Newspaper.self).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 30 min
          removes from the switcher at 09:05
          """)

        #expect(history.steps.last?.name == UIApplication.willTerminateNotification)
        let notifications = history.shown.filter { $0.kind == .notification }
        #expect(notifications.map(\.text) == ["Come back!"])
        #expect(notifications.first?.at.clock == "10:05")
      }
    }
  }

  @Test func `a notification that the app schedules is shown at its virtual time`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          let notification = UILocalNotification()
          notification.alertBody = "Extra!"
          notification.fireDate = AppSimulation<Newspaper>.now.addingTimeInterval(3600)
          UIApplication.shared.scheduleLocalNotification(notification)
          completionHandler(.newData)
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        let notifications = history.shown.filter { $0.kind == .notification }
        #expect(notifications.map(\.text) == ["Extra!"])
        #expect(notifications.first?.at.clock == "13:00")
      }
    }
  }

  @Test func `the battery and low power mode of the scenario reach the app`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        UIDevice.current.isBatteryMonitoringEnabled = true
        Newspaper.opened = {
          let isSaving = ProcessInfo.processInfo.isLowPowerModeEnabled
          Newspaper.heard.append("\(isSaving ? "saves power" : "as always"), \(UIDevice.current.batteryState)")
        }

        _ = try await AppSimulation(of: Newspaper.self).run(
          """
          days 2
          opens at 09:00 give or take 0 min for 2 min
          battery lasts 30 h
          charging 08:55-09:30 on day 1
          low power 08:00-10:00 on day 2
          """)

        #expect(Newspaper.heard == ["launched inactive", "as always, charging", "saves power, unplugged"])
      }
    }
  }

  @Test func `a notification for a time that no calendar has is refused in words, and the app goes on`() async {
    let end = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          let notification = UILocalNotification()
          (notification.alertBody, notification.fireDate) = ("Extra!", .distantFuture)
          UIApplication.shared.scheduleLocalNotification(notification)
          completionHandler(.newData)
        }

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        #expect(history.fetches.map(\.result) == [.newData])
        #expect(history.shown.allSatisfy { $0.kind != .notification })
      }
    }

    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("a notification is due in the years 1900 to 2199"))
  }

  @Test func `an interval longer than any life lets one fetch through, and no second`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        Newspaper.interval = 1e21

        let history = try await AppSimulation(of: Newspaper.self).run("days 9\nopens at 09:00\nopens at 10:00")

        #expect(history.visits.count == 18 && history.fetches.count == 1)
      }
    }
  }

  @Test func `what the app shows after a fetch is its snapshot`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        Newspaper.showsHeadlines = true

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        let snapshot = try #require(history.shown.last { $0.kind == .snapshot })
        #expect(snapshot.at.clock == "12:00")
        #expect(snapshot.text.contains("1 fetched"))
      }
    }
  }

  @Test func `a view that is refused is seen by nobody, and its snapshot is of the one before`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          Newspaper.isWordy = true
          completionHandler(.newData)
        }
        Newspaper.showsHeadlines = true

        let history = try await AppSimulation(of: Newspaper.self).run("days 1\nopens at 09:00\nfetch now at 12:00")

        #expect(history.shown.allSatisfy { !$0.text.contains("word") })
        let snapshot = try #require(history.shown.last { $0.kind == .snapshot })
        #expect(snapshot.text.contains("0 fetched"))
      }
    }
  }

  @Test(arguments: [
    ("opens at 09:00\nopens at 9 o'clock", "line 2: '9' is no time of day"),
    ("changes every 40 min", "line 1: 'changes every 40 min' is not understood, or speaks of a made-up app"),
    ("opens Mail at 09:00", "line 1: there is no app 'Mail' here; leave its name out"),
  ])
  @MainActor func `a sentence that makes no sense is named, and nothing runs`(text: String, complaint: String) async {
    Newspaper.begin()

    await #expect {
      try await AppSimulation(of: Newspaper.self).run(text)
    } throws: { error in "\(error)".hasPrefix(complaint) }

    #expect(Newspaper.instances == 0)
  }

  @Test func `the network of the simulation can be asked for, and is lost when the scenario says so`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin { completionHandler in
          completionHandler(AppSimulation<Newspaper>.isOnline ? .newData : .failed)
        }

        Newspaper.opened = { Newspaper.heard.append(AppSimulation<Newspaper>.isOnline ? "online" : "offline") }

        let history = try await AppSimulation(of: Newspaper.self).run(
          """
          days 3
          opens at 09:00
          network lost on day 2
          fetch now on day 1 at 12:00
          fetch now on day 2 at 12:00
          """)

        let told = ["launched inactive", "online", "fetch background", "offline", "fetch background", "online"]
        #expect(Newspaper.heard == told)
        #expect(history.fetches.map(\.result) == [.newData, .failed])
        #expect(AppSimulation<Newspaper>.isOnline)
      }
    }
  }

  @Test func `a simulation leaves no file behind, and none open`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        setenv("TMPDIR", folder, 1)
        Newspaper.begin()

        _ = try await AppSimulation(of: Newspaper.self).run(
          "days 2\nopens at 09:00\nremoves from the switcher on day 1 at 12:00")

        let manager = FileManager.default
        let open = try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
          try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        #expect(NSTemporaryDirectory().hasPrefix(folder))
        #expect(try manager.contentsOfDirectory(atPath: folder) == [])
        #expect(open.filter { $0.hasPrefix(folder) } == [])
      }
    }
  }

  @Test func `a visit without a network brings nothing up to date`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()

        let history = try await AppSimulation(of: Newspaper.self).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          opens at 10:00 give or take 0 min for 1 min
          opens at 11:00 give or take 0 min for 1 min
          network lost 09:30-10:30
          """)

        let ages = history.visits.map { $0.age.map { ($0 / 3600).rounded() } }
        #expect(ages == [nil, 1, 2])
      }
    }
  }

  @Test func `simulations that are begun at once run one after the other, and alike`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Newspaper.begin()
        let sentences = "days 2\nopens 3 times\nfetch now at 12:00"

        async let one = AppSimulation(of: Newspaper.self).run(sentences)
        async let other = AppSimulation(of: Newspaper.self).run(sentences)

        let (first, second) = try await (one, other)
        #expect(first.visits == second.visits)
        #expect(first.fetches == second.fetches)
        #expect(first.picture == second.picture)
      }
    }
  }
}

/// A process of a test's own begins off the main actor.
@MainActor func onMainActor(_ act: @MainActor () async throws -> Void) async rethrows { try await act() }
