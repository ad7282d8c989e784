import NIOCore
import Testing

@testable import NightjarTransfer

struct TravelTests {
  private func line(_ acknowledged: UInt64, of handedOver: UInt64, quiet: Int64 = 0) -> LineProgress {
    LineProgress(handedOver: handedOver, acknowledged: acknowledged, quiet: .milliseconds(quiet))
  }

  @Test func `nothing is on its way before a request begins`() {
    var travel = Travel()

    #expect(!travel.isUnderWay)
    #expect(travel.arrived(line(500, of: 500)) == nil)
  }

  @Test func `bytes arrive as long as more are acknowledged, also after the last was handed over`() {
    var travel = Travel()
    travel.begins(line(100, of: 100), isOwnLine: true)

    #expect(travel.arrived(line(300, of: 900)) == .zero)
    #expect(travel.arrived(line(300, of: 900)) == nil)
    travel.allHasLeft(line(400, of: 1000))
    #expect(travel.arrived(line(700, of: 1000)) == .zero)
    #expect(travel.isUnderWay)
  }

  @Test func `when the last byte arrived is told, and nothing after it`() {
    var travel = Travel()
    travel.begins(line(0, of: 0), isOwnLine: true)
    travel.allHasLeft(line(400, of: 1000))

    #expect(travel.arrived(line(1000, of: 1000, quiet: 250)) == .milliseconds(250))
    #expect(!travel.isUnderWay)
    #expect(travel.arrived(line(1200, of: 1200)) == nil)
  }

  @Test func `on a shared connection only what was handed over before the end of the request counts`() {
    var travel = Travel()
    travel.begins(line(100, of: 500), isOwnLine: false)

    #expect(travel.arrived(line(400, of: 900)) == nil)
    travel.allHasLeft(line(600, of: 1000))
    #expect(travel.arrived(line(1000, of: 5000, quiet: 3)) == .milliseconds(3))
    #expect(travel.arrived(line(5000, of: 5000)) == nil)
  }
}
