import Dispatch
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Measures what apps take up in memory, and what they have taken of everything else, on a thread that may wait while the
/// kernel walks their pages and the machine's connections.
struct UsageMeter: Sendable {
  private let queue = DispatchQueue(label: "nightjar.meter")
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

  /// The supervisor hears what a life has taken so far.
  func meter(_ app: AppID, life: Int, _ errand: Int64) {
    queue.async { [self] in
      let reading = launcher.reading(of: app, life: life)
      let fact = AppFact.metered(errand: errand, cpu: reading.cpu, received: reading.received, sent: reading.sent)
      mailbox.post(.app(app, life: life, fact))
    }
  }
}
