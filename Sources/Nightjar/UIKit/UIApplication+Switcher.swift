extension UIApplication {
  /// The snapshot that the switcher has of the app is not to be shown while it is launched the next time, because it would
  /// promise what will not be there.
  public nonisolated func ignoreSnapshotOnNextApplicationLaunch() { Link.shared.ignoreSnapshot() }

  /// Under this key the coder that ``UIApplicationDelegate/application(_:shouldRestoreApplicationState:)`` is given has the
  /// `CFBundleVersion` of the app that has saved the state.
  public nonisolated static let stateRestorationBundleVersionKey = "UIApplicationStateRestorationBundleVersionKey"
}
