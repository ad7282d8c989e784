import NightjarModel
import TestThreads
import Testing

@testable import NightjarCore

@Suite(.computing) struct AppTableTests {
  private let names = (0..<4).map { AppID("dev.example.App\($0)") }

  private func app(_ name: AppID) -> App {
    App(AppRecord(installed: InstalledApp(id: name, displayName: name.rawValue, kind: .program(relaunch: []))))
  }

  @Test func `an app that is taken out is not there until it is put back`() {
    var table = AppTable()
    for name in names { table[name] = app(name) }

    let (taken, again) = (table.take(names[1]), table.take(names[1]))
    table[names[1]]?.lastEnd = "changed while it was out"
    let isThere = table.contains(names[1])
    let (count, keys) = (table.count, table.keys)
    if let taken { table.put(taken) }

    #expect(taken?.app.id == names[1])
    #expect(again == nil)
    #expect(!isThere)
    #expect(count == 3)
    #expect(keys.sorted() == [names[0], names[2], names[3]])
    #expect(table[names[1]]?.lastEnd == "")
    #expect(table.count == 4)
  }

  @Test func `whoever asks for an app gets that one, however many have come and gone`() {
    var table = AppTable()
    for round in 0..<20 {
      let name = names[round % 3]
      table[name] = round % 4 == 3 ? nil : app(name)
      table[names[3]]?.isGone = true
    }

    #expect(table.keys.allSatisfy { table[$0]?.id == $0 })
    #expect(table.count == table.keys.count)
    #expect(!table.contains(names[3]))
  }

  /// All that the rule of fetches goes by of an app.
  private static let changes: [@Sendable (inout App) -> Void] = [
    { $0.removalTickets = [] }, { $0.record.card.isRemoved = true }, { $0.record.settings.refreshes = false },
    { $0.record.notBefore = Age(.seconds(9)) }, { $0.record.paidUntil = Age(.seconds(9)) },
    { $0.record.installed.modes = ["fetch"] }, { $0.record.installed.modes = ["processing"] },
    { $0.record.installed.kind = .bundle(path: "/Farm.app", executable: "/Farm.app/Farm") },
    { $0.life = .running(pid: 7) },
    {
      $0.wakes.errand = Errand(
        number: 1, app: $0.id, request: nil, decision: 1, verdict: .asked, within: .seconds(30), life: 1,
        stage: .waiting(until: .zero))
    },
  ]

  @Test func `an app has changed for those who decide on fetches once something has that they go by`() {
    for change in Self.changes {
      var table = AppTable()
      for name in names { table[name] = app(name) }
      let begun = table.changes.take()
      table[there: names[0]].lastEnd = "was told nothing"
      change(&table[there: names[1]])
      var taken = [table.take(names[2])!, table.take(names[3])!]
      taken[0].app.lastEnd = "was told nothing"
      change(&taken[1].app)
      for app in taken { table.put(app) }

      #expect(begun == nil)
      #expect(table.changes.take() == [names[1], names[3]])
      #expect(table.availability(of: names[1]) == table[names[1]]?.availability)
    }
  }
}

@Suite struct `The latest of what comes` {
  @Test(arguments: [1, 5, 100]) func `are as many as may stay, in their order`(max: Int) {
    var (latest, model) = (Latest<Int>(), [Int]())
    for number in 0..<500 {
      latest.append(number)
      latest.trim(to: max)
      model = Array((model + [number]).suffix(max))

      #expect(Array(latest.elements) == model)
      #expect(latest.count == model.count && latest.last == number)
    }
  }
}

@Suite struct `A shared value` {
  @Test func `changes where it lies, and for nobody else who holds it`() {
    var one = Shared([1, 2])
    let other = one
    one.value.append(3)
    one.value[0] = 0

    #expect(one.value == [0, 2, 3])
    #expect(other.value == [1, 2])
    #expect(one.opened() == [0, 2, 3])
  }
}
