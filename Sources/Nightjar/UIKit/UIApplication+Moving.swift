import Foundation

/// Transitions between the foreground and the background.
extension UIApplication {
  /// Carries out a move of the daemon's. Confirms that the app is in the background once the delegate has returned.
  func move(_ move: Move, link: Link) {
    switch move {
    case .background(let number, let remaining):
      backgroundEnd = remaining.map { .now + $0 } ?? max(backgroundEnd, .now + LinkLimits.eventsTime)
      enterBackground()
      Screen.shared.drawAtOnce()
      link.entered(number)
    case .foreground:
      enterForeground(link: link)
      Screen.shared.drawAtOnce()
    case .acted(let acted): Screen.shared.perform(acted)
    case .expiry: link.expireTasks()
    case .shortage: announce(Self.didReceiveMemoryWarningNotification) { $0.applicationDidReceiveMemoryWarning(self) }
    case .newTime:
      NSTimeZone.resetSystemTimeZone()  // Foundation keeps the zone that it has read first.
      announce(Self.significantTimeChangeNotification) { $0.applicationSignificantTimeChange(self) }
    }
  }

  func enterBackground() {
    if applicationState == .active { resignActive() }
    guard applicationState == .inactive else { return }
    applicationState = .background
    announce(Self.didEnterBackgroundNotification) { $0.applicationDidEnterBackground(self) }
    savedState?.save(self, at: .now)
  }

  /// Saves the state and takes the snapshot after background work.
  func endBackgroundWork() {
    guard applicationState == .background else { return }
    savedState?.save(self, at: .now, isBackgroundWork: true)
    Screen.shared.drawAtOnce()
  }

  private func enterForeground(link: Link) {
    guard applicationState == .background else { return }
    announce(Self.willEnterForegroundNotification) { $0.applicationWillEnterForeground(self) }
    savedState?.catchUp(self)
    applicationState = .inactive
    tellTapped(link: link)
    becomeActive()
  }

  /// Makes the app inactive: it is still in the foreground, but covered or about to leave.
  func resignActive() {
    announce(Self.willResignActiveNotification) { $0.applicationWillResignActive(self) }
    applicationState = .inactive
  }

  func becomeActive() {
    applicationState = .active
    announce(Self.didBecomeActiveNotification) { $0.applicationDidBecomeActive(self) }
  }
}
