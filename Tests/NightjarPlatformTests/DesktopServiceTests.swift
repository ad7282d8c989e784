import MockDevice
import Synchronization
import TestThreads
import Testing

@testable import NightjarPlatform

/// What is told of the desktop's notification service as it comes and goes, over a real bus.
@Suite(.blocking) struct DesktopServiceTests {
  @Test func `that a service has gone is told once, before it is known whether the bus could start one`() throws {
    let bus = try MockBus(.notifications)
    let follower = try Follower(bus.address)
    #expect(follower.hears(["came"]))

    bus.stop(.notifications)
    #expect(follower.hears(["came", "left", "went"]))
    try bus.start(.notifications)

    #expect(follower.hears(["came", "left", "went", "came"]))
  }
}

/// Follows the service, and keeps what is told of it.
private final class Follower: Sendable {
  private let lookout: Lookout
  private let told: Told

  private final class Told: Sendable {
    let facts = Mutex<[String]>([])
    let bell = Doorbell()
    let line = Mutex<BusLine?>(nil)
    let service = Mutex<DesktopService?>(nil)

    func note(_ fact: String) {
      facts.withLock { $0.append(fact) }
      bell.ring()
    }

    func follow(on bus: BusConnection) {
      let service = DesktopService(on: bus) { [unowned self] in note(Self.name(of: $0)) }
      self.service.withLock { $0 = service }
      service.follow()
    }

    private static func name(of fact: DesktopService.Fact) -> String {
      switch fact {
      case .came: "came"
      case .left: "left"
      case .went: "went"
      case .startFailed(let reason): "could not be started: \(reason)"
      case .tapped: "tapped"
      case .closed: "closed"
      }
    }
  }

  init(_ address: String) throws {
    (lookout, told) = (try Lookout(), Told())
    lookout.perform { [lookout, told] in
      let line = BusLine(
        to: .session, at: address, lookout: lookout, gained: { told.follow(on: $0) },
        lost: { told.note("lost: \($0)") })
      told.line.withLock { $0 = line }
      line.begin()
    }
  }

  deinit { lookout.stop() }

  /// Whether these come to be all that is told.
  func hears(_ facts: [String]) -> Bool {
    repeat { if told.facts.withLock({ $0 }) == facts { return true } } while told.bell.wait()
    print("in the end it was \(told.facts.withLock { $0 })")
    return false
  }
}
