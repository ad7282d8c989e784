import NightjarCore
import Synchronization
import Testing

@testable import NightjarDaemon

/// What calls are told while the database cannot be written.
@Suite struct StandstillTests {
  private let tickets = Tickets()
  private let told = Told()

  private final class Told: Sendable {
    private let words = Mutex<[String]>([])
    func note(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
  }

  private func ask(_ name: String) -> Ticket? {
    tickets.issue({ [told] _ in told.note("\(name): answered") }) { [told] standstill in
      told.note("\(name): \(standstill.reason) \(standstill.isPending ? "later" : "not taken in")")
    }
  }

  @Test func `who asks before it begins is told once, and who asks in it at once`() throws {
    let early = try #require(ask("early"))
    tickets.stand(because: "Full.")
    let late = ask("late")
    tickets.goOn()
    tickets.redeem(early, .done)
    let after = try #require(ask("after"))
    tickets.redeem(after, .done)

    #expect(late == nil)
    #expect(told.all == ["early: Full. later", "late: Full. not taken in", "after: answered"])
  }

  @Test func `an app waits for as long as it takes, and is answered once`() {
    let ticket = tickets.issue { [told] _ in told.note("app: answered") }
    tickets.stand(because: "Full.")
    tickets.goOn()
    tickets.redeem(ticket, .done)
    tickets.redeem(ticket, .done)

    #expect(told.all == ["app: answered"])
  }

  @Test func `a call that was told of it is not answered by anybody else`() throws {
    let ticket = try #require(ask("install"))
    tickets.stand(because: "Full.")

    #expect(!tickets.withdraw(ticket))
  }
}
