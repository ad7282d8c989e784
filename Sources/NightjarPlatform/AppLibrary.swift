import Glibc
public import NightjarModel

/// The apps of one home, on the disk.
///
/// A bundle is copied beside its place, synced, and put there by one rename, so that at every moment, and after a power
/// cut, the old app is there or the new one. What a crash leaves half done carries a name that begins with a dot, and
/// ``sweep()`` finishes it. Where a file system needs more than one rename for that, it takes the sweep to say so.
public struct AppLibrary: Sendable {
  /// What is installed.
  public struct Listing: Sendable {
    /// The apps that can be launched, by their names.
    public var bundles: [AppBundle]
    /// Folders that are no longer valid bundles, and why.
    public var broken: [AppID: PlatformError]
  }

  /// A copy of a bundle that lies beside its place, whole, checked and synced. Nothing is installed yet.
  public struct Draft: Sendable {
    /// The app that the bundle is.
    public var app: AppID { bundle.id }
    fileprivate let bundle: AppBundle
    fileprivate let path: String

    /// Where the draft is put: beside itself, by the app's name. Symbolic links above are resolved, as in the bundle's
    /// path.
    fileprivate var place: String { Disk.parent(of: Disk.parent(of: bundle.path)!)! + "/" + app.rawValue }
  }

  /// The bundle whose place an upgrade has taken: it lies beside that now, for processes of it that still run.
  public struct Former: Sendable {
    fileprivate let path: String
  }

  private let home: Home
  var renaming = Renaming()

  /// The library of a home that is prepared.
  public init(home: Home) { self.home = home }

  /// Installs the bundle at a path, or upgrades the app it is, and makes its container. The app must not run.
  ///
  /// An upgrade keeps the container. The bundle at the path is left as it is.
  /// - Returns: The bundle in its new place.
  /// - Throws: `badBundle` or `system`; then what was installed before is still installed.
  public func install(_ path: String) throws(PlatformError) -> AppBundle {
    let (bundle, former) = try install(draft(path))
    former.map(remove)
    return bundle
  }

  /// Reads the bundle at a path, copies it beside its place, and checks the copy: the original may be rebuilt
  /// meanwhile. That takes as long as the path's file system likes, and touches nothing that is installed.
  ///
  /// - Parameter moved: Called whenever the copy has made progress.
  /// - Throws: `badBundle` or `system`; then the copy is gone, or ``sweep()`` removes what is left of it.
  public func draft(_ path: String, moved: @escaping () -> Void = {}) throws(PlatformError) -> Draft {
    let original = try AppBundle(at: path)
    if isGone(original.id) { try original.checkMayBeNew() }
    let path = home.apps + "/.new-" + Disk.randomName(bytes: 8)
    do throws(PlatformError) {
      try Disk.makeFolders(path)
      try Tree.copy(original.path, to: path + "/" + Disk.name(of: original.path), moved: moved)
      try Disk.sync(folder: path)
      return Draft(bundle: try copy(of: original, in: path), path: path)
    } catch {
      try? Tree.remove(path)
      throw error
    }
  }

  /// Reads the copied bundle, and checks that it is still the same app.
  private func copy(of original: AppBundle, in folder: String) throws(PlatformError) -> AppBundle {
    let copy = try AppBundle(at: folder + "/" + Disk.name(of: original.path))
    guard copy.id == original.id else {
      throw PlatformError(
        .badBundle(key: "CFBundleIdentifier"),
        "CFBundleIdentifier in \(original.path) became \(copy.id) while the bundle was copied; install it again")
    }
    return copy
  }

  /// Puts a draft in its place, or in the place of the app's earlier version, and makes its container. An app that runs
  /// has to end then, and the former bundle has to stay until it has: Foundation crashes a process whose executable was
  /// removed before it first looked for its bundle.
  ///
  /// - Returns: The bundle in its new place, and the former one, which the caller removes; nil if there is none, or if
  ///   it is left to ``sweep()``.
  /// - Throws: `system`; then what was installed before is still installed, and the draft is gone. Only of a bundle
  ///   that can be neither moved nor removed may a part be missing: then ``sweep()`` puts the draft there.
  public func install(_ draft: Draft) throws(PlatformError) -> (bundle: AppBundle, former: Former?) {
    let isUpgrade: Bool
    do {
      try finishRemoval(of: draft.app)
      try home.container(draft.app).prepare()
      isUpgrade = try put(draft)
    } catch {
      try? Tree.remove(draft.path)
      throw error
    }
    // The app is installed, so no error may be thrown from here on. The former bundle is left where a power cut could
    // still bring it back.
    let isLasting = (try? Disk.sync(folder: home.apps)) != nil
    return (draft.bundle.moved(into: draft.place), isUpgrade && isLasting ? Former(path: draft.path) : nil)
  }

