public import Foundation

/// Apple's names for an app's folders, which Foundation lacks on Linux. In an app that the daemon has launched they are
/// in its container; in other programs they are the user's, by the XDG base directory specification. They need not
/// exist.
extension URL {
  /// The folder for a person's documents.
  public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

  /// The folder for the app's own data.
  public static var applicationSupportDirectory: URL {
    folder(.applicationSupportDirectory, "Library/Application Support")
  }

  /// The folder for data that can be made or loaded again.
  public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }

  /// The parent folder of the other two folders of the app.
  public static var libraryDirectory: URL { folder(.libraryDirectory, "Library") }

  private static func folder(_ kind: FileManager.SearchPathDirectory, _ path: String) -> URL {
    let known = FileManager.default.urls(for: kind, in: .userDomainMask).first?.path
    return URL(fileURLWithPath: known ?? NSHomeDirectory() + "/" + path, isDirectory: true)
  }
}
