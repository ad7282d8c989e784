import CNightjarFiles
import NIOCore
import NightjarModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Puts a staged file at its destination: whole or not at all, synced, and never over another file unasked.
///
/// On the staging area's file system the file is renamed; elsewhere, or where the system will not rename it (another
/// mount of the same file system, another project of its quotas), it is copied to a hidden name in the destination's
/// folder, synced, and renamed there. Either way it keeps the modification time it had in the staging area, and gets
/// the permissions of a delivered file, unless its file system has its own: a share may give its files another owner.
/// In a setgid folder it gets the folder's group.
///
/// That is what makes a repetition after a crash harmless. The file counts as delivered already if one of the stamp's
/// size and modification time stands at the destination, and the staged file is gone, is that very file, or has the
/// same content. Size and time alone prove nothing: the clock of a file system may tick only every few milliseconds,
/// and another download can end within the tick. Nor does another time disprove it where the file was copied, since not
/// every file system keeps the times that it is given: as long as the staged file is there, the content decides. What
/// may be replaced is put there once more instead, unless even its time is nearly the same.
struct Delivery: Sendable {
  let order: DeliveryOrder
  let mode: UInt32
  /// Asked between two pieces of a file, where a delivery can be broken off.
  var isBrokenOff: @Sendable () -> Bool = { false }

  private var staged: String { order.file.path }
  private var destination: String { order.destination.path }
  /// The destination's folder.
  var folder: String {
    let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/")) ?? destination.startIndex
    return slash == destination.startIndex ? "/" : String(destination[..<slash])
  }

  /// Whether the file must be copied, which takes longer the larger it is, because it cannot be renamed.
  var mustCopy: Bool { (try? isElsewhere) ?? false }

  /// Blocks; belongs on a thread of its own.
  func run() throws(TransferFailure) {
    guard destination.utf8.first == UInt8(ascii: "/"), destination.utf8.last != UInt8(ascii: "/") else {
      throw TransferFailure(.cannotWrite, "the destination is not the absolute path of a file: \(destination)")
    }
    if try !isDelivered { try putThere() }
    try syncFolder()
  }

  private var isDelivered: Bool {
    get throws(TransferFailure) {
      let stamp = order.file.stamp
      guard let there = standing, there.size == stamp.size else { return false }
      let isSameTime = there.modified == stamp.modified
      guard FileStamp.at(staged) == stamp else { return isSameTime }
      let isElsewhere = try isElsewhere
      guard isSameTime || isElsewhere else { return false }  // Only a copy may lose its time.
      if !isElsewhere, there.inode == stamp.inode { return true }
      guard isNear(there.modified) || !order.destination.overwrites else { return false }
      return try hasSameContent()
    }
  }

