import NightjarModel
import Testing

@testable import NightjarCore

private func lane(_ app: String, _ host: String) -> Lanes.Lane {
  Lanes.Lane(host: Host(ofURL: "http://\(host)/x"), app: AppID(app))
}

extension Lanes {
  fileprivate mutating func enter(_ id: Int64, _ lane: Lane, priority: Float = 0.5) {
    enter(TransferID(id), priority: priority, lane: lane)
  }

  fileprivate mutating func take(_ count: Int, isOnline: Bool = true) -> [Int64] {
    (0..<count).compactMap { _ in next(isOnline: isOnline)?.rawValue }
  }
}

@Suite struct `The lanes` {
  @Test func `start no more with one host than it may have`() {
    var lanes = Lanes(perHostMax: 2)
    for id in 1...5 { lanes.enter(Int64(id), lane("app", "a.example")) }

    let first = lanes.take(5)
    lanes.freed(lane("app", "a.example").host)
    let second = lanes.take(5)

    #expect(first == [1, 2])
    #expect(second == [3])
    #expect(lanes.running == 2)
  }

  @Test func `take turns, so that an app with few is not held up by one with many`() {
    var lanes = Lanes(perHostMax: 100)
    for id in 1...50 { lanes.enter(Int64(id), lane("greedy", "a.example")) }
    lanes.enter(51, lane("modest", "a.example"))

    #expect(lanes.take(3) == [1, 51, 2])
  }

  @Test func `give the apps that wait for a busy host its free places in turn`() {
    var lanes = Lanes(perHostMax: 1)
    let (one, two) = (lane("one", "a.example"), lane("two", "a.example"))
    for id in [1, 2, 3] { lanes.enter(Int64(id), one) }
    for id in [4, 5] { lanes.enter(Int64(id), two) }

    var started = lanes.take(1)
    for _ in 0..<4 {
      lanes.freed(one.host)
      started += lanes.take(1)
    }

    #expect(started == [1, 4, 2, 5, 3])
  }

  @Test func `let only this machine's servers through without a network`() {
    var lanes = Lanes(perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"))
    lanes.enter(2, lane("app", "localhost:8080"))
    lanes.enter(3, lane("app", "127.0.0.1"))
    lanes.enter(4, lane("app", "[::1]:80"))
    lanes.enter(5, lane("app", "127.example.com"))

    let offline = lanes.take(5, isOnline: false)
    let online = lanes.take(5)

    #expect(offline == [2, 3, 4])
    #expect(online == [1, 5])
  }

  @Test func `put higher priority first, then the lower number`() {
    var lanes = Lanes(perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"), priority: 0.25)
    lanes.enter(2, lane("app", "a.example"), priority: 1)
    lanes.enter(3, lane("app", "a.example"), priority: 0.5)
    lanes.enter(4, lane("app", "a.example"), priority: 1)

    #expect(lanes.take(4) == [2, 4, 3, 1])
  }

  @Test func `forget who has left`() {
    var lanes = Lanes(perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"))
    lanes.leave(TransferID(1), priority: 0.5, lane: lane("app", "a.example"))
    lanes.leave(TransferID(1), priority: 0.5, lane: lane("app", "a.example"))

    #expect(lanes.take(1) == [])
  }

  @Test(arguments: [
    ("http://A.Example:80/x", "a.example:80"), ("https://me:secret@b.example/x", "b.example"),
    ("http://b.example?x@y", "b.example"), ("http://[::1]:8080/", "[::1]:8080"), ("nonsense", "nonsense"),
  ])
  func `know a server by host and port`(url: String, name: String) {
    #expect(Host(ofURL: url).name == name)
  }
}
