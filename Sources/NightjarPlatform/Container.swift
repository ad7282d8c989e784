public import NightjarModel

/// An app's own folders, laid out as on iOS. They outlive upgrades and go with the app.
public struct Container: Hashable, Sendable {
  /// The app it belongs to.
  public let app: AppID
  /// The container itself: the app's home folder.
  public let path: String

  init(of app: AppID, at path: String) { (self.app, self.path) = (app, path) }

  /// What people made with the app.
  public var documents: String { path + "/Documents" }
  /// What the app needs and people do not look at.
  public var library: String { path + "/Library" }
  /// What the app can make again.
  public var caches: String { library + "/Caches" }
  /// The pictures that the app switcher shows.
  public var snapshots: String { caches + "/Snapshots/\(app)/Main" }
  /// The state that the app is restored to at its next launch; written by the app library.
  public var savedState: String { library + "/Saved Application State/\(app).savedState" }
  /// Settings (`UserDefaults`).
  public var preferences: String { library + "/Preferences" }
  /// The app's own files.
  public var support: String { library + "/Application Support" }
  /// What a program elsewhere would keep under the XDG state folder.
  public var state: String { library + "/State" }
  /// What may be removed whenever the app does not run.
  public var temporary: String { path + "/tmp" }

  /// Makes the folders that are missing, 0700.
  public func prepare() throws(PlatformError) {
    try OwnFolder.prepare(path)
    for folder in [documents, snapshots, preferences, support, state, temporary] { try Disk.makeFolders(folder) }
  }
}
