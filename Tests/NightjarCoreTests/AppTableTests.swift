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
