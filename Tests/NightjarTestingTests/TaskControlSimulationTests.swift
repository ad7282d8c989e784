import Foundation
import Nightjar
import NightjarTesting
import Testing

import struct FoundationNetworking.URLRequest

/// What an app does with tasks that are under way, and what it sends.
extension SimulationTests {
  @Test func `a cancelled download leaves data with which another goes on at its byte`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        nonisolated(unsafe) var (first, left): (URLSessionDownloadTask?, Data?) = (nil, nil)
        Kiosk.visits = [
          { session in
            first = session.downloadTask(with: Kiosk.url("owl"))
            first?.resume()
          }, { _ in first?.cancel { left = $0 } },
          { session in left.map { session.downloadTask(withResumeData: $0).resume() } },
        ]
        let gallery = Gallery(size: 3_600_000)

        let history = try await Kiosk.simulation(gallery).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          opens at 09:30 give or take 0 min for 1 min
          opens at 12:00 give or take 0 min for 1 min
          """)

        #expect(history.transfers.map(\.error) == [.cancelled, nil])
        #expect(history.transfers.map(\.ended?.clock) == ["09:30", "12:30"])
        #expect(gallery.asked == ["GET owl", "GET owl, bytes=1799900-"])
        #expect(Kiosk.heard.contains("goes on at 1799900"))
        #expect(Kiosk.last == gallery.picture)
      }
    }
  }

  @Test func `a suspended task stands still, and goes on at its byte when it is resumed`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        nonisolated(unsafe) var task: URLSessionDownloadTask?
        Kiosk.visits = [
          { session in
            task = session.downloadTask(with: Kiosk.url("owl"))
            task?.resume()
          }, { _ in task?.suspend() }, { _ in task?.resume() },
        ]
        let gallery = Gallery(size: 3_600_000)

        let history = try await Kiosk.simulation(gallery).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          opens at 09:30 give or take 0 min for 1 min
          opens at 12:00 give or take 0 min for 1 min
          """)

        #expect(history.transfers.map(\.ended?.clock) == ["12:30"])
        #expect(gallery.asked == ["GET owl", "GET owl, bytes=1799900-"])
      }
    }
  }

  @Test func `the tasks of an earlier life are listed in the next`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin { $0.allowsCellularAccess = false }
        nonisolated(unsafe) var listed: [String] = []
        Kiosk.left = { _ = UIApplication.shared.beginBackgroundTask() }  // It never ends it, and is ended for that.
        Kiosk.visits = [
          { session in for name in ["owl", "bat"] { session.downloadTask(with: Kiosk.url(name)).resume() } },
          { session in
            session.getAllTasks { tasks in
              listed = tasks.map { "\($0.taskIdentifier) \($0.originalRequest?.url?.lastPathComponent ?? "")" }
              for task in tasks { task.cancel() }
            }
          },
        ]
        var simulation = Kiosk.simulation(Gallery())
        simulation.patience = .milliseconds(20)

        let history = try await simulation.run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          opens at 12:00 give or take 0 min for 1 min
          network cellular 08:00-23:00
          """)

        #expect(history.launches == 2)
        #expect(listed == ["1 owl", "2 bat"])
        #expect(history.transfers.map(\.ended?.clock) == ["12:00", "12:00"])
        #expect(history.transfers.map(\.attempts) == [0, 0])
      }
    }
  }

  @Test func `an upload takes its time, hands its body to the server, and has its answer`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        let sent = Data(repeating: 7, count: 60_000)
        Kiosk.visits = [
          { session in
            var request = URLRequest(url: Kiosk.url("new"))
            request.httpMethod = "POST"
            session.uploadTask(with: request, from: sent).resume()
          }
        ]
        let gallery = Gallery()

        let history = try await Kiosk.simulation(gallery).run("days 1\nopens at 09:00 give or take 0 min for 10 min")

        let transfer = try #require(history.transfers.first)
        #expect(transfer.kind == .upload && transfer.bytes == 60_000 && transfer.statusCode == 200)
        #expect(transfer.ended?.clock == "09:01")
        #expect(gallery.asked == ["POST new"] && gallery.bodies == [sent])
        #expect(Kiosk.heard.contains("sent 30000 of 60000 bytes") || Kiosk.heard.count > 5)
        #expect(Kiosk.heard.suffix(2) == ["sent 60000 of 60000 bytes", "answered a picture"])
      }
    }
  }

  @Test func `an upload from a stream is read before the time goes on`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.stream = Data(repeating: 7, count: 60_000)
        Kiosk.visits = [
          { session in
            var request = URLRequest(url: Kiosk.url("new"))
            request.httpMethod = "POST"
            session.uploadTask(withStreamedRequest: request).resume()
          }
        ]
        let gallery = Gallery()

        let history = try await Kiosk.simulation(gallery).run("days 1\nopens at 09:00 give or take 0 min for 10 min")

        #expect(history.transfers.map(\.queued.clock) == ["09:00"])
        #expect(history.transfers.map(\.ended?.clock) == ["09:01"])
        #expect(gallery.bodies == [Kiosk.stream])
      }
    }
  }

  @Test func `a download sends its request's body and header fields`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [
          { session in
            var request = URLRequest(url: Kiosk.url("search"))
            (request.httpMethod, request.httpBody) = ("POST", Data("owl".utf8))
            request.setValue("night", forHTTPHeaderField: "X-Time")
            session.downloadTask(with: request).resume()
          }
        ]
        var simulation = Kiosk.simulation(Gallery())
        simulation.server = { request in
          let asked = "\(request.httpMethod ?? "") \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))"
          return ServerAnswer(data: Data("\(asked) by \(request.value(forHTTPHeaderField: "x-time") ?? "")".utf8))
        }

        _ = try await simulation.run("days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(Kiosk.heard.last == "search: POST owl by night")
      }
    }
  }

  @Test func `a session that is invalidated takes its tasks along`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        nonisolated(unsafe) var error: URLError?
        Kiosk.ended = { error = $1 as? URLError }
        Kiosk.visits = [
          { $0.downloadTask(with: Kiosk.url("owl")).resume() }, { $0.invalidateAndCancel() },
        ]

        let history = try await Kiosk.simulation(Gallery(size: 3_600_000)).run(
          """
          days 1
          opens at 09:00 give or take 0 min for 1 min
          opens at 09:30 give or take 0 min for 1 min
          """)

        #expect(history.transfers.map(\.ended?.clock) == ["09:30"])
        #expect(history.transfers.map(\.error) == [.cancelled])
        #expect(error?.code == .cancelled)
      }
    }
  }

  @Test func `an upload that is interrupted begins again, and its server has it once`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        try Data(repeating: 7, count: 3_600_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        Kiosk.visits = [
          { session in
            var request = URLRequest(url: Kiosk.url("new"))
            request.httpMethod = "PUT"
            session.uploadTask(with: request, fromFile: file).resume()
          }
        ]
        let gallery = Gallery()

        let history = try await Kiosk.simulation(gallery).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min\nnetwork lost 09:30-11:00")

        #expect(history.transfers.map(\.ended?.clock) == ["12:00"])
        #expect(gallery.bodies.map(\.count) == [3_600_000])
      }
    }
  }

  @Test func `an upload of a file that has changed since fails, and says so`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        try Data(repeating: 7, count: 60_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        Kiosk.visits = [
          { session in
            session.uploadTask(with: URLRequest(url: Kiosk.url("new")), fromFile: file).resume()
            do { try Data(repeating: 8, count: 100).write(to: file) } catch { Kiosk.hear("\(error)") }
          }
        ]
        let gallery = Gallery()

        let history = try await Kiosk.simulation(gallery).run("days 1\nopens at 09:00 give or take 0 min for 10 min")

        #expect(history.transfers.map(\.error) == [.requestBodyStreamExhausted])
        #expect(Kiosk.heard.last?.hasSuffix("has changed since it was queued") == true)
        #expect(gallery.asked == [])
      }
    }
  }

  @Test func `what an app queues when it is told of an end is told in its turn`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        Kiosk.begin()
        Kiosk.visits = [{ $0.downloadTask(with: Kiosk.url("1")).resume() }]
        nonisolated(unsafe) var count = 1
        Kiosk.ended = { session, _ in
          count += 1
          if count <= 5 { session.downloadTask(with: Kiosk.url("\(count)")).resume() }
        }

        let history = try await Kiosk.simulation(Gallery(size: 600_000)).run(
          "days 1\nopens at 09:00 give or take 0 min for 1 min")

        #expect(history.transfers.map(\.told?.clock) == ["09:10", "09:20", "09:30", "09:40", "09:50"])
        #expect(history.launches == 1)
      }
    }
  }
}
