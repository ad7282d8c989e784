import CNightjarSpawn
import Glibc
public import NightjarModel

/// How the device is sensed; each way can be left out, so that the next one is used.
public struct SensorSettings: Sendable {
  /// Where the system bus is; nil for no bus.
  public var busAddress: String?
  /// Whether changes of power supplies are heard from the kernel; otherwise the supplies are polled.
  public var hearsUevents = true
  /// How often they are polled then.
  public var pollInterval = Duration.seconds(60)
  /// Where sysfs is mounted.
  public var sysfs = "/sys"

  /// The ordinary settings: the bus at `DBUS_SYSTEM_BUS_ADDRESS` of an environment, or where it always is.
  public init(environment: [String: String]) {
    let address = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? ""
    busAddress = address.isEmpty ? "unix:path=/run/dbus/system_bus_socket" : address
  }
}

/// Knows what the device is like: from services on the system bus where they are, else from the kernel.
///
/// Nothing is polled where changes are signalled. A condition that nothing reports holds nothing back.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread, but for its beginning and end.
public final class Sensors: @unchecked Sendable {
  /// How long the start waits for the bus.
  private static let patience = Duration.seconds(1)

  private let settings: SensorSettings
  private let lookout: Lookout
  private let report: @Sendable (Conditions) -> Void
  private let reportSources: @Sendable (SignalSources) -> Void
  private var whenReady: (@Sendable () -> Void)?
  private var isReady = false
  private var network = NetworkReading()
  private var networkSensor: NetworkSensor?
  private var supplies: SupplySensor?
  private var line: BusLine?
  private var services: BusSensors?
  private var readings = BusReadings()
  /// Whether it is yet to be heard for the first time whether the screen is locked, or that no service says so. A start
  /// does not wait that long.
  private var isLockAwaited = true
  private var busTrouble: String?
  private var clock: Alarm?
  private var told: (conditions: Conditions, sources: SignalSources)?

  /// Sensors that sense nothing before ``start(ready:)``. Everything is reported on the lookout's thread.
  public init(
    lookout: Lookout, settings: SensorSettings, report: @escaping @Sendable (Conditions) -> Void,
    reportSources: @escaping @Sendable (SignalSources) -> Void
  ) {
    (self.lookout, self.settings) = (lookout, settings)
    (self.report, self.reportSources) = (report, reportSources)
  }

  /// Begins. The conditions at the start are reported once every source has answered or a second has passed; then
  /// `ready` is called; after that each change is reported.
  public func start(ready: @escaping @Sendable () -> Void) {
    lookout.perform { [weak self] in self?.begin(ready) }
  }

  /// Looks again at what the kernel might not tell of, as after a sleep.
  public func lookAgain() { lookout.perform { [weak self] in self?.supplies?.look() } }

  private func begin(_ ready: @escaping @Sendable () -> Void) {
    whenReady = ready
    clock = try? Alarm(lookout: lookout) { [weak self] in self?.open() }
    clock?.set(after: Self.patience)
    networkSensor = try? NetworkSensor(lookout: lookout, sysfs: settings.sysfs) { [weak self] reading in
      self?.network = reading
      self?.tell()
    }
    supplies = SupplySensor(lookout: lookout, settings: settings) { [weak self] in self?.tell() }
    connect()
  }

  /// Makes the first report, and from now on reports every change.
  private func open() {
    guard !isReady else { return }
    isReady = true
    clock = nil
    tell()
    whenReady?()
    whenReady = nil
  }

  private func connect() {
    guard let address = settings.busAddress else { return lose("it is not to be asked") }
    line = BusLine(
      to: .system, at: address, lookout: lookout, gained: { [weak self] in self?.use($0) },
      lost: { [weak self] in self?.lose($0) })
    line?.begin()
  }

  private func use(_ bus: BusConnection) {
    busTrouble = nil
    services = BusSensors(on: bus) { [weak self] readings in
      self?.readings = readings
      self?.isLockAwaited = false
      if self?.isReady == true { self?.tell() } else { self?.open() }
    }
  }

  private func lose(_ reason: String) {
    (services, readings, busTrouble) = (nil, BusReadings(), reason)
    isLockAwaited = false
    if isReady { tell() } else { lookout.perform { [weak self] in self?.open() } }
  }

  private func tell() {
    guard isReady else { return }
    let now = (conditions: conditions, sources: sources)
    if now.sources != told?.sources { reportSources(now.sources) }
    if now.conditions != told?.conditions { report(now.conditions) }
    told = now
  }

  private var conditions: Conditions {
    let power = readings.power ?? supplies?.reading ?? PowerReading()
    return Conditions(
      network: network.network(readings.network), power: power.power, battery: power.battery,
      isCharging: power.isCharging, isLowPower: readings.isLowPower ?? false,
      isLocked: readings.login?.isLocked, isLockAwaited: isLockAwaited, isAsleep: readings.login?.isAsleep ?? false)
  }

  private var sources: SignalSources {
    var sources = SignalSources()
    sources.network = readings.network != nil ? .service : networkSensor == nil ? .nobody : .kernel
    sources.power = readings.power != nil ? .service : supplies?.source ?? .nobody
    sources.lowPower = readings.isLowPower == nil ? .nobody : .service
    sources.lock = readings.login?.isLocked == nil ? .nobody : .service
    sources.sleep = readings.login == nil ? .kernel : .service
    sources.busTrouble = busTrouble
    return sources
  }
}
