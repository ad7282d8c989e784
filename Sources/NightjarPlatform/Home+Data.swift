import Glibc
public import NightjarModel

// The state folder knows what the data folder holds. Where they lie on two disks, one may be missing at a start, and an empty
// folder that stands in its place must not be taken for a home whose apps were all removed.

extension Home {
  /// Makes sure that the data folder is the one that belongs to the state folder, by the home's id in it as a mark, and makes
  /// what is missing in it. A folder that has no mark yet is given it, if any of the apps stands there or there are none, and
  /// if there is room.
  ///
  /// - Parameter apps: The bundles that the database knows.
  /// - Throws: `unusableFolder` where neither the mark nor any of the apps is there; then nothing was made there. Also for
  ///   what ``prepare()`` refuses.
  public func claimData(for apps: [AppID]) throws(PlatformError) {
    let id = try id()
    if Disk.status(of: data) != nil, access(data, R_OK | X_OK) != 0 { try OwnFolder.prepare(data) }  // It knows why.
    let isMarked = Disk.text(of: mark) == id + "\n"
    let isOurs = isMarked || apps.isEmpty || apps.contains { Disk.status(of: bundleFolder($0)) != nil }
    guard isOurs else { throw isNotOurs }
    try prepareData()
    guard !isMarked else { return }
    try? Disk.replace(mark, with: id + "\n", synced: true)  // On a full disk the next start does it.
  }

  /// Keeps the staged files of a database that was set aside, which nobody remembers any more, out of the next one's way.
  ///
  /// - Parameter number: The number under which the database was set aside.
  /// - Returns: What a person should know; nil if there are no such files.
  public func setStagingAside(_ number: Int) -> String? {
    guard !Disk.names(in: staging).isEmpty else { return nil }
    var (number, aside) = (number, "")
    repeat {
      aside = "\(staging).damaged-\(number)"
      number += 1
    } while Disk.status(of: aside) != nil  // Of a database that was removed by hand.
    guard rename(staging, aside) == 0 else {
      return "What its transfers had in \(staging) could not be kept: \(PlatformError.words(for: errno))."
    }
    return "What its transfers had is kept as \(aside); remove that when you do not need it."
  }

  private var isNotOurs: PlatformError {
    PlatformError(
      .unusableFolder,
      "\(data) holds none of the apps that are installed, nor the mark that is put there (\(Disk.name(of: mark))): perhaps "
        + "its disk is not mounted, or it was moved. Put it back and start again; nothing was forgotten. If it is lost, "
        + "mkdir -p -m 700 '\(data)' && cp '\(idFile)' '\(mark)' has the daemon start without those apps")
  }
}
