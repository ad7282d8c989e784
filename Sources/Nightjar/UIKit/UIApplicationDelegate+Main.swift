import Foundation
import NightjarWire

extension UIApplicationDelegate where Self: UIResponder {
  /// Runs the app: creates its delegate, attaches to the daemon, launches into the foreground or the background, and
  /// serves the main run loop until the process ends. `@main` calls it.
  ///
  /// Without a daemon the app is launched into the foreground, and its sessions connect as soon as a daemon runs.
  /// Standard output is written line by line, so that the app's log is complete even if the process dies.
  public static func main() {
    AppLife.shared.run(link: Link.shared) { Self() }
  }
}

/// The life of the app in this process.
@MainActor
package final class AppLife {
  package static let shared = AppLife()
  /// The only strong reference to the delegate.
  private var delegate: (any UIApplicationDelegate)?

  /// Launches the app with the delegate that is made here, and never returns.
  func run(link: Link, making delegate: () -> any UIApplicationDelegate) -> Never {
    LineOutput.begin()
    listen(to: link)  // Before there is a delegate, which may open a session and so the line.
    let delegate = delegate()
    Termination.whenAsked { self.end(link) }
    launch(delegate, link: link)
    // Under dispatchMain() or an async main neither OperationQueue.main nor timers would be served on this thread.
    while true { RunLoop.main.run() }
  }

  /// Launches the app as the daemon says.
  package func launch(_ delegate: any UIApplicationDelegate, link: Link) {
    self.delegate = delegate
    let application = UIApplication.shared
    application.delegate = delegate
    listen(to: link)
    Screen.shared.link = link
    let attachment = link.attach()
    application.begin(link.standing)
    guard attachment?.background != true else { return application.launchIntoBackground() }
    guard let notified = attachment?.notified, link.claim(notified.number) else {
      return application.launchIntoForeground()
    }
    let options: [UIApplication.LaunchOptionsKey: Any] = [
      .localNotification: UILocalNotification(notified.notification)
    ]
    var isCenterTold = false
    application.launchIntoForeground(by: options) { isCenterTold = application.tellCenter(notified, link: link) }
    if !isCenterTold { link.take(notified.number) }
  }

  /// Passes what the daemon sends to the app on the main thread, which is served once the app is launched.
  func listen(to link: Link) {
    link.onWake { session in
      DispatchQueue.main.async {
        UIApplication.shared.handleEvents(of: session) {
          link.called(session)
        } done: {
          Self.onMain { Self.handled(session, link) }
        }
      }
    }
    link.onNotices { notified in
      DispatchQueue.main.async { UIApplication.shared.receive(notified, link: link) }
    } standing: { standing in
      DispatchQueue.main.async { UIApplication.shared.note(standing) }
    }
    link.onErrand { errand in
      if case .task(let asked) = errand { BGTaskScheduler.shared.arrived(asked) }
      DispatchQueue.main.async { UIApplication.shared.run(errand, scheduler: .shared, link: link) }
    }
    link.onMove { move in DispatchQueue.main.async { UIApplication.shared.move(move, link: link) } }
  }

  /// The app has handled a session's events: its snapshot is taken before the daemon is told.
  private static func handled(_ session: String, _ link: Link) {
    UIApplication.shared.endBackgroundWork()
    link.handled(session)
  }

  /// Marks the main queue, which under `dispatchMain()` is not served by the main thread.
  private nonisolated static let mainQueue = {
    let mark = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: mark, value: ())
    return mark
  }()

  /// Calls `act` on the main thread, at once if this is it: completion handlers are called on any thread.
  nonisolated static func onMain(_ act: @escaping @MainActor @Sendable () -> Void) {
    let isOnMain = Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) != nil
    if isOnMain { MainActor.assumeIsolated(act) } else { DispatchQueue.main.async(execute: act) }
  }

  private func end(_ link: Link) -> Never {
    UIApplication.shared.willTerminate()
    link.settleNotices()
    exit(0)
  }
}
