import NightjarCore
import NightjarModel

/// Memory that runs short, and the apps that are ended for it.
extension World {
  mutating func lookAtMemory() {
    guard faults.memoryLack > 0 else { return }
    plan(.memoryLooked, in: 1_200_000)
    guard dice.falls(faults.memoryLack) else { return }
    memoryLack = dice.below(4)
    post(.pressed(memoryLack == 0 ? .warning : .urgent))
  }

  /// Measures memory, sooner or later; the answer may be lost.
  mutating func measure(_ question: Int, _ lives: [AppLifeID]) {
    if lives.isEmpty { fail("nothing is to be measured") }
    guard !dice.falls(faults.launchFailure) else { return }
    var footprints: [AppLifeID: Int64] = [:]
    for life in lives where !dice.falls(100) { footprints[life] = Int64(dice.below(4)) << 20 }
    let reading = MemoryReading(pressure: memoryLack > 0 ? .urgent : .none, total: 16 << 20, footprints: footprints)
    memoryLack = max(memoryLack - 1, 0)
    plan(.reported(.measured(question: question, reading), daemon: daemon), in: dice.draw(1...12_000))
  }

  /// Checks that no running app is ended for lack of memory while another is suspended. Called before the deeds.
  mutating func checkEnds(_ turn: Turn) {
    let ended = turn.changes.history.values.compactMap { $0 }.filter { $0.kind == .memory }.map(\.id.app).sorted()
    for app in ended where !processes.contains(where: { $0.app == app && ($0.isFrozen || $0.stint != nil) }) {
      guard let spared = processes.first(where: { $0.isFrozen && !$0.isLeaving && !isConcerned($0.app, turn) }) else {
        continue
      }
      fail("\(app) is ended for want of memory while \(spared.app) stands still")
    }
  }

  /// Whether a turn ends an app or lets it run on.
  private func isConcerned(_ app: AppID, _ turn: Turn) -> Bool {
    turn.deeds.contains { deed in
      switch deed {
      case .end(app, _, _), .thaw(app, _): true
      default: false
      }
    }
  }
}
