import Foundation
import Nightjar
import NightjarTesting
import Testing

import struct FoundationNetworking.URLRequest

/// Downloads for which the app itself asks for a part of a file.
extension SimulationTests {
  @Test(arguments: [
    ("bytes=100-", 100..<400), ("bytes=100-199", 100..<200), ("bytes=100-999", 100..<400), ("bytes=-50", 350..<400),
    ("bytes=-999", 0..<400), ("bytes=99999999999999999999-", 0..<0), ("bytes=-0", 0..<0),
  ])
  func `a part that the app asks for itself is what it is given`(range: String, part: Range<Int>) async {
    await #expect(processExitsWith: .success) { [range, part] in
      try await onMainActor {
        let (gallery, history) = try await Kiosk.ask(["Range": range])

        #expect(gallery.asked == ["GET owl, \(range)"])
        #expect(history.transfers.map(\.statusCode) == [part.isEmpty ? 416 : 206])
        #expect(Kiosk.last == gallery.picture[part])
        #expect(
          Kiosk.fields["Content-Range"]
            == "bytes \(part.isEmpty ? "*" : "\(part.lowerBound)-\(part.upperBound - 1)")/400")
      }
    }
  }

  @Test(arguments: ["bytes=2-1", "bytes=0-1,4-5", "bytes=-", "bytes=a-b", "words=1-2"])
  func `what is not one part of the file is answered with all of it`(range: String) async {
    await #expect(processExitsWith: .success) { [range] in
      try await onMainActor {
        let (gallery, history) = try await Kiosk.ask(["Range": range])

        #expect(history.transfers.map(\.statusCode) == [200])
        #expect(Kiosk.last == gallery.picture)
      }
    }
  }

  @Test func `a part of another version than the app has is answered with all of it`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let (gallery, history) = try await Kiosk.ask(["Range": "bytes=100-", "If-Range": "\"old\""])
        let tag = try #require(Kiosk.fields["Etag"] ?? Kiosk.fields["ETag"])
        let (_, again) = try await Kiosk.ask(["Range": "bytes=100-", "If-Range": tag])

        #expect(history.transfers.map(\.statusCode) == [200] && again.transfers.map(\.statusCode) == [206])
        #expect(Kiosk.last == gallery.picture[100...])
      }
    }
  }

  @Test func `a part that is cut comes again from its own first byte`() async {
    await #expect(processExitsWith: .success) {
      try await onMainActor {
        let (gallery, history) = try await Kiosk.ask(
          ["Range": "bytes=100-"], size: 3_600_100, "network lost 09:30-11:00")

        #expect(gallery.asked == ["GET owl, bytes=100-", "GET owl, bytes=100-"])
        #expect(history.transfers.map(\.statusCode) == [206])
        #expect(Kiosk.last == gallery.picture[100...])
      }
    }
  }
}

extension Kiosk {
  /// A download with header fields of its own, to its end.
  fileprivate static func ask(
    _ fields: [String: String], size: Int = 400, _ sentence: String = ""
  ) async throws -> (Gallery, AppHistory) {
    begin()
    var request = URLRequest(url: url("owl"))
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    visits = [{ [request] in $0.downloadTask(with: request).resume() }]
    let gallery = Gallery(size: size)
    let history = try await simulation(gallery).run("days 1\nopens at 09:00 give or take 0 min for 2 min\n\(sentence)")
    return (gallery, history)
  }
}
