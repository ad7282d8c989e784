import Testing

@testable import Nightjar

@Suite struct FifoTests {
  @Test func `what is out of a queue that is empty is let go`() {
    var queue = Fifo<Thing>()
    let things = (1...3).map { _ in Thing() }
    let looks = things.map { Look(thing: $0) }
    for thing in things { queue.append(thing) }
    _ = consume things

    for _ in looks { _ = queue.popFirst() }

    #expect(looks.allSatisfy { $0.thing == nil })
    #expect(queue.isEmpty)
  }

  @Test(arguments: [1, 63, 64, 65, 200, 1000])
  func `what goes in comes out in its order, however full the queue is`(held: Int) {
    var (queue, out) = (Fifo<Int>(), [Int]())
    for number in 0..<3000 {
      queue.append(number)
      if queue.count > held, let next = queue.popFirst() { out.append(next) }
    }
    while let next = queue.popFirst() { out.append(next) }

    #expect(out == Array(0..<3000))
  }
}

private final class Thing {}

private struct Look { weak var thing: Thing? }