  /// Removes a former bundle. ``sweep()`` removes what is left of it.
  public func remove(_ former: Former) { try? Tree.remove(former.path) }

  /// Removes an app with its container and its logs. The app must not run; its transfers are not touched. The logs are
  /// removed even if nothing is installed, as with a program.
  ///
  /// Once the first rename is done the app is gone for good: if anything fails after it, ``sweep()`` finishes it.
  /// - Returns: Why something of it is left until then; nil if nothing is.
  /// - Throws: `notInstalled`, or `system` if nothing was removed. Where the bundle cannot be renamed and is removed
  ///   where it lies, a part may be gone when this throws; it has to be called again.
  @discardableResult public func uninstall(_ app: AppID) throws(PlatformError) -> PlatformError? {
    guard AppID.isValid(app.rawValue) else { throw notInstalled(app) }
    try finishRemoval(of: app)
    try Tree.remove(coming(app))  // Or the next sweep would install it.
    switch renaming.move(home.bundleFolder(app), leaving(app)) {
    case 0: break
    case EXDEV:
      try removeWhereItLies(app)
      return nil
    case ENOENT:
      try removeLogs(of: app)
      throw notInstalled(app)
    case let number: throw .system("cannot remove \(home.bundleFolder(app))", number)
    }
    try Disk.sync(folder: home.apps)
    do throws(PlatformError) { try finishRemoval(of: app) } catch { return error }
    return nil
  }

  /// Removes an app whose bundle cannot be renamed. The bundle goes last: as long as something of it is there, the
  /// supervisor, which remembers the apps that are to go, orders this again at each start.
  private func removeWhereItLies(_ app: AppID) throws(PlatformError) {
    try removeBelongings(of: app)
    try Tree.remove(home.bundleFolder(app))
    try Disk.sync(folder: home.apps)
  }

  /// Makes an app's container and its logs anew, and leaves the bundle. The app must not run.
  public func renew(_ app: AppID) throws(PlatformError) {
    try Tree.remove(home.container(app).path)
    try removeLogs(of: app)
    try home.container(app).prepare()
  }

  /// An installed app's bundle, read anew.
  ///
  /// - Throws: `notInstalled`, `badBundle` if it was damaged, or `system` if its folder cannot be read.
  public func bundle(_ app: AppID) throws(PlatformError) -> AppBundle {
    guard AppID.isValid(app.rawValue), !isGone(app) else { throw notInstalled(app) }
    let folder = home.bundleFolder(app)
    let names = try Disk.entries(of: folder)
    guard let name = names.first(where: { $0.hasSuffix(".app") }) else { throw notInstalled(app) }
    let bundle = try AppBundle(at: folder + "/" + name)
    guard bundle.id == app else {
      throw PlatformError(
        .badBundle(key: "CFBundleIdentifier"),
        "CFBundleIdentifier in \(bundle.path) is \(bundle.id) and no longer \(app); install the app again")
    }
    return bundle
  }

  /// All installed apps.
  ///
  /// - Throws: `system` if their folder cannot be read: then nothing is known of any.
  public func list() throws(PlatformError) -> Listing {
    guard access(home.apps, R_OK | X_OK) == 0 else { throw .system("cannot read \(home.apps)") }
    var listing = Listing(bundles: [], broken: [:])
    for name in try Disk.entries(of: home.apps) where AppID.isValid(name) {
      do {
        listing.bundles.append(try bundle(AppID(name)))
      } catch {
        listing.broken[AppID(name)] = error
      }
    }
    return listing
  }

