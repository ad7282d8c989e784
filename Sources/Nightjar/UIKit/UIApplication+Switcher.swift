extension UIApplication {
  /// Keeps the switcher's snapshot of the app from being shown at its next launch, because it would show what is not
  /// there any more.
  public nonisolated func ignoreSnapshotOnNextApplicationLaunch() { Link.shared.ignoreSnapshot() }

  /// The app is not done with its state yet when `didFinishLaunching` returns: until it calls
  /// ``completeStateRestoration()`` as often, its end counts as a restoration that did not get through, and its next launch
  /// leaves the state out.
  public func extendStateRestoration() { savedState?.extend() }

  /// The app is done with its state, for one call of ``extendStateRestoration()``.
  public func completeStateRestoration() { savedState?.complete() }

  /// Under this key the coder that ``UIApplicationDelegate/application(_:shouldRestoreApplicationState:)`` is given has the
  /// `CFBundleVersion` of the app that has saved the state.
  public nonisolated static let stateRestorationBundleVersionKey = "UIApplicationStateRestorationBundleVersionKey"
}
