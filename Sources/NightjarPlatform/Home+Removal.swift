import Glibc
import NightjarModel

/// How a home is removed.
extension Home {
  /// What was removed of a home, and what was not.
  public struct Removal: Hashable, Sendable {
    /// The apps that ran on without a daemon, and were killed.
    public var ended: [String]
    /// The folders that were there and are gone.
    public var gone: [String]
    /// What lies in the remaining folders and is not Nightjar's, and copies elsewhere that could not be removed.
    public var stays: [String]

    /// A removal of these.
    public init(ended: [String] = [], gone: [String] = [], stays: [String] = []) {
      (self.ended, self.gone, self.stays) = (ended, gone, stays)
    }
  }

  /// The folders that hold everything of the home. Where a user has chosen their places, they may hold other things,
  /// too.
  public var folders: [String] { [data, state, runtime] }

  /// Removes everything of Nightjar's: apps, containers, staged files, the database, logs and settings, and then the
  /// folders that are empty. Apps that a daemon has left running are killed before. No daemon can start meanwhile; the
  /// lock that keeps it out goes last.
  ///
  /// - Returns: The folders that are gone, and what stays since Nightjar has not made it.
  /// - Throws: `locked` while a daemon serves the home, or one of another home uses the data folder, and `system`; what
  ///   was removed until then is gone, which is nothing if an app would not end.
  public func remove() throws(PlatformError) -> Removal {
    var removal = Removal()
    guard Disk.status(of: state) != nil || Disk.status(of: data) != nil else { return removal }
    let lock = try Disk.status(of: state) == nil ? nil : HomeLock(home: self)
    let dataLock = try Disk.status(of: data) == nil ? nil : DataLock(home: self)
    defer { withExtendedLifetime((lock, dataLock)) {} }
    removal.ended = try endApps()
    removal.stays = removeCopies()
    let link = runtimeIsFallback ? [] : [socketContents(state + "/run")]
    for contents in [dataContents, socketContents(runtime)] + link + [stateContents] {
      try remove(contents, &removal)
    }
    return removal
  }

  /// Kills the apps that run on without a daemon, since their containers go. Programs that are no bundles have none.
  private func endApps() throws(PlatformError) -> [String] {
    let boot = try Clocks().now().bootID.rawValue
    var ended: [String] = []
    for record in RunningRecord.all(in: self) where !record.isProgram {
      let deadline = Clocks.boot() + .milliseconds(Self.endMilliseconds)
      guard let running = record.alive(in: boot) else {
        let isLeft = record.killRemains(in: self, boot: boot) && !record.groupHasEnded(by: deadline)
        if isLeft { throw Self.refusal(record) }
        continue
      }
      running.kill()
      // A process on its way out may still write into its container.
      let hasEnded =
        running.hasEnded(within: Self.endMilliseconds) && (running.leaf != nil || record.groupHasEnded(by: deadline))
      guard hasEnded else { throw Self.refusal(record) }
      running.leaf?.remove()
      ended.append(record.app.rawValue)
    }
    return ended
  }

  /// How long an app's killed processes may take to end.
  private static let endMilliseconds: Int32 = 5000

  private static func refusal(_ record: RunningRecord) -> PlatformError {
    PlatformError(
      .system(ETIMEDOUT), "\(record.app) runs on as process \(record.pid), or in its group, though it was killed")
  }

  /// Removes copies that a killed daemon was delivering to other file systems. The staging area has a note of each, a
  /// symbolic link that leads there (`Leftover`).
  ///
  /// - Returns: Those that cannot be removed.
  private func removeCopies() -> [String] {
    let areas = Disk.names(in: data).filter { $0 == Disk.name(of: staging) || $0.hasPrefix(stagingAside) }
    let notes = areas.flatMap { area in Disk.names(in: "\(data)/\(area)").map { "\(data)/\(area)/\($0)" } }
    return notes.filter { $0.hasSuffix(".copy") }.compactMap(Disk.target(of:)).filter { copy in
      guard Disk.name(of: copy).hasPrefix(".nightjar-") else { return false }
      return unlink(copy) != 0 && ![ENOENT, ENOTDIR].contains(errno)
    }
  }

  private var stagingAside: String { Disk.name(of: staging) + ".damaged-" }

  private func remove(_ contents: Contents, _ removal: inout Removal) throws(PlatformError) {
    let folder = contents.folder
    guard Disk.status(of: folder) != nil else { return }
    let paths = Disk.names(in: folder).filter(contents.holds).map { folder + "/" + $0 }
    for path in paths where path != lock { try Tree.remove(path) }
    if paths.contains(lock) { try Tree.remove(lock) }
    let strangers = Disk.names(in: folder).map { folder + "/" + $0 }
    guard strangers.isEmpty else {
      // What a folder within holds, such as the socket's, is reported already.
      removal.stays += strangers.filter { path in !removal.stays.contains { $0.hasPrefix(path + "/") } }
      return
    }
    try Tree.remove(folder)
    if folders.contains(folder) { removal.gone.append(folder) }
  }

  /// What Nightjar makes in one folder: files and folders with these names, and those whose names begin with one of
  /// `beginnings`.
  private struct Contents {
    let folder: String, names: [String], beginnings: [String]

    func holds(_ name: String) -> Bool { names.contains(name) || beginnings.contains(where: name.hasPrefix) }
  }

  private var dataContents: Contents {
    Contents(
      folder: data, names: [apps, containers, groups, staging, mark].map(Disk.name),
      beginnings: [stagingAside, ".new-"])
  }

  /// Besides the socket and the link to it there are the files that let browsers in to the home screen.
  private func socketContents(_ folder: String) -> Contents {
    Contents(folder: folder, names: [], beginnings: [Disk.name(of: socket), "home-"])
  }

  /// Includes the settings, the log of a daemon that a command has started, and what programs keep of their sessions.
  private var stateContents: Contents {
    let names = [logs, running, desktop, lock, idFile, layoutNote].map(Disk.name)
    let others = ["nightjard.json", "nightjard.log", "nightjard.log.1", "programs"]
    return Contents(folder: state, names: names + others, beginnings: [Disk.name(of: database), ".new-"])
  }
}
