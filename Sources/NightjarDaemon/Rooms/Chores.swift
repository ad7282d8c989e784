import Dispatch
import Logging
import NightjarCore
import NightjarModel
import NightjarPlatform

/// Installs and removes bundles, one after the other, on a thread that may wait for the disk.
final class Chores: Sendable {
  private let queue = DispatchQueue(label: "nightjar.chores")
  private let library: AppLibrary
  private let mailbox: Mailbox
  private let logger: Logger

  init(library: AppLibrary, mailbox: Mailbox, logger: Logger) {
    (self.library, self.mailbox, self.logger) = (library, mailbox, logger)
  }

  /// Puts a bundle in its place; the supervisor hears of it and answers the ticket, or `refuse` is told why not.
  func install(_ path: String, _ ticket: Ticket, refuse: @escaping @Sendable (PlatformError) -> Void) {
    queue.async { [library, mailbox] in
      do throws(PlatformError) {
        mailbox.post(.installed(try library.install(path).app, ticket))
      } catch {
        refuse(error)
      }
    }
  }

  /// Removes an app that no longer runs. What is left of it after a crash is swept at the next start.
  func uninstall(_ app: AppID) {
    queue.async { [library, logger] in
      do throws(PlatformError) {
        try library.uninstall(app)
      } catch {
        logger.error("what is left of the app could not be removed: \(error.detail)", metadata: ["app": "\(app)"])
      }
    }
  }

  /// Waits until everything that was asked for is done.
  func finish() { queue.sync {} }
}
