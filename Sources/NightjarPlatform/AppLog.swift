import Glibc

/// The file that an app's standard output and error go to.
///
/// At each launch a file that has grown over the bound, and whatever else stands in its place, becomes `<name>.1`, in
/// place of an older one, and a new one is begun. So an app keeps its last two files; within one life `LogKeeper` sees
/// to it.
enum AppLog {
  /// Opens a log for appending, 0600.
  static func opened(_ path: String, bytesMax: Int64) throws(PlatformError) -> Descriptor {
    if let status = Disk.status(of: path), !Disk.isFile(status) || Int64(status.st_size) > bytesMax {
      try makeRoom(at: path + ".1")
      guard rename(path, path + ".1") == 0 else { throw .system("cannot move the log \(path) aside") }
    }
    guard let file = Descriptor.ofFile(path, O_WRONLY | O_CREAT | O_APPEND),
      fcntl(file.number, F_SETFL, O_APPEND) == 0  // The app inherits it without O_NONBLOCK, as one expects.
    else {
      throw .system("cannot open the log \(path)")
    }
    return file
  }

  /// Removes a folder that stands where a log is to go: no file can be renamed onto a folder.
  static func makeRoom(at path: String) throws(PlatformError) {
    if let status = Disk.status(of: path), Disk.isFolder(status) { try Tree.remove(path) }
  }
}
