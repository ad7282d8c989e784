import CNightjarSpawn
import Glibc
import NightjarModel

/// Reads the power supplies from sysfs whenever the kernel tells that one has changed (uevents, netlink(7)); where that
/// cannot be heard, at intervals.
///
/// `@unchecked Sendable`, since it is only touched on the lookout's thread, but for its end.
final class SupplySensor: @unchecked Sendable {
  private static let subsystem = Array("SUBSYSTEM=power_supply".utf8)

  private(set) var reading: PowerReading?
  private let settings: SensorSettings
  private let lookout: Lookout
  private let changed: () -> Void
  private var watch: Lookout.Watch?
  private var clock: Alarm?

  /// Reads at once; `changed` is called at each later change.
  init(lookout: Lookout, settings: SensorSettings, changed: @escaping () -> Void) {
    (self.lookout, self.settings, self.changed) = (lookout, settings, changed)
    reading = PowerReading(sysfs: settings.sysfs)
    if settings.hearsUevents { listen() }
    if watch == nil { poll() }
  }

  deinit { watch.map(lookout.cancel) }

  /// Where readings come from. Without any power supply nothing is polled.
  var source: SignalSources.Source {
    if watch != nil { return .kernel }
    return reading == nil ? .nobody : .polled(every: settings.pollInterval)
  }

  func look() {
    let new = PowerReading(sysfs: settings.sysfs)
    guard new != reading else { return }
    reading = new
    changed()
  }

  private func listen() {
    guard let socket = try? Lookout.descriptor(nightjar_uevent_socket(), "uevents") else { return }
    watch = try? lookout.watch(socket, for: .readable) { [weak self] in
      if Self.drain(socket) { self?.look() }
    }
  }

  private func poll() {
    guard reading != nil else { return }
    clock = try? Alarm(lookout: lookout) { [weak self] in
      self?.look()
      self?.poll(again: ())
    }
    poll(again: ())
  }

  private func poll(again: Void) { clock?.set(after: settings.pollInterval) }

  /// Whether any of the messages is about a power supply, or some were lost.
  private static func drain(_ socket: Descriptor) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var isConcerned = false
    for _ in 0..<256 {
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count >= 0 {
        isConcerned = isConcerned || buffer[..<count].firstRange(of: subsystem) != nil
      } else if errno == ENOBUFS {
        isConcerned = true
      } else if errno != EINTR {
        break
      }
    }
    return isConcerned
  }
}