  /// The ordinary file at the destination, if one stands there. To read anything else might take for ever.
  private var standing: FileStamp? {
    var status = stat()
    guard lstat(destination, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStamp(status)
  }

  /// Whether a time may be the staged file's, as a coarser file system keeps it.
  private func isNear(_ modified: Int64) -> Bool {
    let (difference, overflows) = modified.subtractingReportingOverflow(order.file.stamp.modified)
    return !overflows && difference.magnitude < Self.coarsestTick
  }

  /// The resolution of FAT's times, in nanoseconds. Others are finer: a second, 10 ms (exFAT), 100 ns (SMB).
  private static let coarsestTick: UInt64 = 2_000_000_000

  private func putThere() throws(TransferFailure) {
    try checkReplaceable()
    guard access(stagingFolder, X_OK) == 0 else {  // What is lost with its disk will be there again with it.
      throw .ofErrno(errno, "cannot look into the staging folder \(stagingFolder)", .timedOut)
    }
    guard FileStamp.at(staged) == order.file.stamp else {
      throw TransferFailure(.cannotReadSource, "the staged file \(staged) is not the file that was finished")
    }
    if try !isElsewhere, try takeOut() { return }
    try copyAcross()
  }

  /// Moves the staged file. Where that fails while nothing can be taken out of the staging folder, as on a disk that
  /// became read-only, the folder is to blame, and not the destination: that passes by itself.
  private func takeOut() throws(TransferFailure) -> Bool {
    do throws(TransferFailure) { return try move(staged) } catch  where error.code == .cannotWrite {
      guard access(stagingFolder, W_OK) == 0 else {
        throw .ofErrno(errno, "the staging folder \(stagingFolder) cannot be written", .timedOut)
      }
      throw error
    }
  }

  /// Refuses to replace a device, a pipe or a socket: the machine may need it.
  private func checkReplaceable() throws(TransferFailure) {
    var status = stat()
    guard lstat(destination, &status) == 0, ![S_IFREG, S_IFLNK, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      return
    }
    throw TransferFailure(.destinationExists, "what stands at \(destination) is no ordinary file and is not replaced")
  }

  /// Whether the destination's folder lies on another file system than the staged file, or under another mount of the
  /// same, as a container's volumes do: then nothing can be renamed (rename(2), EXDEV).
  private var isElsewhere: Bool {
    get throws(TransferFailure) {
      try device(of: folder) != device(of: staged) || nightjar_mount_of(folder) != nightjar_mount_of(staged)
    }
  }

  private func device(of path: String) throws(TransferFailure) -> UInt64 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .ofErrno(errno, "cannot look at \(path)", .cannotWrite) }
    return UInt64(status.st_dev)
  }

  /// Renames the staged file. False where the system refuses that between the two folders (EXDEV) for a reason that
  /// does not show beforehand, such as project quotas.
  private func move(_ path: String) throws(TransferFailure) -> Bool {
    takeGroup(path)
    guard chmod(path, mode) == 0 || isWithheld(errno) else {
      throw .ofErrno(errno, "cannot set the permissions of \(path)", .cannotWrite)
    }
    let refused = put(path)
    guard refused != 0 else { return true }
    chmod(path, 0o600)
    guard refused == EXDEV else { throw refusal(refused) }
    return false
  }

  /// Gives a file the group of a folder that hands its own on (setgid), as the system does for a copy that is made
  /// there. Where that is not allowed it keeps the group that it has.
  private func takeGroup(_ path: String) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_ISGID != 0 else { return }
    _ = chown(path, uid_t.max, status.st_gid)  // The owner stays.
  }

  /// Gives a file that lies on the destination's file system its final name. 0, or why not (an errno).
  private func put(_ path: String) -> Int32 {
    if order.destination.overwrites { return rename(path, destination) == 0 ? 0 : errno }
    if nightjar_rename_exclusively(path, destination) == 0 { return 0 }
    guard errno == ENOSYS || errno == EINVAL else { return errno }
    // A file system without the exclusive rename: a second name is exclusive as well.
    if link(path, destination) == 0 {
      unlink(path)
      return 0
    }
    return [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) ? moveAfterLooking(path) : errno
  }

  /// For a file system without hard links, such as a virtual machine's shared folder: looks at the destination first,
  /// then renames, which is not atomic.
  private func moveAfterLooking(_ path: String) -> Int32 {
    var status = stat()
    guard lstat(destination, &status) != 0 else { return EEXIST }
    guard errno == ENOENT else { return errno }
    return rename(path, destination) == 0 ? 0 : errno
  }

  private func refusal(_ number: Int32) -> TransferFailure {
    number == EEXIST
      ? TransferFailure(.destinationExists, "something stands at \(destination) already; move it away")
      : .ofErrno(number, "cannot put the file at \(destination)", .cannotWrite)
  }

  /// The staged file stays until its transfer is discarded.
  private func copyAcross() throws(TransferFailure) {
    let leftover = Leftover(of: order.id, at: temporary, notedIn: stagingFolder)
    leftover.remove()  // Left by a crash; the name is ours, and the room that it takes up is wanted.
    if !order.destination.overwrites, FileStamp.at(destination) != nil { throw refusal(EEXIST) }
    // Checked beforehand: a delivery that is retried must not fill the disk each time.
    try OpenFile(folder, O_RDONLY | O_DIRECTORY, failing: .cannotWrite).checkSpace(
      for: order.file.stamp.size, beyond: 0)
    leftover.write()
    do throws(TransferFailure) {
      try copy(to: leftover.copy)
      guard !isBrokenOff() else { throw .shutDown }
      let refused = put(leftover.copy)
      guard refused == 0 else { throw refusal(refused) }
    } catch {
      leftover.remove()
      throw error
    }
    leftover.strike()
  }

  /// Where the copy stands until it is whole. A repetition after a crash finds the same name, and no other delivery has
  /// it: other homes number their transfers as this one does, and may deliver into the same folder, but their files are
  /// of another nanosecond.
  var temporary: String { "\(folder)/.nightjar-\(order.id)-\(order.file.stamp.modified).part" }

  private var stagingFolder: String {
    String(staged[..<(staged.utf8.lastIndex(of: UInt8(ascii: "/")) ?? staged.startIndex)])
  }

  private func hasSameContent() throws(TransferFailure) -> Bool {
    let staged = try OpenFile(staged, O_RDONLY | O_NOFOLLOW, failing: .cannotReadSource)
    let there = try OpenFile(destination, O_RDONLY | O_NOFOLLOW, failing: .cannotWrite)
    for offset in stride(from: 0, to: order.file.stamp.size, by: Self.pieceSize) {
      guard !isBrokenOff() else { throw .shutDown }
      guard try staged.read(Self.pieceSize, at: offset) == piece(of: there, at: offset) else { return false }
    }
    return true
  }

  /// A piece of what stands at the destination. If it cannot be read, the failure is not the staged file's.
  private func piece(of file: OpenFile, at offset: Int64) throws(TransferFailure) -> ByteBuffer {
    do throws(TransferFailure) { return try file.read(Self.pieceSize, at: offset) } catch {
      throw TransferFailure(.cannotWrite, error.detail)
    }
  }

  private func copy(to path: String) throws(TransferFailure) {
    let source = try OpenFile(staged, O_RDONLY | O_NOFOLLOW, failing: .cannotReadSource)
    let copy = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, failing: .cannotWrite)
    var offset: Int64 = 0
    while offset < order.file.stamp.size {
      guard !isBrokenOff() else { throw .shutDown }
      let piece = try source.read(Self.pieceSize, at: offset)
      guard piece.readableBytes > 0 else { break }
      try copy.write(piece, at: offset, tooLong: .cannotWrite)  // No retry helps: FAT holds less than 4 GiB.
      offset += Int64(piece.readableBytes)
      if offset % Self.syncedSize == 0 { try copy.syncData() }
    }
    let stamp = try source.stamp()
    guard offset == stamp.size, stamp == order.file.stamp else {
      throw TransferFailure(.cannotReadSource, "the staged file \(staged) changed while it was copied")
    }
    try finish(copy)
  }

  private static let pieceSize = 1 << 20
  /// After how many bytes a copy is synced, so that no sync takes so long that it looks like standing still.
  private static let syncedSize: Int64 = 64 << 20

  private func finish(_ copy: OpenFile) throws(TransferFailure) {
    let nanoseconds = order.file.stamp.modified
    let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    for set in [{ fchmod(copy.descriptor, mode) }, { futimens(copy.descriptor, [time, time]) }]
    where set() != 0 && !isWithheld(errno) {
      throw .ofErrno(errno, "cannot set permissions and time of \(copy.path)", .cannotWrite)
    }
    try copy.sync()
  }

  /// Whether a file system leaves permissions and times to nobody, or to another owner than us: its files keep what it
  /// gives them, and are no less whole.
  private func isWithheld(_ number: Int32) -> Bool { [EPERM, EACCES, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(number) }

  /// EINVAL means that the file system cannot sync a folder (fsync(2)): a retry would not help.
  private func syncFolder() throws(TransferFailure) {
    let folder = try OpenFile(folder, O_RDONLY | O_DIRECTORY, failing: .cannotWrite)
    guard retrying({ fsync(folder.descriptor) }) != 0, errno != EINVAL else { return }
    throw .ofErrno(errno, "cannot sync \(folder.path)", .cannotWrite)
  }
}
