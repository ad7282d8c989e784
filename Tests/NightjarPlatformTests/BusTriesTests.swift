import Testing

@testable import NightjarPlatform

struct BusTriesTests {
  @Test func `a bus that never answers uses up its tries`() {
    var tries = BusTries()
    tries.begin()

    let pauses = (0..<9).map { _ in tries.next(at: .zero) }

    #expect(Array(pauses.prefix(8)) == [40, 80, 160, 320, 640, 1280, 2560, 5120].map { Duration.milliseconds($0) })
    #expect(pauses[8] == nil)
  }

  @Test func `a bus that hangs up again and again is tried again after a minute, for as long as it answers at all`() {
    var (tries, now) = (BusTries(), Duration.zero)
    for _ in 0..<8 {
      tries.lose()
      now += tries.next(at: now) ?? .seconds(1_000_000)
    }
    tries.lose()

    let pause = tries.next(at: now)

    #expect(pause == .seconds(60) - now)
    let again = (0..<9).map { _ in tries.next(at: .seconds(60)) }
    #expect(again.first == .milliseconds(40) && again.last == .some(nil))
  }
}
