import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The folder of files that are under way: `<id>.part` for a download, `<id>.reply` for the reply to an upload,
/// `<id>.copy` for the note of a copy that is being delivered (``Leftover``).
struct StagingArea: Sendable {
  let path: String
  /// Kept open, so that no finished file is lost because no descriptor is left for syncing its folder.
  private let folder: OpenFile
  /// How the room on its file system is shared out.
  let space: FreeSpace

  /// Makes the folder, readable by its owner only, if it is not there.
  ///
  /// - Parameters:
  ///   - spare: Free space that is left alone on its file system, in bytes.
  ///   - helpingMax: The most bytes by which a file's share of the other grows at a time.
  init(_ path: String, sparing spare: Int64, helpingMax: Int64) throws(TransferFailure) {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .ofErrno(errno, "cannot make the staging folder \(path)", .cannotWrite)
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw TransferFailure(.cannotWrite, "the staging folder \(path) is not a folder of this user's own")
    }
    guard chmod(path, 0o700) == 0 else { throw .ofErrno(errno, "cannot keep \(path) to its owner", .cannotWrite) }
    let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, failing: .cannotWrite)
    self.folder = folder
    space = FreeSpace(sparing: spare, helpingMax: helpingMax, countsLate: folder.isCountedLate()) { folder.freeSpace() }
  }

  func part(_ id: TransferID) -> String { "\(path)/\(id).part" }
  func reply(_ id: TransferID) -> String { "\(path)/\(id).reply" }

  /// What a delivery of a transfer may have left elsewhere.
  func leftover(_ id: TransferID) -> Leftover? { Leftover(of: id, notedIn: path) }

  /// Throws `cannotWrite` if no file can be made here just now: the folder is gone with its disk, or read-only.
  func check() throws(TransferFailure) {
    guard access(path, W_OK | X_OK) == 0 else {
      throw .ofErrno(errno, "the staging folder \(path) cannot be written", .cannotWrite)
    }
  }

  /// Touches a file that may lie on the same disk. If that fails while no file can be made here, the disk is to blame,
  /// and not the file.
  func blaming<Value>(_ work: () throws(TransferFailure) -> Value) throws(TransferFailure) -> Value {
    do throws(TransferFailure) { return try work() } catch {
      try check()
      throw error
    }
  }

  /// Returns once the folder's entries are on the disk.
  func sync() throws(TransferFailure) { try folder.sync() }

  /// Renames one transfer's partial download for another. If that is done already, or there is none, nothing changes.
  func pass(on old: TransferID, to new: TransferID) {
    if rename(part(old), part(new)) == 0 { try? sync() }
  }

  /// Removes a transfer's staged files, if there are any.
  func remove(_ id: TransferID) {
    unlink(part(id))
    unlink(reply(id))
  }

  /// Cuts a transfer's staged download to its first `bytes`, or removes its files if that is none. A file that has
  /// another name is left as it is.
  func trim(_ id: TransferID, to bytes: Int64) throws(TransferFailure) {
    guard bytes > 0 else { return remove(id) }
    guard let file = try OpenFile.existing(part(id), failing: .cannotWrite) else { return }
    guard try !file.isShared(), try file.stamp().size > bytes else { return }
    try file.truncate(to: bytes)
  }

  /// The transfers that have a file here, in ascending order. Files that are not ours are left out.
  func transfers() throws(TransferFailure) -> [TransferID] {
    guard let folder = opendir(path) else { throw .ofErrno(errno, "cannot read \(path)", .cannotWrite) }
    defer { closedir(folder) }
    var found: Set<TransferID> = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let id = Self.transfer(of: name) { found.insert(id) }
    }
    return found.sorted()
  }

  private static func transfer(of name: String) -> TransferID? {
    let halves = name.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, ["part", "reply", "copy"].contains(halves[1]), let number = Int64(halves[0]) else {
      return nil
    }
    return TransferID(number)
  }
}
