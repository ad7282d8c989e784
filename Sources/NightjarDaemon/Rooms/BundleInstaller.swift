import Dispatch
import Glibc
import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform
import NightjarTransfer
import Synchronization

/// Installs and removes bundles, one after the other, on a thread that may wait for the home's disk.
///
/// A bundle on another mount is first copied on that mount's lane, since its file system may never answer; it is put in
/// its place here once it is copied whole. So a file system that does not answer holds up only installs from it.
///
/// The supervisor hears of a bundle that is in its place already, and ends the app if it runs. Until then the app finds
/// its former bundle on the disk, unless the daemon dies meanwhile: the next one sweeps what it finds.
final class BundleInstaller: Sendable {
  private let queue = DispatchQueue(label: "nightjar.installer")
  private let library: AppLibrary
  private let fileSystems: FileSystems
  private let patience: Duration
  private let mailbox: Mailbox
  private let afterEnd: @Sendable (AppID, @escaping @Sendable () -> Void) -> Void
  private let logger: Logger
  private let editions = Mutex(Editions())
  /// How many bundles wait to be installed, by the lane that copies them; nil stands for the home's own mount.
  private let waiting = Mutex<[ObjectIdentifier?: Int]>([:])
  /// The most bundles of one mount that may wait.
  private static let waitingMax = 64

  /// Creates an installer for a library. A file system that is silent for longer than `patience` counts as one that
  /// does not answer.
  ///
  /// - Parameter afterEnd: Calls what it is given once an app that may run now has ended.
  init(
    library: AppLibrary, fileSystems: FileSystems, patience: Duration, mailbox: Mailbox, logger: Logger,
    afterEnd: @escaping @Sendable (AppID, @escaping @Sendable () -> Void) -> Void
  ) {
    (self.library, self.fileSystems, self.patience) = (library, fileSystems, patience)
    (self.mailbox, self.logger, self.afterEnd) = (mailbox, logger, afterEnd)
  }

  /// Installs a bundle and reports it to the supervisor, which answers the ticket; or calls `refuse` with the reason.
  func install(_ path: String, _ ticket: Ticket, refuse: @escaping @Sendable (PlatformError) -> Void) {
    let lane = path.hasPrefix("/") ? fileSystems.mount(of: path)?.lane(.copying) : nil
    if let lane, lane.isSilent(for: patience) {
      return refuse(PlatformError(.system(ETIMEDOUT), "the file system of '\(path)' does not answer"))
    }
    let place = lane.map { ObjectIdentifier($0) }
    guard enter(place) else {
      return refuse(PlatformError(.system(EAGAIN), "\(Self.waitingMax) bundles wait already; try it again later"))
    }
    let end: @Sendable (Result<AppLibrary.Draft, PlatformError>) -> Void = { [self] draft in
      put(draft, ticket, refuse)
      leave(place)
    }
    guard let lane else {
      return queue.async { [self] in end(Result { () throws(PlatformError) in try library.draft(path) }) }
    }
    lane.submit { [self] in
      let draft = Result { () throws(PlatformError) in try library.draft(path, moved: lane.moved) }
      queue.async { end(draft) }
    }
  }

  /// Counts one more waiting bundle; false if too many wait.
  private func enter(_ place: ObjectIdentifier?) -> Bool {
    waiting.withLock { waiting in
      guard waiting[place, default: 0] < Self.waitingMax else { return false }
      waiting[place, default: 0] += 1
      return true
    }
  }

  private func leave(_ place: ObjectIdentifier?) { waiting.withLock { $0[place, default: 1] -= 1 } }

  private func put(
    _ draft: Result<AppLibrary.Draft, PlatformError>, _ ticket: Ticket, _ refuse: (PlatformError) -> Void
  ) {
    do throws(PlatformError) {
      let (bundle, former) = try library.install(try draft.get())
      editions.withLock { $0.installed(bundle.id) }
      if let former { afterEnd(bundle.id) { [self] in queue.async { [self] in library.remove(former) } } }
      mailbox.post(.installed(bundle.app, ticket))
    } catch {
      refuse(error)
    }
  }

  /// Notes that the supervisor has answered an installation.
  func heard(_ app: AppID) { editions.withLock { $0.heard(app) } }

  /// Removes an app that no longer runs, and reports it to the supervisor. A bundle installed since the supervisor
  /// decided this stays, with a container of its own. What a crash leaves behind is removed at the next start.
  func uninstall(_ app: AppID) {
    let known = editions.withLock { $0.known(app) }
    queue.async { [self] in
      do throws(PlatformError) {
        if editions.withLock({ $0.isNewer(app, than: known) }) { return try library.renew(app) }
        if let left = try library.uninstall(app) {
          logger.warning("something of the app stays behind: \(left.detail)", metadata: ["app": "\(app)"])
        }
      } catch  where error.code == .notInstalled {
        // It is removed already, or it is a program.
      } catch {
        return logger.error(
          "what is left of the app could not be removed: \(error.detail)", metadata: ["app": "\(app)"])
      }
      mailbox.post(.uninstalled(app))
    }
  }

  /// Waits until all earlier calls are carried out.
  func finish() { queue.sync {} }
}
