import Glibc
public import NightjarModel

// The state folder knows what the data folder holds. Where they lie on two disks, one may be missing at a start, and an
// empty folder that stands in its place must not be taken for a home whose apps were all removed.

extension Home {
  /// Makes sure that the data folder belongs to the state folder, by the home's id in it as a mark, and makes what is
  /// missing in it. A folder without a mark is accepted, and given one if there is room, if it holds any of the apps;
  /// without any apps, if it holds the staging area, or if the database remembers nothing at all.
  ///
  /// A new state folder takes over what is there, also from another home, whose state is gone then. But files that were
  /// staged for a database that no longer exists are put aside.
  ///
  /// - Parameters:
  ///   - apps: The bundles that the database knows.
  ///   - isBlank: Whether the database remembers nothing, as a new one.
  ///   - aside: The number under which staged files are put aside; nil if they were staged for the present database.
  /// - Returns: The lock that keeps other daemons off the folder, and what a person should know, if anything.
  /// - Throws: `unusableFolder` if neither the mark nor what stands for it is there, or if the mark is another home's;
  ///   then nothing was made there. `locked` while another daemon uses the folder. Also what ``prepare()`` throws.
  public func claimData(
    for apps: [AppID], isBlank: Bool, aside: Int? = nil
  ) throws(PlatformError) -> (lock: DataLock, notice: String?) {
    let isNew = isBlank && !hasBeenUsed
    if Disk.status(of: data) != nil, access(data, R_OK | X_OK) != 0 { try OwnFolder.prepare(data) }  // It says why.
    if !isNew { try check(apps, isBlank: isBlank) }
    try prepareData()
    let lock = try DataLock(home: self)
    let notice = aside.flatMap(setStagingAside).map { isNew ? "\(ofAnotherState) \($0)" : $0 }
    if notice != nil { try prepareData() }
    if isNew { unlink(mark) }  // If the new one finds no room, the next start must not meet another home's.
    let id = try id()
    if Self.id(in: mark) != id {
      try? Disk.replace(mark, with: id + "\n", synced: true)  // On a full disk the next start does it.
    }
    return (lock, notice)
  }

  /// Whether a daemon has run in this home before: the first gives it its id.
  public var hasBeenUsed: Bool { Self.id(in: idFile) != nil }

  /// Refuses a data folder that belongs to another home, or seems to be missing. A home that has lost its id, but
  /// neither its data nor its database, takes the id from the mark.
  private func check(_ apps: [AppID], isBlank: Bool) throws(PlatformError) {
    let signs = apps.isEmpty ? [staging] : apps.map(bundleFolder)
    let isThere = signs.contains { Disk.status(of: $0) != nil }
    guard let marked = Self.id(in: mark) else {
      guard isBlank || isThere else { throw isNotOurs }
      return
    }
    if Self.id(in: idFile) == nil, isThere { try Disk.replace(idFile, with: marked + "\n", synced: true) }
    guard try id() == marked else { throw isAnothers }
  }

  /// Moves staged files that no database remembers out of the way.
  ///
  /// - Parameter number: The number under which the database was set aside, or the first that is free.
  /// - Returns: What a person should know; nil if there are no such files.
  private func setStagingAside(_ number: Int) -> String? {
    guard !Disk.names(in: staging).isEmpty else { return nil }
    var (number, aside) = (number, "")
    repeat {
      aside = "\(staging).damaged-\(number)"
      number += 1
    } while Disk.status(of: aside) != nil  // Left from a database that was removed by hand.
    guard rename(staging, aside) == 0 else {
      let reason = PlatformError.words(for: errno)
      return "What transfers of an earlier database had in \(staging) could not be kept: \(reason)."
    }
    return "What transfers of an earlier database had is kept as \(aside); remove that when you do not need it."
  }

  private var ofAnotherState: String { "\(data) was used with another state folder than \(state), which is new." }

  private var isAnothers: PlatformError {
    PlatformError(
      .unusableFolder,
      "\(data) belongs to another home than \(state), by the mark in it (\(Disk.name(of: mark))). Start with the state "
        + "folder that goes with it, or set XDG_DATA_HOME or NIGHTJAR_HOME to another folder. If that home is given up, "
        + "cp '\(idFile)' '\(mark)' makes the folder this one's, and what is staged there goes")
  }

  private var isNotOurs: PlatformError {
    PlatformError(
      .unusableFolder,
      "\(data) has neither the mark that is put there (\(Disk.name(of: mark))) nor any of the apps that are installed: "
        + "perhaps its disk is not mounted, or it was moved. Put it back and start again; nothing was forgotten. If it is "
        + "lost, mkdir -p -m 700 '\(data)' && cp '\(idFile)' '\(mark)' has the daemon start without what was there")
  }
}
