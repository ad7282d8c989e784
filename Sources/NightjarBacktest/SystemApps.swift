/// The names in a trace that are no apps: the shells, launchers, loggers and locks that stand in the foreground between
/// apps.
enum SystemApps {
  /// Whether a name is one of those.
  static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return isAnonymous(name) || names.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  /// Anonymised traces number them: `sys07`.
  private static func isAnonymous(_ name: String) -> Bool {
    name.hasPrefix("sys") && name.utf8.count > 3 && name.utf8.dropFirst(3).allSatisfy { (48...57).contains($0) }
  }

  private static let names: Set = [
    "android system", "system ui", "systemui", "com.android.systemui", "package installer", "android", "screensaver",
    "loginwindow", "lockapp.exe", "explorer.exe", "dwm.exe", "searchui.exe", "shellexperiencehost.exe", "gnome-shell",
    "plasmashell", "finder", "dock", "desktop", "logger", "none", "one ui home", "touchwiz home", "xperia home",
    "experience home", "sense home",
  ]
  private static let endings = [
    " launcher", ".launcher", "launcher3", " experience home", " sense home", " logger", ".logger", "-logger",
    "_logger", "lockscreen",
  ]
}
