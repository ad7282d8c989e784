import NightjarSimulator

/// What came of one seed.
struct Outcome: Sendable {
  var digest: UInt64
  var turns: Int
  var failures: [String]
  var journal: [String]

  /// Runs a world: a day and a half of wishes (many of them in every twentieth) and faults, then rest.
  init(ofSeed seed: UInt64, _ options: SoakOptions) {
    if options.isLoud { print("seed \(seed)") }
    var world = World(seed: seed, faults: options.faults)
    world.keepsJournal = options.isLoud
    world.enqueue(seed % 20 == 0 ? 100 : 12, within: .seconds(12 * 3600))
    world.run(for: .seconds(30 * 3600))
    world.comeToRest()
    (digest, turns, failures, journal) = (world.digest.value, world.turns, world.failures, world.journal)
  }
}
