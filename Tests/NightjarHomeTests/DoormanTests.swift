import Glibc
import HTTPTypes
import Synchronization
import Testing

@testable import NightjarHome

@Suite struct DoormanTests {
  /// Numbers that differ, as random ones do.
  private static func entropy() -> @Sendable () -> UInt64 {
    let count = Mutex<UInt64>(0)
    return {
      count.withLock { count in
        count += 1
        return count &* 0x9E37_79B9_7F4A_7C15
      }
    }
  }

  @Test func `a code lets one browser in, with a token that is known from then on`() throws {
    var doorman = Doorman(at: .zero, entropy: Self.entropy())
    let code = doorman.code

    let (first, second) = (doorman.admit(code, at: .seconds(1)), doorman.admit(code, at: .seconds(2)))

    guard case .admitted(let token) = first else { return #expect(Bool(false), "\(first)") }
    #expect(second == .spent)
    #expect(token.count == 64 && doorman.knows(token) && !doorman.knows(String(token.dropLast()) + "x"))
    #expect(doorman.code != code)
  }

  @Test func `a code is good for ten minutes, and the next one is there when it is not`() {
    var doorman = Doorman(at: .seconds(5), entropy: Self.entropy())
    let code = doorman.code

    let late = doorman.admit(code, at: .seconds(605))
    let next = doorman.admit(doorman.code, at: .seconds(606))

    #expect(late == .expired)
    guard case .admitted = next else { return #expect(Bool(false), "\(next)") }
  }

  @Test func `a code that nobody has used is replaced when its time is over, and not before`() {
    var doorman = Doorman(at: .seconds(5), entropy: Self.entropy())
    let code = doorman.code

    let early = doorman.renew(at: .seconds(604))
    let inTime = doorman.code
    let due = doorman.renew(at: .seconds(605))

    #expect(!early && inTime == code)
    #expect(due && doorman.code != code && doorman.codeEnd == .seconds(1205))
  }

  @Test func `who comes with a code of long ago finds one to be told that is good for ten minutes, and only one`() {
    var doorman = Doorman(at: .zero, entropy: Self.entropy())
    let code = doorman.code
    for minute in 1...600 { _ = doorman.renew(at: .seconds(60 * minute)) }
    let silent = doorman.code

    let answers = (1...3).map { doorman.admit(code, at: .seconds(36_000 + 60 * $0)) }

    #expect(answers.allSatisfy { $0 == .unknown })
    #expect(doorman.code != silent && doorman.codeEnd == .seconds(36_060 + 600))
  }

  @Test(arguments: ["", "0", "0000-0000-0000", "<script>", String(repeating: "7", count: 100_000), "\u{0}"])
  func `rubbish lets nobody in and spends nothing`(typed: String) {
    var doorman = Doorman(at: .zero, entropy: Self.entropy())
    let code = doorman.code

    let answer = doorman.admit(typed, at: .seconds(1))

    #expect(answer == .unknown && doorman.code == code && !doorman.knows(typed))
  }

  @Test func `a code may be typed as people type`() {
    var doorman = Doorman(at: .zero) { 0x0000_0841_0820_0000 }
    let typed = doorman.code.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")

    let answer = doorman.admit(typed, at: .seconds(1))

    guard case .admitted = answer else { return #expect(Bool(false), "\(answer) for \(typed)") }
  }

  @Test func `of too many browsers the first has to leave`() {
    var doorman = Doorman(at: .zero, entropy: Self.entropy())
    var tokens: [String] = []

    for _ in 0...Doorman.tokensMax {
      if case .admitted(let token) = doorman.admit(doorman.code, at: .seconds(1)) { tokens.append(token) }
    }

    #expect(tokens.count == Doorman.tokensMax + 1)
    #expect(tokens.map(doorman.knows) == [false] + Array(repeating: true, count: Doorman.tokensMax))
  }

  @Test func `only a bearer of a token is let through, and who is refused is told how to come in`() throws {
    let renewed = Mutex<[String]>([])
    let reception = Reception(now: { .zero }, entropy: Self.entropy()) { code, _ in
      renewed.withLock { $0.append(code) }
    }
    let token = try reception.exchange(reception.code)

    let admitted = ["Bearer \(token)", token, "bearer \(token)", "Basic \(token)", "Bearer ", nil].map(reception.admits)

    #expect(admitted == [true, false, false, false, false, false])
    #expect(renewed.withLock { $0 } == [reception.code])
    let refusal = #expect(throws: Refusal.self) { try reception.exchange("nonsense") }
    #expect(refusal?.message.contains("nightjar home") == true && refusal?.status == .forbidden)
  }

  @Test func `however many come at once, one code is told at a time, and the newest last`() async {
    let told = Mutex((codes: [String](), isBusy: false, overlaps: false))
    let reception = Reception(now: { .zero }, entropy: Self.entropy()) { code, _ in
      told.withLock { told in (told.isBusy, told.overlaps) = (true, told.overlaps || told.isBusy) }
      sched_yield()
      told.withLock { told in
        told.isBusy = false
        told.codes.append(code)
      }
    }

    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 { group.addTask { _ = try? reception.exchange(reception.code) } }
    }

    let (last, overlaps) = told.withLock { ($0.codes.last, $0.overlaps) }
    #expect(last == reception.code && !overlaps)
  }

  @Test func `a code that nobody uses is told anew as soon as it is good no longer, and no sooner`() async {
    let time = Mutex(Duration.zero)
    let pauses = Mutex<[Duration]>([])
    let told = Mutex<[String]>([])
    let reception = Reception(now: { time.withLock { $0 } }, entropy: Self.entropy()) { code, occasion in
      told.withLock { $0.append("\(code) \(occasion)") }
    }

    try? await reception.renewCodes { pause in
      pauses.withLock { $0.append(pause) }
      switch pauses.withLock({ $0.count }) {
      case 1:  // In the midst of it the code is used, and the next one's time begins.
        time.withLock { $0 = .seconds(240) }
        _ = try reception.exchange(reception.code)
        time.withLock { $0 = .seconds(600) }
      case 2: time.withLock { $0 = .seconds(840) }
      default: throw CancellationError()
      }
    }

    let words = told.withLock { $0 }
    #expect(pauses.withLock { $0 } == [.seconds(600), .seconds(240), .seconds(600)])
    #expect(words.count == 2 && words[0].hasSuffix(" wanted") && words[1] == "\(reception.code) renewed")
  }
}
