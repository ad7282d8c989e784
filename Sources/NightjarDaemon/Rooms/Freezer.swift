import Dispatch
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Has apps stand still, and looks for the locks that each would keep from others meanwhile, on a thread that may wait: an app
/// has as many files open as it likes, and no launch and no end waits for that.
struct Freezer: Sendable {
  private let queue = DispatchQueue(label: "nightjar.freezer")
  let launcher: Launcher
  let mailbox: Mailbox

  /// The supervisor hears whether it stands still; an answer that comes late, to it as to the look, does no harm.
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
