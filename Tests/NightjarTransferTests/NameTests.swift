import Dispatch
import Glibc
import NIOCore
import NightjarModel
import Patience
import ScriptedServer
import Synchronization
import Testing

@testable import NightjarTransfer

@Suite(.timeLimit(.minutes(1))) struct `A name that takes its time` {
  private let names = HeldNames(["mute.example"])

  @Test func `is looked up once for all who dial, and keeps others from nothing`() async throws {
    try await withWorkshop { workshop, server in
      let (mute, quick) = (route("mute.example", server.port), route("quick.example", server.port))

      try await withDialer(EngineSettings(), lookUp: names.lookUp) { dialer, loop in
        let dials = (1...100).map { _ in loop.flatSubmit { dialer.dial(mute, on: loop) } }
        try await names.hear(of: 1)
        _ = try await loop.flatSubmit { dialer.dial(quick, on: loop) }.get()
        names.letGo()
        for dial in dials { _ = try await dial.get() }
      }

      #expect(names.asked == ["mute.example", "quick.example"])
    }
  }

  @Test func `is looked up once also for who comes after others have given up`() async throws {
    let (lookups, answers) = (NameLookups(threadsMax: 2, lookUp: names.lookUp), Answers())
    let first = lookups.ask(for: "mute.example") { answers.add("first", $0) }
    try await names.hear(of: 1)

    lookups.giveUp(first)
    try await answered { told in
      _ = lookups.ask(for: "mute.example") {
        answers.add("second", $0)
        told.yield()
      }
      names.letGo()
    }

    #expect(answers.all == ["second: true"])
    #expect(names.asked == ["mute.example"])
  }

  @Test func `leaves others to wait where it has the last thread, and who has given up is passed over`() async throws {
    let (lookups, answers) = (NameLookups(threadsMax: 1, lookUp: names.lookUp), Answers())
    _ = lookups.ask(for: "mute.example") { answers.add("mute", $0) }
    try await names.hear(of: 1)

    let second = lookups.ask(for: "second.example") { answers.add("second", $0) }
    try await answered { told in
      _ = lookups.ask(for: "third.example") {
        answers.add("third", $0)
        told.yield()
      }
      lookups.giveUp(second)
      names.letGo()
    }

    #expect(answers.all == ["mute: true", "third: true"])
    #expect(names.asked == ["mute.example", "third.example"])
  }

  @Test func `is looked up anew once there was an answer`() async throws {
    names.letGo()
    let lookups = NameLookups(threadsMax: 1, lookUp: names.lookUp)

    for _ in 1...2 {
      try await answered { told in _ = lookups.ask(for: "mute.example") { _ in told.yield() } }
    }

    #expect(names.asked == ["mute.example", "mute.example"])
  }

  @Test func `is looked up anew for who came while it was looked up in vain`() async throws {
    let names = names
    let lookups = NameLookups(threadsMax: 1) { host in
      let found = try names.lookUp(host)
      if names.asked.count == 1 { throw IOError(errnoCode: ENETUNREACH, reason: "there was no network") }
      return found
    }
    let answers = Answers()
    _ = lookups.ask(for: "mute.example") { answers.add("first", $0) }
    try await names.hear(of: 1)

    try await answered { told in
      _ = lookups.ask(for: "mute.example") {
        answers.add("second", $0)
        told.yield()
      }
      names.letGo()
    }

    #expect(answers.all == ["first: false", "second: true"])
  }

  @Test func `is not waited for at the end`() async throws {
    let answers = Answers()

    try await withDialer(EngineSettings(), lookUp: names.lookUp) { dialer, loop in
      let dial = loop.flatSubmit { dialer.dial(route("mute.example", 80), on: loop) }
      dial.whenComplete { answers.add("dial", $0) }
      try await names.hear(of: 1)
    }
    let told = answers.all
    names.letGo()  // Its answer finds nobody.

    #expect(told == ["dial: false"])
  }

  private func route(_ host: String, _ port: Int) -> Route {
    Route(origin: Origin(isSecure: false, host: host, port: port))
  }
}

/// All names of this machine, some of which are not found before they are let go.
private final class HeldNames: Sendable {
  private struct State {
    var asked: [String] = []
    var waiting: (count: Int, told: AsyncStream<Void>.Continuation)?

    mutating func takeWaiting() -> AsyncStream<Void>.Continuation? {
      guard let waiting, asked.count >= waiting.count else { return nil }
      self.waiting = nil
      return waiting.told
    }
  }

  private let held: [String]
  private let gate = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  init(_ held: [String]) { self.held = held }

  /// The names that were looked up, in the order in which that began.
  var asked: [String] { state.withLock { $0.asked } }

  var lookUp: NameResolver.LookUp {
    { [self] host in
      note(host)
      if held.contains(host) { pass() }
      return (v4: [try SocketAddress(ipAddress: "127.0.0.1", port: 0)], v6: [])
    }
  }

  func letGo() { gate.signal() }

  /// Waits until so many look-ups have begun.
  func hear(of count: Int) async throws {
    try await answered { told in
      state.withLock { state in
        state.waiting = (count, told)
        return state.takeWaiting()
      }?.yield()
    }
  }

  private func note(_ host: String) {
    state.withLock { state in
      state.asked.append(host)
      return state.takeWaiting()
    }?.yield()
  }

  /// Whoever gets through lets the next one through.
  private func pass() {
    gate.wait()
    gate.signal()
  }
}

/// Who was answered, and whether well.
private final class Answers: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }

  func add<Value>(_ name: String, _ result: Result<Value, any Error>) {
    let isGood = if case .success = result { true } else { false }
    texts.withLock { $0.append("\(name): \(isGood)") }
  }
}
