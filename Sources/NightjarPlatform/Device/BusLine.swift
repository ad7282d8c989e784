/// Keeps a connection to a bus: it is tried again when it is lost, a few times, and whenever a socket appears in the bus's
/// place. Nothing is polled.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class BusLine: @unchecked Sendable {
  /// How often a bus is tried that has gone or whose socket has appeared, after twice as long each time.
  private static let triesMax = 8
  /// How often a bus that has gone is given its tries anew.
  private static let renewal = Duration.seconds(60)

  private let kind: BusKind
  private let address: String
  private let lookout: Lookout
  private let gained: (BusConnection) -> Void
  private let lost: (_ reason: String) -> Void
  private var bus: BusConnection?
  private var watch: SocketWatch?
  private var clock: Alarm?
  private var triesLeft = 0
  /// When a bus that had answered was last given all its tries.
  private var renewedAt: Duration?

  /// A line that ``begin()`` opens. After it each connection is handed over with `gained`, and its end, or that there is none
  /// to begin with, is told with `lost`.
  init(
    to kind: BusKind, at address: String, lookout: Lookout, gained: @escaping (BusConnection) -> Void,
    lost: @escaping (_ reason: String) -> Void
  ) {
    (self.kind, self.address, self.lookout) = (kind, address, lookout)
    (self.gained, self.lost) = (gained, lost)
  }

  /// Connects, now or as soon as there is a bus.
  func begin() {
    do throws(PlatformError) {
      let bus = try BusConnection(kind, address: address, lookout: lookout) { [weak self] in self?.lose($0.detail) }
      (self.bus, watch) = (bus, nil)
      gained(bus)
    } catch {
      lose(error.detail)
    }
  }

  /// Does without the bus until it answers again. Its socket stays where systemd keeps it (systemd.socket(5)), so that its
  /// end may be all that there is to be seen; but one that never answers, or hangs up again and again, uses up its tries.
  private func lose(_ reason: String) {
    if bus?.hasStood == true { renew(at: Clocks.boot()) }
    let isNews = bus != nil || watch == nil  // Rather than one more try that has failed.
    bus = nil
    if watch == nil {
      watch = SocketWatch(address: address, lookout: lookout) { [weak self] in
        self?.triesLeft = Self.triesMax
        self?.tryAgain()
      }
    }
    tryAgain()
    if isNews { lost(reason) }
  }

  private func renew(at now: Duration) {
    if let renewedAt, now - renewedAt < Self.renewal { return }
    (triesLeft, renewedAt) = (Self.triesMax, now)
  }

  /// A socket appears a moment before anybody listens to it, which nobody tells of: so it is tried a few times.
  private func tryAgain() {
    guard triesLeft > 0 else { return clock = nil }
    triesLeft -= 1
    if clock == nil { clock = try? Alarm(lookout: lookout) { [weak self] in self?.begin() } }
    clock?.set(after: .milliseconds(20 << (Self.triesMax - triesLeft)))
  }
}
