import Glibc

/// The end of a home.
extension Home {
  /// What was removed of a home, and what was not.
  public struct Removal: Hashable, Sendable {
    /// The folders that were there and are gone.
    public var gone: [String]
    /// What lies in the others and is none of Nightjar's.
    public var stays: [String]

    /// A removal of these.
    public init(gone: [String] = [], stays: [String] = []) { (self.gone, self.stays) = (gone, stays) }
  }

  /// The folders that hold everything of the home. Where somebody has named another place for it, things of others may
  /// lie in them.
  public var folders: [String] { [data, state, runtime] }

  /// Removes everything of Nightjar's: apps, containers, staged files, the database, logs and settings, and then the folders
  /// that are empty. No daemon can start meanwhile; the lock that keeps it out goes last.
  ///
  /// - Returns: The folders that are gone, and what stays since Nightjar has not made it.
  /// - Throws: `locked` while a daemon serves the home, and `system`; what was removed until then is gone.
  public func remove() throws(PlatformError) -> Removal {
    var removal = Removal()
    guard Disk.status(of: state) != nil || Disk.status(of: data) != nil else { return removal }
    let lock = try Disk.status(of: state) == nil ? nil : HomeLock(home: self)
    defer { withExtendedLifetime(lock) {} }
    let link = runtimeIsFallback ? [] : [socketContents(state + "/run")]
    for contents in [dataContents, socketContents(runtime)] + link + [stateContents] {
      try remove(contents, &removal)
    }
    return removal
  }

  private func remove(_ contents: Contents, _ removal: inout Removal) throws(PlatformError) {
    let folder = contents.folder
    guard Disk.status(of: folder) != nil else { return }
    let paths = Disk.names(in: folder).filter(contents.holds).map { folder + "/" + $0 }
    for path in paths where path != lock { try Tree.remove(path) }
    if paths.contains(lock) { try Tree.remove(lock) }
    let strangers = Disk.names(in: folder).map { folder + "/" + $0 }
    guard strangers.isEmpty else {
      // Of a folder within, such as the socket's, it was told already what it holds.
      removal.stays += strangers.filter { path in !removal.stays.contains { $0.hasPrefix(path + "/") } }
      return
    }
    try Tree.remove(folder)
    if folders.contains(folder) { removal.gone.append(folder) }
  }

  /// What Nightjar makes in one folder: files and folders of these names, and those whose names begin so.
  private struct Contents {
    let folder: String, names: [String], beginnings: [String]

    func holds(_ name: String) -> Bool { names.contains(name) || beginnings.contains(where: name.hasPrefix) }
  }

  private var dataContents: Contents {
    Contents(
      folder: data, names: [apps, containers, groups, staging, mark].map(Disk.name),
      beginnings: [Disk.name(of: staging) + ".damaged-", ".new-"])
  }

  /// Besides the socket and the link to it there are the files that let browsers in to the home screen.
  private func socketContents(_ folder: String) -> Contents {
    Contents(folder: folder, names: [], beginnings: [Disk.name(of: socket), "home-"])
  }

  /// Settings and the log of a daemon that a command has started are among it.
  private var stateContents: Contents {
    let names = [logs, running, desktop, lock, idFile].map(Disk.name) + ["nightjard.json", "nightjard.log"]
    return Contents(folder: state, names: names, beginnings: [Disk.name(of: database), ".new-"])
  }
}
