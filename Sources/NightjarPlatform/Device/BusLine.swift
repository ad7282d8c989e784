/// Keeps a connection to a bus. A lost bus is dialled again a few times, and so it is whenever a socket appears in its
/// place, or a folder on the way to it comes or goes. Nothing is polled.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class BusLine: @unchecked Sendable {
  private let kind: BusKind
  private let address: String
  private let lookout: Lookout
  private let gained: (BusConnection) -> Void
  private let lost: (_ reason: String) -> Void
  private var bus: BusConnection?
  private var watch: SocketWatch?
  private var clock: Alarm?
  private var tries = BusTries()
  /// Whether it is known that there is no bus: one more failed try is no news then.
  private var isLossTold = false

  /// A line that ``begin()`` opens. Each connection is then handed to `gained`; its end, or that there is none at
  /// first, is reported to `lost`.
  init(
    to kind: BusKind, at address: String, lookout: Lookout, gained: @escaping (BusConnection) -> Void,
    lost: @escaping (_ reason: String) -> Void
  ) {
    (self.kind, self.address, self.lookout) = (kind, address, lookout)
    (self.gained, self.lost) = (gained, lost)
  }

  /// Connects, now or as soon as there is a bus.
  func begin() {
    watch = socketWatch()  // Before the bus is dialled: what appears meanwhile is not missed.
    do throws(PlatformError) {
      let bus = try BusConnection(kind, address: address, lookout: lookout) { [weak self] in self?.lose($0.detail) }
      (self.bus, watch, isLossTold) = (bus, nil, false)
      gained(bus)
    } catch {
      lose(error.detail)
    }
  }

  /// Does without the bus until it answers again. Where systemd keeps its socket (systemd.socket(5)), the loss of the
  /// connection may be the only sign that the bus restarts, so it is dialled again; but a bus that never answers, or
  /// hangs up again and again, uses up its tries.
  private func lose(_ reason: String) {
    if bus?.hasStood == true { tries.lose() }
    bus = nil
    if watch == nil { watch = socketWatch() }
    tryAgain()
    guard !isLossTold else { return }
    isLossTold = true
    lost(reason)
  }

  private func socketWatch() -> SocketWatch? {
    SocketWatch(address: address, lookout: lookout) { [weak self] in
      self?.tries.begin()
      self?.tryAgain()
    }
  }

  /// A socket appears a moment before the bus listens to it, which nothing signals: so it is dialled a few times.
  private func tryAgain() {
    guard let pause = tries.next(at: Clocks.boot()) else { return clock = nil }
    if clock == nil { clock = try? Alarm(lookout: lookout) { [weak self] in self?.begin() } }
    clock?.set(after: pause)
  }
}
