import Dispatch
import Logging
import NightjarModel
import NightjarPlatform
import Synchronization

/// The views that apps show just now, in memory, and their snapshots, in their containers.
final class ViewStore: Sendable {
  /// A view under its number. A newer view has a higher number, over restarts of the daemon too.
  private struct View {
    var number: Int64
    var html: String
  }

  private struct Contents {
    var views: [AppID: View] = [:]
    /// How many views of an app are on their way through the mailbox.
    var underWay: [AppID: Int] = [:]
    var numberLast: Int64
  }

  /// The most views of one app on their way: the library sends one after the other.
  static let underWayMax = 8

  /// Reads and writes snapshots in the order of the calls.
  private let queue = DispatchQueue(label: "nightjar.views")
  private let snapshots: Snapshots
  private let logger: Logger
  private let contents: Mutex<Contents>

  init(snapshots: Snapshots, now: Timestamp, logger: Logger) {
    (self.snapshots, self.logger) = (snapshots, logger)
    contents = Mutex(Contents(numberLast: now.nanoseconds / 1_000_000))
  }

  /// Numbers a view that comes in; nil if too many of its app's are on their way.
  func receive(from app: AppID) -> Int64? {
    contents.withLock { contents in
      guard contents.underWay[app, default: 0] < Self.underWayMax else { return nil }
      contents.underWay[app, default: 0] += 1
      contents.numberLast += 1
      return contents.numberLast
    }
  }

  /// Shows a view that has come in, or with nil drops it.
  func show(_ html: String?, _ number: Int64, of app: AppID) {
    contents.withLock { contents in
      let left = contents.underWay[app, default: 1] - 1
      contents.underWay[app] = left > 0 ? left : nil
      if let html { contents.views[app] = View(number: number, html: html) }
    }
  }

  /// The view that an app shows, and its number; nil while it shows none.
  func view(of app: AppID) -> (number: Int64, html: String)? {
    contents.withLock { $0.views[app] }.map { ($0.number, $0.html) }
  }

  /// Drops the view of an app, which then shows nothing.
  func drop(_ app: AppID) { contents.withLock { $0.views[app] = nil } }

  /// Keeps what an app shows as its snapshot.
  func keepSnapshot(of app: AppID) {
    guard let view = view(of: app) else { return }
    attempt("keep the snapshot of", app) { snapshots throws(PlatformError) in try snapshots.keep(view.html, of: app) }
  }

  /// Calls back with an app's snapshot, on a thread of the store's.
  func readSnapshot(of app: AppID, _ then: @escaping @Sendable (String?) -> Void) {
    queue.async { [snapshots] in then(snapshots.read(app)) }
  }

  /// Removes an app's snapshot and the state that it would be restored to.
  func forgetLooks(of app: AppID) {
    attempt("forget how it looked:", app) { snapshots throws(PlatformError) in try snapshots.forget(app) }
  }

  /// Waits until all earlier calls are carried out.
  func finish() { queue.sync {} }

  private func attempt(
    _ deed: String, _ app: AppID, _ act: @escaping @Sendable (Snapshots) throws(PlatformError) -> Void
  ) {
    queue.async { [snapshots, logger] in
      do throws(PlatformError) { try act(snapshots) } catch {
        logger.warning("could not \(deed) \(app): \(error.detail)", metadata: ["app": "\(app)"])
      }
    }
  }
}
