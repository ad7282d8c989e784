import NightjarModel

/// What a person sees of notifications.
extension Supervisor {
  /// The notifications in the centre, newest first, as a list of them is sent: their texts are cut so that all of it
  /// has room in one message.
  var listedNotices: [Banner] {
    let listed = notices.centre.prefix(Limits.listedNoticesMax)
    let share = max(Limits.listedNoticesTextMax / max(listed.count, 1), 128)
    return listed.compactMap(banner).map { banner in
      var banner = banner
      (banner.body, banner.action) = (banner.body.cut(toBytes: share), banner.action?.cut(toBytes: 64))
      banner.heading = banner.heading?.cut(toBytes: min(share, 256))
      return banner
    }
  }

  /// A notification in the centre, as a person sees it.
  func banner(of notice: FiredNotice) -> Banner? {
    guard notice.isShown, let app = apps[notice.request.app], let body = notice.request.content.body else { return nil }
    let content = notice.request.content
    return Banner(
      id: notice.id, app: app.id, title: app.record.installed.displayName,
      heading: content.title.flatMap { $0.isEmpty ? nil : $0 }, body: body,
      action: content.hasAction ? content.action ?? "Open" : nil,
      sounds: content.sound != nil && app.record.settings.sounds, sound: content.sound, firedAt: notice.firedAt)
  }
}
