import FoundationEssentials
import Glibc
import NightjarModel
import NightjarPlatform
import NightjarWire

/// The destinations of downloads: absolute paths without links, one for each URL, all different, and none blocked.
struct Destinations: Hashable, Sendable {
  let paths: [String]

  /// - Throws: `CommandError`: `usage` if a folder is missing or not writable, a name is too long for file systems, or
  ///   two files would have the same name; `refused` if a file exists that may not be replaced.
  init(of urls: [String], output: String?, overwrites: Bool, context: Context) throws(CommandError) {
    let names = urls.map { FileName(url: $0)?.text ?? "download" }
    let target = try context.surroundings.absolute(output ?? ".")
    if Self.isFolder(target) == true {
      try Self.checkTakesFiles(target)
      paths = names.map { Self.path(of: $0, in: target) }
    } else {
      paths = [try Self.file(target, typed: output ?? target, urlCount: urls.count)]
    }
    try checkNoneTwice(urls)
    for path in paths { try Self.checkFree(path, overwrites: overwrites) }
  }

  private static func file(_ path: String, typed: String, urlCount: Int) throws(CommandError) -> String {
    guard urlCount == 1 else {
      throw CommandError(
        .usage, "\(typed) is no folder, and \(urlCount) files need one; create it first, or give one URL.")
    }
    guard typed.utf8.last != UInt8(ascii: "/") else {
      throw CommandError(.usage, "There is no folder \(typed); create it first (mkdir -p), or leave out the slash.")
    }
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[..<$0]) } ?? ""
    guard isFolder(folder.isEmpty ? "/" : folder) == true else {
      throw CommandError(.usage, "There is no folder \(folder); create it first (mkdir -p).")
    }
    try checkTakesFiles(folder.isEmpty ? "/" : folder)
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    guard name.utf8.count <= nameBytesMax else {
      throw CommandError(
        .usage, "\(name) has \(name.utf8.count) bytes, and a file's name at most \(nameBytesMax); give a shorter one.")
    }
    return Self.path(of: String(name), in: folder.isEmpty ? "/" : folder)
  }

  /// Resolves links here, since a path such as `/proc/self/cwd` means another folder to the daemon.
  private static func path(of name: String, in folder: String) -> String {
    let folder = Disk.resolved(folder) ?? folder
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  private static let nameBytesMax = Int(NAME_MAX)

  /// Asks the system, which knows more than the file mode: the file system may be mounted read-only.
  private static func checkTakesFiles(_ folder: String) throws(CommandError) {
    guard access(folder, W_OK | X_OK) != 0 else { return }
    throw CommandError(
      .usage, "Nothing can be put into the folder \(folder): \(String(cString: strerror(errno))); name another.")
  }

  private func checkNoneTwice(_ urls: [String]) throws(CommandError) {
    var owners: [String: String] = [:]
    for (path, url) in zip(paths, urls) {
      guard let other = owners.updateValue(url, forKey: path) else { continue }
      let both = "\(other.withoutCredentials) and \(url.withoutCredentials)"
      throw CommandError(
        .usage, "\(both) would both be \(path); download them one at a time, each with its own --output.")
    }
  }

  private static func checkFree(_ path: String, overwrites: Bool) throws(CommandError) {
    guard !path.leadsThroughProcesses else {
      throw CommandError(.refused, "\(path) leads through /proc, where nothing can be kept; name another file.")
    }
    var status = stat()  // A symbolic link counts itself, wherever it leads.
    guard lstat(path, &status) == 0 else { return }
    guard isFolder(path) != true else {
      throw CommandError(.refused, "\(path) is a folder; name a file with --output.")
    }
    guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
      throw CommandError(.refused, "\(path) is no ordinary file, so no download takes its place; name another.")
    }
    guard overwrites else {
      throw CommandError(.refused, "\(path) exists; replace it with --force, or name another file with --output.")
    }
  }

  /// Whether the file at a path is a folder; nil if there is none.
  private static func isFolder(_ path: String) -> Bool? {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder : nil
  }
}
