public import Foundation

/// Apple's names for an app's folders, which Foundation lacks on Linux. In an app that the daemon has launched they lie in its
/// container; in another program they are the user's, by the XDG base directory specification. They need not exist.
extension URL {
  /// What a person made or keeps with the app.
  public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

  /// What the app needs besides, and keeps.
  public static var applicationSupportDirectory: URL {
    folder(.applicationSupportDirectory, "Library/Application Support")
  }

  /// What can be got again.
  public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }

  /// The parent folder of the app's own two.
  public static var libraryDirectory: URL { folder(.libraryDirectory, "Library") }

  private static func folder(_ kind: FileManager.SearchPathDirectory, _ path: String) -> URL {
    let known = FileManager.default.urls(for: kind, in: .userDomainMask).first?.path
    return URL(fileURLWithPath: known ?? NSHomeDirectory() + "/" + path, isDirectory: true)
  }
}