  /// Whether an app's bundle is known to be gone. False also where its place cannot be looked at.
  public func isGone(_ app: AppID) -> Bool {
    var status = stat()
    return lstat(home.bundleFolder(app), &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }

  /// Finishes what a crash interrupted: drafts go, removals are completed, and so are upgrades that may have begun to
  /// take the old bundle away. For the daemon's start.
  ///
  /// - Returns: Why something of it is left; the next sweep tries again.
  public func sweep() -> [PlatformError] {
    var left: [PlatformError] = []
    for name in Disk.names(in: home.apps) where name.hasPrefix(".") {
      do throws(PlatformError) { try finish(name) } catch { left.append(error) }
    }
    return left
  }

  private func finish(_ name: String) throws(PlatformError) {
    if let app = app(in: name, after: Self.leavingPrefix) { return try finishRemoval(of: app) }
    if let app = app(in: name, after: Self.comingPrefix) { return try finishUpgrade(of: app) }
    try Tree.remove(home.apps + "/" + name)
  }

  private func app(in name: String, after prefix: String) -> AppID? {
    let rest = String(name.dropFirst(prefix.count))
    return name.hasPrefix(prefix) && AppID.isValid(rest) ? AppID(rest) : nil
  }

  private static let leavingPrefix = ".leaving-"
  private static let comingPrefix = ".coming-"

  /// What an app's notifications look and sound like on the desktop; the defaults where its bundle has none of its own.
  ///
  /// - Parameter sound: The name that the app has for the sound, a file of its bundle.
  public func look(of app: AppID, sound: String?) -> DesktopLook {
    guard let bundle = try? bundle(app) else { return DesktopLook() }
    let path = sound.flatMap { $0.contains("/") ? nil : bundle.path + "/" + $0 }
    let isThere = path.flatMap { Disk.status(of: $0) }.map(Disk.isFile) ?? false
    return DesktopLook(icon: bundle.icon, sound: isThere ? path : nil)
  }

  /// Where a bundle waits while the rest of its app is removed. It goes last: until then the removal is known.
  private func leaving(_ app: AppID) -> String { home.apps + "/" + Self.leavingPrefix + app.rawValue }

  /// Where an upgrade waits while the bundle whose place it takes is brought away, if the two cannot be exchanged. From
  /// here on it is the app: a crash may leave less than the whole of the other.
  private func coming(_ app: AppID) -> String { home.apps + "/" + Self.comingPrefix + app.rawValue }

  private func finishRemoval(of app: AppID) throws(PlatformError) {
    guard Disk.status(of: leaving(app)) != nil, AppID.isValid(app.rawValue) else { return }
    try removeBelongings(of: app)
    try Tree.remove(leaving(app))
  }

  private func removeBelongings(of app: AppID) throws(PlatformError) {
    try Tree.remove(home.container(app).path)
    try removeLogs(of: app)
  }

  private func removeLogs(of app: AppID) throws(PlatformError) {
    let log = home.log(app)
    for path in [log, log + ".1", LogKeeper.draft(of: log)] { try Tree.remove(path) }
  }

  /// Returns whether the draft has changed places with an earlier version.
  private func put(_ draft: Draft) throws(PlatformError) -> Bool {
    let place = home.bundleFolder(draft.app)
    try Tree.remove(coming(draft.app))  // Or the next sweep would put an older one in the place of this.
    // No system call does both: rename to a free name, or exchange with what is there.
    var result = renaming.moveToFree(draft.path, place)
    let isUpgrade = result == EEXIST
    if isUpgrade { result = renaming.exchange(draft.path, place) }
    if isUpgrade, Renaming.isLacking(result) { try replace(with: draft) } else { try check(result, of: draft.app) }
    return isUpgrade
  }

  /// Does in steps what an exchange does in one: the draft waits under a name by which ``sweep()`` finishes this, the
  /// earlier version goes to where the draft was, the draft takes its place. An earlier version that cannot be moved is
  /// removed where it lies; a process of it that still runs may then miss its executable.
  private func replace(with draft: Draft) throws(PlatformError) {
    let (place, waiting) = (home.bundleFolder(draft.app), coming(draft.app))
    try check(renaming.move(draft.path, waiting), of: draft.app)
    do throws(PlatformError) {
      try Disk.sync(folder: home.apps)  // A power cut finds the draft there before anything of the other is gone.
      try renaming.moveAside(place, to: draft.path)
    } catch {
      try? Tree.remove(waiting)
      throw error
    }
    do throws(PlatformError) { try finishUpgrade(of: draft.app) } catch {
      if renaming.move(draft.path, place) == 0 { try? Tree.remove(waiting) }
      throw error
    }
  }

  private func finishUpgrade(of app: AppID) throws(PlatformError) {
    try Tree.remove(home.bundleFolder(app))
    try check(renaming.move(coming(app), home.bundleFolder(app)), of: app)
  }

  private func check(_ result: Int32, of app: AppID) throws(PlatformError) {
    guard result == 0 else { throw .system("cannot put \(app) into \(home.apps)", result) }
  }

  private func notInstalled(_ app: AppID) -> PlatformError {
    PlatformError(.notInstalled, "\(app) is not installed; `nightjar apps` lists what is")
  }
}
