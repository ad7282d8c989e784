import NightjarModel

/// Where notifications are shown to a person. The notification centre, which keeps them, is the supervisor's; whoever
/// watches the daemon shows them from there.
struct Screen: Sendable {
  /// Shows a notification; `done` follows when it has been handed over.
  func show(_ banner: Banner, done: @Sendable () -> Void) { done() }

  /// Shows it no longer.
  func retract(_ id: NoticeID) {}
}
