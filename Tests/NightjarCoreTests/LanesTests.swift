import NightjarModel
import Testing

@testable import NightjarCore

private func lane(_ app: String, _ host: String) -> Lanes.Lane {
  Lanes.Lane(host: Host(ofURL: "http://\(host)/x"), app: AppID(app))
}

extension Lanes {
  fileprivate mutating func enter(
    _ id: Int64, _ lane: Lane, priority: Float = 0.5, needs: Needs? = nil, share: Share? = nil, isFresh: Bool = false
  ) {
    enter(TransferID(id), at: stand(lane, priority, needs, share, isFresh))
  }

  fileprivate func stand(
    _ lane: Lane, _ priority: Float = 0.5, _ needs: Needs? = nil, _ share: Share? = nil, _ isFresh: Bool = false
  ) -> Stand {
    let needs = needs ?? (lane.host.isLoopback ? .onlyLoopback : [])
    return Stand(lane: lane, line: Line(needs: needs, share: share, isFresh: isFresh), priority: priority)
  }

  fileprivate mutating func take(_ count: Int, meets: (Needs) -> Bool = { _ in true }) -> [Int64] {
    (0..<count).compactMap { _ in next(meets)?.rawValue }
  }
}

@Suite struct `The lanes` {
  @Test func `start no more with one host than it may have`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 2)
    for id in 1...5 { lanes.enter(Int64(id), lane("app", "a.example")) }

    let first = lanes.take(5)
    lanes.freed(lane("app", "a.example"), nil)
    let second = lanes.take(5)

    #expect(first == [1, 2])
    #expect(second == [3])
    #expect(lanes.running == 2)
  }

  @Test func `take turns, so that an app with few is not held up by one with many`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 100)
    for id in 1...50 { lanes.enter(Int64(id), lane("greedy", "a.example")) }
    lanes.enter(51, lane("modest", "a.example"))

    #expect(lanes.take(3) == [1, 51, 2])
  }

  @Test func `give the apps that wait for a busy host its free places in turn`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 1)
    let (one, two) = (lane("one", "a.example"), lane("two", "a.example"))
    for id in [1, 2, 3] { lanes.enter(Int64(id), one) }
    for id in [4, 5] { lanes.enter(Int64(id), two) }

    var started = lanes.take(1)
    for _ in 0..<4 {
      lanes.freed(started.last! < 4 ? one : two, nil)
      started += lanes.take(1)
    }

    #expect(started == [1, 4, 2, 5, 3])
  }

  @Test func `give an app that waits alone all places of a host, and its share once others wait`() {
    var lanes = Lanes(runningMax: 100, perHostMax: 16)
    let (greedy, modest) = (lane("greedy", "a.example"), lane("modest", "a.example"))
    for id in 1...60 { lanes.enter(Int64(id), greedy) }

    let alone = lanes.take(100).count
    for id in 101...160 { lanes.enter(Int64(id), modest) }
    let crowded = lanes.take(100)
    for _ in 0..<9 {
      lanes.freed(greedy, nil)
      _ = lanes.take(100)
    }
    lanes.enter(200, lane("late", "a.example"))

    #expect(alone == 16 && crowded == [])
    #expect(lanes.running(in: greedy) == 7 && lanes.running(in: modest) == 6)
    #expect(lanes.take(100) == [200])
  }

  @Test func `give an app all places of a host again once the others no longer wait`() {
    var lanes = Lanes(runningMax: 100, perHostMax: 16)
    let (greedy, modest) = (lane("greedy", "a.example"), lane("modest", "a.example"))
    for id in 1...60 { lanes.enter(Int64(id), greedy) }
    lanes.enter(101, modest, needs: .noCellular)

    let shared = lanes.take(100) { !$0.contains(.noCellular) }.count
    lanes.leave(TransferID(101), at: lanes.stand(modest, 0.5, .noCellular))

    #expect(shared == 12)
    #expect(lanes.take(100).count == 4)
  }

  @Test func `let only this machine's servers through without a network`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"))
    lanes.enter(2, lane("app", "localhost:8080"))
    lanes.enter(3, lane("app", "127.0.0.1"))
    lanes.enter(4, lane("app", "[::1]:80"))
    lanes.enter(5, lane("app", "127.example.com"))

    let offline = lanes.take(5, meets: { $0.contains(.onlyLoopback) })
    let online = lanes.take(5)

    #expect(offline == [2, 3, 4])
    #expect(online == [1, 5])
  }

  @Test func `put higher priority first, then the lower number`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"), priority: 0.25)
    lanes.enter(2, lane("app", "a.example"), priority: 1)
    lanes.enter(3, lane("app", "a.example"), priority: 0.5)
    lanes.enter(4, lane("app", "a.example"), priority: 1)

    #expect(lanes.take(4) == [2, 4, 3, 1])
  }

  @Test func `forget who has left`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"))
    lanes.leave(TransferID(1), at: lanes.stand(lane("app", "a.example")))
    lanes.leave(TransferID(1), at: lanes.stand(lane("app", "a.example")))

    #expect(lanes.take(1) == [])
  }

  @Test func `let those go whose needs are met, and give the others their turns later`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    for id in 1...3 { lanes.enter(Int64(id), lane("app", "a.example"), needs: .convenience) }
    lanes.enter(4, lane("app", "a.example"), needs: .noCellular)
    lanes.enter(5, lane("app", "a.example"))

    let onCellular = lanes.take(5) { $0.isDisjoint(with: [.convenience, .noCellular]) }
    let onBattery = lanes.take(5) { !$0.contains(.convenience) }

    #expect(onCellular == [5])
    #expect(onBattery == [4])
    #expect(lanes.take(5) == [1, 2, 3])
  }

  @Test func `put higher priority first across all kinds of transfers that may go`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.enter(1, lane("app", "a.example"), priority: 0.5)
    lanes.enter(2, lane("app", "a.example"), priority: 1, needs: .convenience)
    lanes.enter(3, lane("app", "a.example"), priority: 0.75, needs: .noExpense)

    #expect(lanes.take(3) == [2, 3, 1])
  }

  @Test func `give an app no more turns for having more kinds of transfers`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.enter(1, lane("many", "a.example"))
    lanes.enter(2, lane("many", "a.example"), needs: .convenience)
    lanes.enter(3, lane("many", "a.example"), needs: .noCellular)
    lanes.enter(4, lane("one", "a.example"))

    #expect(lanes.take(3) == [1, 4, 2])
  }

  @Test func `keep to a session's own bound for one host, and let its app's others pass`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    let (here, share) = (lane("app", "a.example"), Lanes.Share(session: "thrifty", max: 1))
    for id in [1, 2] { lanes.enter(Int64(id), here, priority: 1, share: share) }
    for id in [3, 4] { lanes.enter(Int64(id), here) }

    let first = lanes.take(5)
    lanes.freed(here, share)
    let second = lanes.take(5)

    #expect(first == [1, 3, 4])
    #expect(second == [2])
  }

  @Test func `hold back what would begin to fill the disk, and only that`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 6)
    lanes.hold(AppID("full"), true)
    lanes.enter(1, lane("full", "a.example"), isFresh: true)
    lanes.enter(2, lane("full", "a.example"))
    lanes.enter(3, lane("other", "a.example"), isFresh: true)

    let held = lanes.take(5)
    lanes.hold(AppID("full"), false)

    #expect(held.sorted() == [2, 3])
    #expect(lanes.take(5) == [1])
  }

  @Test func `leave places to those who come next, and one that is given back to another app`() {
    var lanes = Lanes(runningMax: 32, perHostMax: 32)
    var id: Int64 = 0
    var begun: [Int] = []
    for app in ["first", "second", "third", "fourth"] {
      for number in 0..<40 {
        id += 1
        lanes.enter(id, lane(app, "\(number % 20).example"))
      }
      begun.append(lanes.take(40).count)
    }

    lanes.freed(lane("first", "0.example"), nil)
    let kept = lanes.take(2)
    lanes.enter(1000, lane("fifth", "0.example"))

    #expect(begun == [24, 6, 1, 1])
    #expect(kept == [])
    #expect(lanes.take(2) == [1000])
  }

  @Test func `give an app its places again once another has less`() {
    var lanes = Lanes(runningMax: 4, perHostMax: 4)
    let (one, two) = (lane("one", "a.example"), lane("two", "b.example"))
    for id in 1...6 as ClosedRange<Int64> { lanes.enter(id, one) }
    lanes.enter(7, two)

    let begun = lanes.take(7)
    lanes.freed(two, nil)
    let more = lanes.take(7)
    lanes.freed(one, nil)

    #expect(begun == [1, 7, 2])
    #expect(more == [3])
    #expect(lanes.take(7) == [4])
  }

  @Test(arguments: [
    ("http://A.Example:80/x", "a.example"), ("https://a.example:80/", "a.example:80"),
    ("HTTPS://a.example:443/", "a.example"), ("https://a.example:/", "a.example"),
    ("https://me:secret@b.example/x", "b.example"),
    ("http://b.example?x@y", "b.example"), ("http://[::1]:8080/", "[::1]:8080"), ("nonsense", "nonsense"),
  ])
  func `know a server by host and port`(url: String, name: String) {
    #expect(Host(ofURL: url).name == name)
  }

  @Test(arguments: [
    ("localhost:8080", true), ("app.LocalHost", true), ("127.8.8.8", true), ("[::1]:80", true), ("[0:0::0001]", true),
    ("localhost.example", false), ("127.example", false), ("128.0.0.1", false), ("[::2]", false), ("[::10]", false),
    ("[1::1]", false), ("[::]", false),
  ])
  func `know this machine by every name that it has`(host: String, isLoopback: Bool) {
    #expect(Host(ofURL: "http://me:secret@\(host)/x").isLoopback == isLoopback)
  }
}

@Suite struct `Transfers with one host` {
  /// How many of twenty run at once whose session sets this bound.
  private static func running(_ max: Int?, session: String? = "main") -> Int {
    var (bench, client) = Bench.withRunningApp()
    for number in 1...20 as ClosedRange<UInt64> {
      var request = TransferRequest.made(number, app: session == nil ? .commandLine : farm, session: session)
      request.options.connectionsPerHostMax = max
      if session == nil {
        bench.order(.enqueue(request))
      } else {
        bench.ask(.enqueue(request, isSuspended: false), as: client)
      }
    }
    return bench.rows.memory.transfers.count { if case .running = $0.state.phase { true } else { false } }
  }

  @Test func `are six at a time of a session, unless it asks for fewer or more`() {
    #expect(Self.running(nil) == 6)
    #expect(Self.running(2) == 2)
    #expect(Self.running(10) == 10)
  }

  @Test func `are six at a time of the command line`() { #expect(Self.running(nil, session: nil) == 6) }

  @Test func `are sixteen at a time of all together, whatever a session asks for`() {
    #expect(Self.running(100) == 16)
  }
}
