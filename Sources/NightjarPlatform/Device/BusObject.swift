/// The properties of an object of a service on the bus, read whole whenever a signal says that they have changed.
///
/// Signals only say when to look, so one that is lost in a flood does no harm, and only one request is under way at a
/// time.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread.
final class BusObject: @unchecked Sendable {
  /// Called with the properties, or with nil while the service or the object is not there.
  typealias Heard = ([String: BusValue]?) -> Void

  let path: String
  private unowned let bus: BusConnection
  private let service: String
  private let interface: String
  private let heard: Heard
  private var isAsking = false
  private var isStale = false

  /// An object that is asked when ``ask()`` is called.
  init(_ service: String, _ path: String, _ interface: String, on bus: BusConnection, heard: @escaping Heard) {
    (self.service, self.path, self.interface) = (service, path, interface)
    (self.bus, self.heard) = (bus, heard)
  }

  /// Asks now, and whenever the service comes or goes or says that properties have changed.
  func follow() {
    bus.followOwner(of: service) { [weak self] in self?.ask() }
    let rule =
      "type='signal',sender='\(service)',path='\(path)',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',arg0='\(interface)'"
    bus.follow(rule) { [weak self] _ in self?.ask() }
    ask()
  }

  /// Has the properties read; if that is under way, once more afterwards.
  func ask() {
    guard !isAsking else { return isStale = true }
    (isAsking, isStale) = (true, false)
    bus.call("GetAll", of: "org.freedesktop.DBus.Properties", at: path, in: service, .text(interface)) {
      [weak self] answer in
      self?.take(answer.hasFailed ? nil : answer.properties())
    }
  }

  private func take(_ properties: [String: BusValue]?) {
    isAsking = false
    if isStale { return ask() }
    heard(properties)
  }
}

extension BusConnection {
  /// Tells when a service has come to the bus, gone from it, or been replaced by another.
  func followOwner(of service: String, _ changed: @escaping () -> Void) {
    let rule =
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg0='\(service)'"
    follow(rule) { _ in changed() }
  }
}
