import Glibc
public import NightjarModel

/// The snapshots of apps that the switcher shows: one file in each app's container, written whole or not at all.
///
/// They lie in a folder of caches: one that is gone is made again when the app is left the next time.
public struct Snapshots: Sendable {
  private let home: Home
  /// Bytes of the longest snapshot that is read.
  private let bytesMax: Int

  /// The snapshots of a home.
  public init(home: Home, bytesMax: Int) { (self.home, self.bytesMax) = (home, bytesMax) }

  /// Keeps what an app showed last, in place of an earlier snapshot. Does nothing if the app has no container: it was
  /// removed meanwhile.
  public func keep(_ view: String, of app: AppID) throws(PlatformError) {
    guard try makeFolders(in: home.container(app)) else { return }
    try Disk.replace(file(app), with: view, synced: false)
  }

  /// Makes the folders that are missing in a container, but never the container itself. False if that is gone.
  private func makeFolders(in container: Container) throws(PlatformError) -> Bool {
    var folder = container.path
    for name in container.snapshots.dropFirst(folder.count).split(separator: "/") {
      folder += "/" + name
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      guard errno == ENOENT else { throw .system("cannot make the folder \(folder)") }
      return false
    }
    return true
  }

  /// What an app showed last; nil where there is nothing.
  public func read(_ app: AppID) -> String? {
    Disk.bytes(of: file(app), max: bytesMax).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Removes an app's snapshot, and the state that it would be restored to.
  public func forget(_ app: AppID) throws(PlatformError) {
    for path in [file(app), home.container(app).savedState] where Disk.status(of: path) != nil {
      try Tree.remove(path)
    }
  }

  private func file(_ app: AppID) -> String { home.container(app).snapshots + "/snapshot.html" }
}
