import Dispatch
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Freezes apps and looks for locks on shared files that they would hold meanwhile. The search has a thread of its own:
/// an app may have any number of files open, and no launch and no end waits for that.
struct Freezer: Sendable {
  private let queue = DispatchQueue(label: "nightjar.freezer")
  let launcher: Launcher
  let mailbox: Mailbox

  /// Freezes an app, and reports to the supervisor whether it stands still. A late report does no harm, whether about
  /// the freeze or about locks.
  func freeze(_ app: AppID, life: Int, stint: Int) {
    launcher.freeze(app, life: life) { [self] stands in
      guard stands else { return mailbox.post(.app(app, life: life, .suspended(stint: stint, false))) }
      queue.async { look(at: app, life: life, stint: stint) }
    }
  }

  private func look(at app: AppID, life: Int, stint: Int) {
    let lock = launcher.sharedLock(of: app, life: life)
    mailbox.post(.app(app, life: life, lock.map { .locked(stint: stint, path: $0) } ?? .suspended(stint: stint, true)))
  }
}
