/// What services on the system bus tell of the device; nil for what none of them tells.
struct BusReadings: Hashable, Sendable {
  var network: NetworkWord?
  var power: PowerReading?
  var isLowPower: Bool?
  var login: LoginReading?
}

/// The services on the system bus that know something of the device, each followed as it comes and goes.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class BusSensors: @unchecked Sendable {
  private enum Service: Hashable {
    case networkManager, upower, display, profiles, oldProfiles, login
  }

  private let bus: BusConnection
  private let changed: (BusReadings) -> Void
  private var readings = BusReadings()
  private var objects: [BusObject] = []
  private var login: LoginSensor?
  private var properties: [Service: [String: BusValue]] = [:]
  private var silent: Set<Service> = [.networkManager, .upower, .display, .profiles, .oldProfiles, .login]

  /// Asks every service, then tells what they say: once all have answered or turned out not to be there, and then at
  /// each change.
  init(on bus: BusConnection, changed: @escaping (BusReadings) -> Void) {
    (self.bus, self.changed) = (bus, changed)
    let root = "/org/freedesktop"
    follow(.networkManager, "org.freedesktop.NetworkManager", root + "/NetworkManager")
    follow(.upower, "org.freedesktop.UPower", root + "/UPower")
    follow(
      .display, "org.freedesktop.UPower", root + "/UPower/devices/DisplayDevice", "org.freedesktop.UPower.Device")
    follow(.profiles, "org.freedesktop.UPower.PowerProfiles", root + "/UPower/PowerProfiles")
    follow(.oldProfiles, "net.hadess.PowerProfiles", "/net/hadess/PowerProfiles")
    login = LoginSensor(on: bus) { [weak self] reading in
      self?.readings.login = reading
      self?.hear(.login)
    }
  }

  private func follow(_ kind: Service, _ name: String, _ path: String, _ interface: String? = nil) {
    let object = BusObject(name, path, interface ?? name, on: bus) { [weak self] properties in
      self?.properties[kind] = properties
      self?.hear(kind)
    }
    objects.append(object)
    object.follow()
  }

  private func hear(_ kind: Service) {
    silent.remove(kind)
    readings.network = properties[.networkManager].flatMap { NetworkWord($0) }
    readings.power = properties[.upower].flatMap { PowerReading(upower: $0, display: properties[.display] ?? [:]) }
    let profile = (properties[.profiles] ?? properties[.oldProfiles])?["ActiveProfile"]?.text
    readings.isLowPower = profile.map { $0 == "power-saver" }
    if silent.isEmpty { changed(readings) }
  }
}
