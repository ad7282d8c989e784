import Foundation
import NightjarWire
import Testing

@testable import Nightjar

/// What an app hears of a lock. One suite with the launches: there is one `UIApplication`.
extension WakeTests {
  @Test func `the delegate and observers hear when the device is locked and unlocked, once each`() {
    let delegate = Guarded()
    let posted = Kept<[String]>()
    let names = [
      UIApplication.protectedDataWillBecomeUnavailableNotification,
      UIApplication.protectedDataDidBecomeAvailableNotification,
    ]
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        posted.value = (posted.value ?? []) + [$0.name.rawValue]
      }
    }
    defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    UIApplication.shared.begin(.with(locked: nil))
    UIApplication.shared.delegate = delegate

    for locked in [nil, false, true, nil, true, false, nil, false] { UIApplication.shared.note(.with(locked: locked)) }

    #expect(delegate.heard == ["locked, available true", "unlocked, available true"])
    #expect(posted.value == names.map(\.rawValue))
  }

  @Test func `an app that is launched on a locked device knows that, and hears only of its end`() {
    let delegate = Guarded()
    UIApplication.shared.delegate = delegate

    UIApplication.shared.begin(.with(locked: true))
    let isAvailable = UIApplication.shared.isProtectedDataAvailable
    UIApplication.shared.note(.with(locked: true))
    UIApplication.shared.note(.with(locked: false))

    #expect(!isAvailable && UIApplication.shared.isProtectedDataAvailable)
    #expect(delegate.heard == ["unlocked, available true"])
  }
}

/// Where nobody knows whether the device is locked.
extension WakeTests {
  @Test func `an app on a locked device hears nothing of a daemon that does not know yet`() {
    let delegate = Guarded()
    UIApplication.shared.delegate = delegate
    UIApplication.shared.begin(.with(locked: true))

    UIApplication.shared.note(.with(locked: nil))
    let isAvailable = UIApplication.shared.isProtectedDataAvailable
    UIApplication.shared.note(.with(locked: true))

    #expect(!isAvailable && delegate.heard == [])
    UIApplication.shared.note(.with(locked: false))
  }
}

extension AppInterface.Standing {
  fileprivate static func with(locked: Bool?) -> Self {
    var standing = Self(backgroundRefresh: true, alerts: true, sounds: true, badges: true, badge: 0)
    standing.locked = locked
    return standing
  }
}

/// An app delegate that writes down what it hears of the lock.
private final class Guarded: UIResponder, UIApplicationDelegate {
  var heard: [String] = []

  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
    heard.append("locked, available \(application.isProtectedDataAvailable)")
  }

  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
    heard.append("unlocked, available \(application.isProtectedDataAvailable)")
  }
}
