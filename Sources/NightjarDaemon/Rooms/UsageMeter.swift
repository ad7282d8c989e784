import Dispatch
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Measures the memory of apps, and the processor time and bytes they have used. It has a thread of its own, which
/// waits while the kernel walks their pages and the machine's connections.
struct UsageMeter: Sendable {
  private let queue = DispatchQueue(label: "nightjar.meter")
  let launcher: Launcher
  let sensor: MemorySensor
  let mailbox: Mailbox

  /// Measures the memory of apps and of the machine, and reports it to the supervisor.
  func weigh(_ lives: [AppLifeID], _ question: Int) {
    queue.async { [self] in
      let footprints = launcher.footprints(of: lives)
      let (pressure, total) = sensor.read()
      let reading = MemoryReading(pressure: pressure, total: total, footprints: footprints)
      mailbox.post(.measured(question: question, reading))
    }
  }

  /// Reports to the supervisor what a life has used so far.
  func meter(_ app: AppID, life: Int, _ errand: Int64) {
    queue.async { [self] in
      let reading = launcher.reading(of: app, life: life)
      let fact = AppFact.metered(errand: errand, cpu: reading.cpu, received: reading.received, sent: reading.sent)
      mailbox.post(.app(app, life: life, fact))
    }
  }
}
