import Testing

@testable import Varlink

@Suite struct OutgoingBytesTests {
  @Test func `what was sent is not kept, though something always waits`() {
    var outgoing = OutgoingBytes()
    let message = [UInt8](repeating: 7, count: 100_000)
    outgoing.append(message)

    var most = 0
    for _ in 0..<200 {
      outgoing.append(message)
      outgoing.remove(message.count)
      most = max(most, outgoing.keptBytes)
    }

    #expect(outgoing.count == message.count)
    #expect(most <= 2 * message.count + OutgoingBytes.plentyBytes)
  }

  @Test(arguments: 0..<UInt64(3))
  func `bytes leave in the order in which they came`(seed: UInt64) {
    var random = SeededGenerator(seed)
    var outgoing = OutgoingBytes()
    var (next, sent) = (0, [UInt8]())

    while next < 1_500_000 {
      let size = Int.random(in: 1...300_000, using: &random)
      outgoing.append((next..<next + size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      next += size
      let taken = Int.random(in: 0...outgoing.count, using: &random)
      sent += outgoing.withUnsafeBytes { Array($0.prefix(taken)) }
      outgoing.remove(taken)
    }
    sent += outgoing.withUnsafeBytes { Array($0) }

    #expect(sent == (0..<next).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  }
}
