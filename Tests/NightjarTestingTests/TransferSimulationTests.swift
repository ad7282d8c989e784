import Foundation
import Nightjar
import NightjarTesting
import Testing

import struct FoundationNetworking.URLRequest

/// Background sessions in virtual time. Each in a process of its own: there is one `UIApplication`.
extension SimulationTests {
  @Test func `a download that is queued in the foreground goes on while the app is suspended, and wakes it`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let gallery = Gallery(size: 3_600_000)

        let history = try await Kiosk.simulation(gallery).run("days 1\nopens at 09:00 give or take 0 min for 2 min")

        let transfer = try #require(history.transfers.first)
        #expect(history.transfers.count == 1 && transfer.kind == .download)
        #expect(transfer.queued.clock == "09:00" && transfer.ended?.clock == "10:00" && transfer.told?.clock == "10:00")
        #expect(transfer.statusCode == 200 && transfer.bytes == 3_600_000 && transfer.attempts == 1)
        #expect(gallery.asked == ["GET owl"])
        #expect(Kiosk.heard.first == "30000 of 3600000 bytes")
        #expect(
          Kiosk.heard.suffix(4) == [
            "events of dev.example.pictures in the background", "3600000 of 3600000 bytes", "owl: 3600000 bytes",
            "all told",
          ])
        #expect(history.launches == 1)
        #expect(history.log.contains("day 1, 10:00: is woken, to be told of session 'dev.example.pictures'"))
      }
    }
  }

  @Test func `an app that was ended is launched once for its session, and not once for each file`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in for name in ["owl", "bat"] { session.downloadTask(with: Kiosk.url(name)).resume() } }
        ]
        Kiosk.left = { _ = UIApplication.shared.beginBackgroundTask() }  // It never ends it, and is ended for that.
        var simulation = Kiosk.simulation(Gallery(size: 600_000))
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(history.launches == 2)
        #expect(history.transfers.map(\.told?.clock) == ["09:10", "09:10"])
        #expect(Kiosk.heard.filter { $0.hasPrefix("events") } == ["events of dev.example.pictures in the background"])
        #expect(Kiosk.heard.suffix(5).contains("owl: 600000 bytes") && Kiosk.heard.contains("bat: 600000 bytes"))
        #expect(Kiosk.heard.last == "all told")
        #expect(history.log.contains { $0.contains("09:10: is launched into the background") })
      }
    }
  }

  @Test func `what a server says before it answers is told to an app that runs, and to no other`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in
            for (name, delay) in [("owl", 0), ("bat", 3600)] as [(String, TimeInterval)] {
              let task = session.downloadTask(with: Kiosk.url(name))
              if delay > 0 { task.earliestBeginDate = AppSimulation<Kiosk>.now + delay }
              task.resume()
            }
          }
        ]
        let gallery = Gallery(size: 100)
        var simulation = Kiosk.simulation(gallery)
        simulation.server = { request in
          var answer = gallery.answer(request)
          answer.earlyHints = ["Link": "</\(request.url?.lastPathComponent ?? "").css>"]
          return answer
        }

        _ = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 2 min")

        #expect(gallery.asked == ["GET owl", "GET bat"])
        #expect(Kiosk.heard.first == "103: </owl.css>")
        #expect(Kiosk.heard.contains("owl: 100 bytes") && Kiosk.heard.contains("bat: 100 bytes"))
        #expect(Kiosk.heard.count { $0.hasPrefix("103") } == 1)
      }
    }
  }

  @Test func `what a lost network interrupts goes on at its byte, and the server is asked for the rest alone`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let gallery = Gallery(size: 3_600_000)

        let history = try await Kiosk.simulation(gallery).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nnetwork lost 09:30-11:00")

        let transfer = try #require(history.transfers.first)
        #expect(transfer.ended?.clock == "11:30" && transfer.attempts == 2 && transfer.statusCode == 200)
        #expect(gallery.asked == ["GET owl", "GET owl, bytes=1799900-"])
        #expect(Kiosk.last == gallery.picture)
      }
    }
  }

  @Test func `a server that knows no ranges is asked for the whole again`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let gallery = Gallery(size: 3_600_000)
        var simulation = Kiosk.simulation(gallery)
        simulation.server = { request in
          var answer = gallery.answer(request)
          answer.servesRanges = false
          return answer
        }

        let history = try await simulation.run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nnetwork lost 09:30-11:00")

        #expect(history.transfers.map(\.ended?.clock) == ["12:00"])
        #expect(gallery.asked == ["GET owl", "GET owl"])
        #expect(Kiosk.last == gallery.picture)
      }
    }
  }

  @Test func `a file that has changed meanwhile comes whole, and not in parts of two versions`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let (old, new) = (Gallery(size: 3_600_000), Gallery(size: 3_500_000))
        var simulation = Kiosk.simulation(old)
        simulation.server = { old.asked.isEmpty ? old.answer($0) : new.answer($0) }

        let history = try await simulation.run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nnetwork lost 09:30-11:00")

        #expect(history.transfers.map(\.bytes) == [3_500_000])
        #expect(new.asked == ["GET owl, bytes=1799900-"])
        #expect(Kiosk.last == new.picture)
      }
    }
  }

  @Test func `a discretionary download waits for power and a network that costs nothing`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin { $0.isDiscretionary = true }
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]

        let history = try await Kiosk.simulation(Gallery()).run(
          """
          days 2
          opens at 09:00 give or take 0 min for 1 min
          battery lasts 40 h
          charging 22:00-06:00
          network cellular 08:00-23:00
          """)

        let transfer = try #require(history.transfers.first)
        #expect(transfer.queued.description == "day 1, 09:00")
        #expect(transfer.begun?.description == "day 1, 23:00" && transfer.told?.description == "day 1, 23:00")
      }
    }
  }

  @Test func `a download that may not use a cellular network waits for another`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin { $0.allowsCellularAccess = false }
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]

        let history = try await Kiosk.simulation(Gallery()).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nnetwork cellular 08:00-12:00")

        #expect(history.transfers.map(\.begun?.clock) == ["12:00"])
      }
    }
  }

  @Test func `a task that must not begin before a time begins then`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in
            let task = session.downloadTask(with: Kiosk.url("owl"))
            task.earliestBeginDate = AppSimulation<Kiosk>.now.addingTimeInterval(4 * 3600)
            task.resume()
          }
        ]

        let history = try await Kiosk.simulation(Gallery()).run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(history.transfers.map(\.begun?.clock) == ["13:00"])
        #expect(history.transfers.map(\.told?.clock) == ["13:00"])
      }
    }
  }

  @Test func `a server that cannot be reached is tried again, and then the transfer's time is up`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin { $0.timeoutIntervalForResource = 3600 }
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        nonisolated(unsafe) var error: URLError?
        Kiosk.ended = { error = $1 as? URLError }
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { _ in .unreachable }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        let transfer = try #require(history.transfers.first)
        #expect(transfer.error == .timedOut && transfer.ended?.clock == "10:00" && transfer.attempts > 5)
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription == "not finished within its resource timeout of 1 h")
      }
    }
  }

  @Test func `a busy server is left alone for as long as it asks for, and then asked again`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        let gallery = Gallery()
        var simulation = Kiosk.simulation(gallery)
        simulation.server = { request in
          let isFirst = gallery.asked.isEmpty
          let answer = gallery.answer(request)
          return isFirst ? ServerAnswer(statusCode: 503, headers: ["Retry-After": "3600"]) : answer
        }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(history.transfers.map(\.ended?.clock) == ["10:00"])
        #expect(history.transfers.map(\.statusCode) == [200])
        #expect(gallery.asked.count == 2)
      }
    }
  }

  @Test func `any other status is an answer, with its body and its header fields`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { _ in
          ServerAnswer(data: Data("no owl".utf8), statusCode: 404, headers: ["X-Keeper": "asleep"])
        }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(Kiosk.heard == ["6 of 6 bytes", "owl: no owl, 404, asleep"])
        #expect(history.transfers.map(\.statusCode) == [404])
      }
    }
  }

  @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func `a body that HTTP does not carry does not come`(method: String, status: Int) async {
    await #expect(processExitsWith: .success) { [method, status] in
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in
            var request = URLRequest(url: Kiosk.url("owl"))
            request.httpMethod = method
            session.downloadTask(with: request).resume()
          }
        ]
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { _ in ServerAnswer(data: Data("an owl".utf8), statusCode: status) }

        let history = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        let length: String? = status == 204 ? nil : "6"
        #expect(Kiosk.heard == ["owl: "])
        #expect(Kiosk.fields["Content-Length"] == length)
        #expect(history.transfers.map(\.statusCode) == [status])
      }
    }
  }

  @Test func `without a server a task fails at once, and the error names what to set`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        nonisolated(unsafe) var error: URLError?
        Kiosk.ended = { error = $1 as? URLError }

        let history = try await AppSimulation(of: Kiosk.self).run("days 1\nopens at 09:00")

        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.localizedDescription.contains("set AppSimulation.server") == true)
        #expect(history.transfers == [])
      }
    }
  }

  @Test
  func `an app that a person removes from the switcher has its transfers cancelled, and hears of it when it is opened`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("owl")).resume() }]
        nonisolated(unsafe) var error: URLError?
        Kiosk.ended = { error = $1 as? URLError }

        let history = try await Kiosk.simulation(Gallery(size: 3_600_000)).run(
          """
          days 2
          opens at 09:00 give or take 0 min for 1 min
          removes from the switcher on day 1 at 09:30
          """)

        let transfer = try #require(history.transfers.first)
        #expect(transfer.error == .cancelled && transfer.statusCode == nil)
        #expect(transfer.ended?.description == "day 1, 09:30" && transfer.told?.description == "day 2, 09:00")
        #expect(error?.backgroundTaskCancelledReason == .userForceQuitApplication)
        #expect(history.launches == 2)
      }
    }
  }

  @Test func `the same seed gives the same history`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let sentences = """
          days 3
          opens 3 times for 10 min
          network flaky 08:00-20:00
          """
        var histories: [AppHistory] = []
        for _ in 1...2 {
          Kiosk.begin()
          Kiosk.visits = (1...9).map { number in { $0.downloadTask(with: Kiosk.url("\(number)")).resume() } }
          histories.append(try await Kiosk.simulation(Gallery(size: 1_500_000)).run(sentences))
        }

        #expect(histories[0].transfers == histories[1].transfers)
        #expect(histories[0].log == histories[1].log)
        #expect(histories[0].transfers.contains { $0.attempts > 1 })
      }
    }
  }
}
