import Glibc
public import NightjarModel

/// One Nightjar home: where everything of one daemon lies.
///
/// Data (apps, containers, staging) stands under the XDG data folder, state (database, logs, records) under the XDG
/// state folder, the socket under the XDG runtime folder (XDG Base Directory Specification 0.8). `NIGHTJAR_HOME` moves
/// all of it into one folder. Folders are 0700, files 0600.
public struct Home: Hashable, Sendable {
  /// Where apps, containers and the staging area lie, in one file system.
  public let data: String
  /// Where the database, the logs and the records of running apps lie.
  public let state: String
  /// Where the socket lies.
  public let runtime: String
  /// Whether there is no usable runtime folder, so that the socket lies in `run` under the state folder.
  public let runtimeIsFallback: Bool
  /// Where a daemon without a runtime folder puts its socket; nil if ``socket`` lies there anyway, or in
  /// `NIGHTJAR_HOME`. A socket in this place goes before the other if a daemon listens there. A daemon with a runtime
  /// folder puts a link here, by which clients with another one, or with none, find it.
  public let socketElsewhere: String?
  /// The folder that all of it lies in; nil unless `NIGHTJAR_HOME` names one.
  private let root: String?

  /// Finds the home that an environment names. Touches nothing.
  ///
  /// A runtime folder that is not absolute, not there or not ours (as after `su`) is passed over.
  /// - Throws: `unusableFolder` if neither `NIGHTJAR_HOME` nor `HOME` is an absolute path.
  public init(environment: [String: String]) throws(PlatformError) {
    if let home = environment["NIGHTJAR_HOME"], !home.isEmpty {
      let home = try Self.absolute(home, from: "NIGHTJAR_HOME")
      (data, state, runtime, runtimeIsFallback) = (home + "/data", home + "/state", home + "/run", false)
      (socketElsewhere, root) = (nil, home)
      return
    }
    data = try Self.xdg("XDG_DATA_HOME", else: "/.local/share", environment) + "/nightjar"
    let state = try Self.xdg("XDG_STATE_HOME", else: "/.local/state", environment) + "/nightjar"
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap(Self.usableRuntime)
    (self.state, runtimeIsFallback) = (state, runtime == nil)
    self.runtime = runtime.map { $0 + "/nightjar" } ?? state + "/run"
    socketElsewhere = runtime == nil ? nil : state + "/run/nightjar.sock"
    root = nil
  }

  /// The database.
  public var database: String { state + "/nightjar.sqlite" }
  /// The staging area, where transfers put their bytes.
  public var staging: String { data + "/staging" }
  /// Where installed bundles lie, each in a folder named by its app.
  public var apps: String { data + "/apps" }
  /// Where the apps' own folders lie.
  public var containers: String { data + "/containers" }
  /// Where the folders that several apps share lie.
  public var groups: String { data + "/groups" }
  /// Where the apps' output is kept.
  public var logs: String { state + "/logs" }
  /// Where the records of running apps lie, for the next daemon.
  public var running: String { state + "/running" }
  /// The record of the notifications that the desktop was given, for the next daemon.
  public var desktop: String { state + "/desktop" }
  /// Where the home's id is kept.
  var idFile: String { state + "/home-id" }
  /// The note that tells the home from a copy of it.
  var layoutNote: String { state + "/layout" }
  /// The home's id in the data folder, by which that is recognised.
  var mark: String { data + "/home-id" }
  /// The daemon's socket, where it is bound.
  public var socket: String { runtime + "/nightjar.sock" }
  /// The file whose lock makes one daemon the only one.
  public var lock: String { state + "/lock" }

  /// The folder that holds an app's `Name.app`.
  public func bundleFolder(_ app: AppID) -> String { apps + "/" + app.rawValue }
  /// An app's own folders.
  public func container(_ app: AppID) -> Container { Container(of: app, at: containers + "/" + app.rawValue) }
  /// What an app wrote to its standard output and error; older text lies beside it with `.1` added.
  public func log(_ app: AppID) -> String { logs + "/" + app.rawValue + ".log" }

  /// Makes all folders that are missing and checks all of them. May be called again at any time.
  ///
  /// - Throws: `unusableFolder`, saying which folder and what to do. What was made before stays.
  public func prepare() throws(PlatformError) {
    try prepareState()
    try prepareData()
  }

  /// Makes and checks the folders of the state and of the socket. Nothing is made in the data folder, which may be a
  /// mount point without its disk: see ``claimData(for:isBlank:aside:)``.
  public func prepareState() throws(PlatformError) {
    if let root { try OwnFolder.keepWritersOut(of: root) }
    try prepare([state, runtime, logs, running])
  }

  func prepareData() throws(PlatformError) { try prepare([data, apps, containers, groups, staging]) }

  private func prepare(_ folders: [String]) throws(PlatformError) {
    for folder in folders { try OwnFolder.prepare(folder) }
  }

  /// The folder of all of it, if anybody may put folders of theirs in the place of ours there and we cannot forbid it;
  /// nil otherwise. What lies there by now is ours: anything else is refused.
  var openRoot: String? { root.flatMap { OwnFolder.isOpenToAnybody($0) ? $0 : nil } }

  /// The random name of this home, 32 hexadecimal digits: made once, then kept.
  public func id() throws(PlatformError) -> String {
    if let id = Self.id(in: idFile) { return id }
    let id = Disk.randomName(bytes: 16)
    try Disk.replace(idFile, with: id + "\n", synced: true)
    return id
  }

  /// What tells this home from its copies, which have its id: where the records lie on the disk, by device and inode.
  /// It stays the same until the next boot, also when the home is renamed. Nil if nothing is there.
  var place: String? {
    Disk.status(of: running).map { "\(String($0.st_dev, radix: 16))-\(String($0.st_ino, radix: 16))" }
  }

  /// The id in a file; nil if there is none.
  static func id(in file: String) -> String? {
    guard let line = Disk.text(of: file)?.split(separator: "\n").first else { return nil }
    return line.utf8.count == 32 && line.allSatisfy(\.isHexDigit) ? String(line) : nil
  }

  private static func xdg(
    _ name: String, else place: String, _ environment: [String: String]
  ) throws(PlatformError) -> String {
    // The specification wants relative paths ignored.
    if let folder = environment[name], folder.hasPrefix("/") { return try absolute(folder, from: name) }
    return try absolute(environment["HOME"] ?? "", from: "HOME") + place
  }

  private static func absolute(_ path: String, from name: String) throws(PlatformError) -> String {
    guard path.hasPrefix("/") else {
      let remedy = name == "NIGHTJAR_HOME" ? name : "\(name) or NIGHTJAR_HOME"
      throw PlatformError(
        .unusableFolder, "\(name) is \"\(path)\", which is no absolute path; set \(remedy) to one")
    }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func usableRuntime(_ path: String) -> String? {
    guard path.hasPrefix("/"), let status = Disk.status(of: path), Disk.isFolder(status), status.st_uid == geteuid()
    else { return nil }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
