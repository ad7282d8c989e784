import Dispatch
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Measures what apps take up in memory, on a thread that may wait while the kernel walks their pages.
struct Scales: Sendable {
  private let queue = DispatchQueue(label: "nightjar.scales")
  let launcher: Launcher
  let sensor: MemorySensor
  let mailbox: Mailbox

  /// The supervisor hears of it.
  func weigh(_ lives: [AppLifeID], _ question: Int) {
    queue.async { [self] in
      let footprints = launcher.footprints(of: lives)
      let (pressure, total) = sensor.read()
      let reading = MemoryReading(pressure: pressure, total: total, footprints: footprints)
      mailbox.post(.measured(question: question, reading))
    }
  }
}
