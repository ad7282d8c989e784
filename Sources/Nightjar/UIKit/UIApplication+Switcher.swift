extension UIApplication {
  /// Keeps the switcher's snapshot of the app from being shown at its next launch, because it would show what is not
  /// there any more.
  public nonisolated func ignoreSnapshotOnNextApplicationLaunch() { Link.shared.ignoreSnapshot() }

  /// The app is not done with its state yet when `didFinishLaunching` returns: until it calls
  /// ``completeStateRestoration()`` as often, its end counts as a restoration that did not get through, and its next
  /// launch leaves the state out.
  public func extendStateRestoration() { savedState?.extend() }

  /// The app is done with its state, for one call of ``extendStateRestoration()``.
  public func completeStateRestoration() { savedState?.complete() }

  // What is in the coder of ``UIApplicationDelegate/application(_:shouldRestoreApplicationState:)`` besides what the
  // app has encoded.

  /// The key of the `CFBundleVersion` of the app that has saved the state, a `String`.
  public nonisolated static let stateRestorationBundleVersionKey = "UIApplicationStateRestorationBundleVersionKey"
  /// The key of the version of the system that the state was saved on, a `String`: that of Linux, such as "6.18.4".
  public nonisolated static let stateRestorationSystemVersionKey = "UIApplicationStateRestorationSystemVersionKey"
  /// The key of the time at which the state was saved, a `Date`.
  public nonisolated static let stateRestorationTimestampKey = "UIApplicationStateRestorationTimestampKey"
}
