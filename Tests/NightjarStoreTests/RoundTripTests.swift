@testable import NightjarCore
import NightjarModel
import Testing

@testable import NightjarStore

struct RoundTripTests {
  @Test func `a new database remembers nothing`() throws {
    let folder = try Folder()

    let store = try Store(path: folder.database)

    #expect(try store.load() == Memory())
    #expect(store.notices.isEmpty)
  }

  @Test(arguments: 0..<UInt64(40))
  func `what was committed is given back, whatever it was`(seed: UInt64) throws {
    let folder = try Folder()
    var walk = Walk(seed: seed)
    var store = try Store(path: folder.database)

    for number in 1...60 {
      let step = walk.step()
      try store.commit(step.changes, clock: step.clock, counters: step.counters)
      guard number.isMultiple(of: 20) else { continue }
      if number.isMultiple(of: 40) { store.close() }
      if number.isMultiple(of: 40) { store = try Store(path: folder.database) }

      #expect(try store.load() == walk.memory)
      #expect(store.notices.isEmpty)
    }
  }

  @Test func `the same commits make the same database`() throws {
    let folders = [try Folder(), try Folder()]

    for folder in folders {
      var walk = Walk(seed: 7)
      let store = try Store(path: folder.database)
      for _ in 0..<50 {
        let step = walk.step()
        try store.commit(step.changes, clock: step.clock, counters: step.counters)
      }
      store.close()
    }

    #expect(try Bytes.of(folders[0].database) == Bytes.of(folders[1].database))
  }

  @Test func `a commit without changes keeps the clock and the counters`() throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    let clock = DeviceClock(bootID: BootID("b"), offset: .seconds(-3), latest: Age(.seconds(9)))

    try store.commit(Changes(), clock: clock, counters: Counters(transfer: 4, wake: 5))

    let memory = try store.load()
    #expect(memory.clock == clock)
    #expect(memory.counters == Counters(transfer: 4, wake: 5))
  }

  @Test func `texts are kept byte for byte, a NUL included`() throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    let request = TransferRequest(
      key: RequestKey(high: .max, low: 0), app: AppID("a"), session: "e\u{301}", url: "u",
      headers: [HTTPField("x:\\\n", "\u{0}\r\n")], label: "\u{0}a\u{0}")
    var changes = Changes()
    changes.add(TransferRecord(id: TransferID(1), request: request, born: .zero, state: TransferState()))

    try store.commit(changes, clock: .sample, counters: Counters())

    let back = try #require(try store.load().transfers.first?.request)
    #expect(back == request)
    #expect(Array(back.session!.utf8) == Array("e\u{301}".utf8))
    #expect(Array(back.label.utf8) == [0, 0x61, 0])
  }

  @Test func `one session has one row, however its name is composed`() throws {
    let folder = try Folder()
    let store = try Store(path: folder.database)
    let (apart, together) = ("e\u{301}", "\u{e9}")
    var (first, second) = (Changes(), Changes())
    first.keep(SessionRecord(id: SessionID(app: AppID("a"), identifier: apart)))
    second.remove(SessionID(app: AppID("a"), identifier: together))

    try store.commit(first, clock: .sample, counters: Counters())
    try store.commit(second, clock: .sample, counters: Counters())

    #expect(try store.load().sessions.isEmpty)
  }

  @Test(
    arguments: [
      (Duration(attoseconds: 1), 1), (Duration(attoseconds: -1), 0), (.nanoseconds(5), 5),
      (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ] as [(Duration, Int64)])
  func `a duration is rounded up to the nanosecond and capped`(duration: Duration, stored: Int64) {
    #expect(duration.storedNanoseconds == stored)
  }

  @Test func `a transfer that never was cannot change`() async throws {
    let folder = try Folder()
    let path = folder.database

    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let store = try Store(path: path)
      var changes = Changes()
      changes.change(TransferID(5), to: TransferState())
      try store.commit(changes, clock: .sample, counters: Counters())
    }

    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("transfer 5"))
    #expect(words.contains("was never added"))
  }
}

extension DeviceClock {
  static let sample = DeviceClock(bootID: BootID("boot"), offset: .zero, latest: .zero)
}
