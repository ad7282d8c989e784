import Testing

@testable import Varlink

@Suite struct ReplyQueueTests {
  @Test(arguments: 0..<UInt64(100))
  func `replies leave in the order of the calls, whatever order they are given in`(seed: UInt64) {
    var random = SeededGenerator(seed)
    var queue = ReplyQueue()
    var open: [UInt64] = []
    var sent: [UInt8] = []

    for _ in 0..<200 {
      if open.isEmpty || Bool.random(using: &random) {
        open.append(queue.open())
      } else {
        let number = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        _ = queue.append([UInt8(number & 0xFF)], to: number, isLast: true)
      }
      var ready: [UInt8] = []
      if Bool.random(using: &random) { queue.exchangeReady(&ready) }
      sent += ready
    }
    for number in open.shuffled(using: &random) { _ = queue.append([UInt8(number & 0xFF)], to: number, isLast: true) }
    sent += queue.ready

    #expect(sent == (0..<sent.count).map { UInt8($0 & 0xFF) })
    #expect(queue.openCalls == 0)
    #expect(queue.heldBytes == 0)
  }

  @Test func `a stream holds back what is behind it until its last reply`() {
    var queue = ReplyQueue()
    let stream = queue.open()
    let second = queue.open()

    _ = queue.append([2, 2], to: second, isLast: true)
    _ = queue.append([1], to: stream, isLast: false)
    let during = (queue.ready, queue.heldBytes, queue.openCalls)
    _ = queue.append([1], to: stream, isLast: true)

    #expect(during == ([1], 2, 2))
    #expect(queue.ready == [1, 1, 2, 2])
    #expect(queue.heldBytes == 0)
  }

  @Test func `memory is counted with the room to grow, and that of much is given back when it was sent`() {
    var queue = ReplyQueue()
    let reply = [UInt8](repeating: 1, count: 100_000)
    let first = queue.open()
    let second = queue.open()
    _ = queue.append(reply, to: second, isLast: true)
    let held = queue.memory
    for _ in 0..<3 { _ = queue.append(reply, to: first, isLast: false) }
    let waiting = queue.memory
    var sent: [UInt8] = []

    _ = queue.append(reply, to: first, isLast: true)
    queue.exchangeReady(&sent)
    let early = (queue.memory, sent.capacity)
    queue.exchangeReady(&sent)

    #expect(held == 100_000)
    #expect(waiting >= 400_000)
    #expect(early.0 == 0 && early.1 >= 500_000)
    #expect(queue.memory == 0 && sent.capacity == 0)
  }

  @Test func `a second last reply is recognised`() {
    var queue = ReplyQueue()
    let first = queue.open()
    let second = queue.open()

    let outcomes = [
      queue.append([2], to: second, isLast: true), queue.append([2], to: second, isLast: true),
      queue.append([1], to: first, isLast: true), queue.append([1], to: first, isLast: true),
      queue.append([2], to: second, isLast: true),
    ]

    #expect(outcomes == [.taken, .alreadyComplete, .taken, .alreadyComplete, .alreadyComplete])
  }
}
