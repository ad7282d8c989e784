import FoundationEssentials
import Glibc
package import NightjarModel

extension Destination {
  /// The absolute path of a file, if it means the same file to the daemon as to the caller, and if one can be put there
  /// as things stand. `refuse` makes the interface's own error.
  ///
  /// Looks at the disk, as the user that this process runs as. What changes later is found when the file is delivered.
  package init<Complaint: Error>(
    _ path: String, overwrites: Bool, else refuse: (_ field: String, _ reason: String) -> Complaint
  ) throws(Complaint) {
    guard path.hasPrefix("/"), path.utf8.last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw refuse("destination", "'\(path)' is not the absolute path of a file")
    }
    guard !path.leadsThroughProcesses else {
      throw refuse(
        "destination", "'\(path)' leads through /proc, where each process finds other files; name another")
    }
    self.init(path: path, overwrites: overwrites)
    if let obstacle = obstacleInFolder ?? obstacleInPlace { throw refuse("destination", obstacle) }
  }

  /// What keeps any file of this name out of its folder, with what to do about it; nil for nothing.
  private var obstacleInFolder: String? {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let length = path.utf8[slash...].count - 1
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return "the folder of '\(path)' does not exist; make it first"
    }
    guard faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else {
      let reason = String(cString: strerror(errno))
      return "nothing can be put into '\(folder)': \(reason); name another folder, or let the daemon's user write there"
    }
    let lengthMax = pathconf(folder, CInt(_PC_NAME_MAX))  // -1 where there is no bound.
    guard lengthMax < 0 || length <= lengthMax else {
      return "the name of '\(path)' has \(length) bytes, its folder takes at most \(lengthMax); give a shorter one"
    }
    return nil
  }

  /// What stands in the file's place and stays there, with what to do about it; nil for nothing.
  private var obstacleInPlace: String? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFLNK: return overwrites ? nil : "'\(path)' exists; name another, or set `overwrite`"
    case S_IFDIR: return "'\(path)' is a folder; name a file in it"
    default: return "'\(path)' is no ordinary file and is not replaced; name another"
    }
  }
}
