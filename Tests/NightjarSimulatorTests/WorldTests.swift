import NightjarCore
import NightjarModel
import NightjarSimulator
import TestThreads
import Testing

/// The release build goes through thousands more.
@Suite(.computing) struct `In a made-up world` {
  @Test(arguments: 0..<UInt64(40))
  func `no completion is ever lost, whatever goes wrong`(seed: UInt64) {
    var world = World(seed: seed, faults: .harsh)

    world.enqueue(12, within: .hours(12))
    world.run(for: .hours(30))
    world.comeToRest()

    #expect(world.failures == [])
    #expect(world.turns > 20)
  }

  /// A download that was held back for want of room did not begin when what others had left was removed for it; an app
  /// that was ended while it stood still, for a lock that it held, was told of progress.
  @Test(arguments: [UInt64(9580), 40460])
  func `what has gone wrong once goes right`(seed: UInt64) {
    var world = World(seed: seed, faults: .harsh)

    world.enqueue(12, within: .hours(12))
    world.run(for: .hours(30))
    world.comeToRest()

    #expect(world.failures == [])
  }

  @Test(arguments: 0..<UInt64(20))
  func `where nothing goes wrong every request is heard exactly once`(seed: UInt64) {
    var world = World(seed: seed)

    world.enqueue(20, within: .hours(6))
    world.run(for: .days(1))
    world.comeToRest()

    #expect(world.failures == [])
    #expect(world.heard.count == 20)
    #expect(world.heard.values.allSatisfy { $0 == 1 })
  }

  @Test(arguments: 0..<UInt64(10))
  func `the same seed gives the same turns`(seed: UInt64) {
    let digests = (0..<2).map { _ in
      var world = World(seed: seed, faults: .harsh)
      world.enqueue(12, within: .hours(12))
      world.run(for: .hours(30))
      world.comeToRest()
      return world.digest
    }

    #expect(digests[0] == digests[1])
  }

  @Test func `another seed gives other turns`() {
    let digests = (0..<UInt64(2)).map { seed in
      var world = World(seed: seed, faults: .mild)
      world.enqueue(5, within: .hours(1))
      world.run(for: .hours(3))
      return world.digest
    }

    #expect(digests[0] != digests[1])
  }
}
