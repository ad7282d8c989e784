import NIOCore
import NightjarModel
import ScriptedServer
import Testing

@testable import NightjarTransfer

struct RateLimitTests {
  private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  @Test func `bytes are paid for one after the other`() {
    let limit = RateLimit(bytesPerSecond: 1000)

    let due = (1...3).map { _ in limit.book(500, at: start) }

    #expect(due == [start + .milliseconds(400), start + .milliseconds(900), start + .milliseconds(1400)])
  }

  @Test func `a pause is made up for, but not for more than a tenth of a second`() {
    let limit = RateLimit(bytesPerSecond: 1000)
    _ = limit.book(500, at: start)

    let late = limit.book(500, at: start + .seconds(3600))

    #expect(late == start + .seconds(3600) + .milliseconds(400))
  }

  @Test func `whoever shares a rate gets as many turns as the others`() {
    let limit = RateLimit(bytesPerSecond: 1000)
    var next = [start, start, start]
    var moved = [0, 0, 0]

    for _ in 0..<300 {
      let turn = next.indices.min { next[$0] < next[$1] }!
      moved[turn] += 10
      next[turn] = limit.book(10, at: next[turn])
    }

    #expect(moved.allSatisfy { $0 > 900 }, "\(moved)")
  }

  @Test func `turns are short where the rate is low, and as large as ever without one`() {
    #expect(RateLimit.turnSize(at: nil, atMost: 4 << 20) == 4 << 20)
    #expect(RateLimit.turnSize(at: 800_000, atMost: 4 << 20) == 100_000)
    #expect(RateLimit.turnSize(at: 1, atMost: 4 << 20) == 4096)
    #expect(RateLimit.turnSize(at: .max, atMost: 4 << 20) == 4 << 20)
  }
}

@Suite(.timeLimit(.minutes(2))) struct RateTests {
  private static let size: Int64 = 400_000

  /// How long something took on the steady clock.
  private func span(_ act: () async throws -> Void) async throws -> Duration {
    let start = NIODeadline.now()
    try await act()
    return .nanoseconds((NIODeadline.now() - start).nanoseconds)
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `a download takes as long as its own bound says, and stays whole`(security: HTTPTestServer.Security) async throws
  {
    try await withWorkshop(security) { workshop, server in
      let span = try await span {
        let facts = try await workshop.run(
          .download(server.url("/file/7/\(Self.size)")) { $0.options.bytesPerSecondMax = 500_000 })
        #expect(facts.response?.status == 200, "\(facts)")
      }

      // 0.8 s, less what came last and the grace.
      #expect(span > .milliseconds(500), "\(span)")
      #expect(Disk.read(workshop.part()) == Content(seed: 7, size: Self.size).bytes)
    }
  }

  @Test func `an upload takes as long as its own bound says`() async throws {
    try await withWorkshop { workshop, server in
      let content = Content(seed: 5, size: Self.size)
      let source = Disk.write(content.bytes, to: "\(workshop.folder)/source")

      let span = try await span {
        try await workshop.run(.upload(source, to: server.url("/upload/a")) { $0.options.bytesPerSecondMax = 500_000 })
      }

      #expect(span > .milliseconds(500), "\(span)")
      #expect(server.requests("/upload/a").first?.bodyDigest == content.sha256)
    }
  }

  @Test(arguments: [HTTPTestServer.Security.plain, .tls, .http2])
  func `all transfers together keep to the daemon's bound, and none is starved`(
    security: HTTPTestServer.Security
  ) async throws {
    try await withWorkshop(security, settings: { $0.bytesPerSecondMax = 1_000_000 }) { workshop, server in
      let orders = (1...4).map { TransferOrder.download(server.url("/file/\($0)/200000"), id: $0) }

      let span = try await span {
        for order in orders { workshop.engine.start(order) }
        for order in orders {
          let facts = try await workshop.end(of: order)
          #expect(facts.response?.status == 200)
        }
      }

      #expect(span > .milliseconds(250), "\(span)")
    }
  }

  @Test func `the daemon's bound holds for files that come with one read, one after the other`() async throws {
    try await withWorkshop(settings: { $0.bytesPerSecondMax = 1_000_000 }) { workshop, server in
      let span = try await span {
        for id in Int64(1)...10 {
          let facts = try await workshop.run(.download(server.url("/file/\(id)/60000"), id: id))
          #expect(facts.response?.status == 200)
        }
      }

      #expect(span > .milliseconds(300), "\(span)")
    }
  }

  @Test func `who comes later has its turn although others have booked the whole of the daemon's bound`() async throws {
    try await withWorkshop(settings: { $0.bytesPerSecondMax = 1_000_000 }) { workshop, server in
      let long = (1...3).map { TransferOrder.download(server.url("/file/\($0)/50000000"), id: $0) }
      for order in long { workshop.engine.start(order) }
      for order in long {
        try await workshop.log.first { if case .progressed = $0.fact { $0.id == order.id } else { false } }
      }

      let facts = try await workshop.run(.download(server.url("/file/9/1000"), id: 9))

      #expect(facts.response?.status == 200)
      #expect(long.allSatisfy { !workshop.log.facts(of: $0.id, attempt: 1).contains(where: \.isTerminal) })
    }
  }

  @Test(arguments: [true, false])
  func `who keeps to a rate, its own or the daemon's, takes no stream that would outrun it`(isOwn: Bool) async throws {
    try await withWorkshop(.http2, settings: { if !isOwn { $0.bytesPerSecondMax = 1_000_000 } }) { workshop, server in
      try await workshop.run(
        .download(server.url("/file/7/1000")) { if isOwn { $0.options.bytesPerSecondMax = 1_000_000 } })

      let metrics = workshop.log.metrics(of: TransferID(1), attempt: 1)
      #expect(metrics?.exchanges.map(\.protocolName) == ["http/1.1"])
    }
  }

  @Test func `waiting for its turn is no stall`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.runPatiently(from: .milliseconds(800)) { attempt, patience in
        .download(server.url("/file/7/10000"), attempt: attempt) {
          // Each turn of 4 KiB has to be waited for longer than a silent server would be.
          $0.options.bytesPerSecondMax = 3_200_000 / patience.wholeMilliseconds
          $0.requestTimeout = patience
        }
      }

      #expect(facts.response?.status == 200, "\(facts)")
    }
  }

  @Test func `a download that waits for its turn says how far it is`() async throws {
    try await withWorkshop { workshop, server in
      let facts = try await workshop.runPatiently(from: .milliseconds(800)) { attempt, patience in
        .download(server.url("/file/7/10000"), attempt: attempt) {
          $0.options.bytesPerSecondMax = 3_200_000 / patience.wholeMilliseconds
          $0.requestTimeout = patience
        }
      }

      let told = facts.filter { if case .progressed = $0 { true } else { false } }
      #expect(zip(told, told.dropFirst()).contains { $0 == $1 }, "\(facts)")
    }
  }

  @Test func `a download that waits for its turn can be stopped`() async throws {
    try await withWorkshop { workshop, server in
      let order = TransferOrder.download(server.url("/file/7/4000000")) { $0.options.bytesPerSecondMax = 1000 }
      workshop.log.hook { [engine = workshop.engine] entry in
        if case .progressed = entry.fact { engine.stop(entry.id, attempt: entry.attempt) }
      }

      let facts = try await workshop.run(order)

      #expect(facts.last == .stopped)
      #expect(facts.checkpoints.last?.validator != nil)
    }
  }
}
