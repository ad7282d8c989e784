import Glibc
import NightjarModel

/// Small deeds on files, with errors that name the path.
package enum Disk {
  /// What lies at a path, a symbolic link not followed; nil if nothing does.
  static func status(of path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  /// Whether a status is that of a folder, a file or a symbolic link.
  static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }
  static func isFile(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }
  static func isLink(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFLNK }

  /// Where a symbolic link leads; nil if there is none.
  static func target(of link: String) -> String? {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = path.withUnsafeMutableBytes { readlink(link, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: path.prefix(count), as: UTF8.self) : nil
  }

  /// The path without links, dots and needless slashes (realpath(3)); nil, and `errno` says why, if nothing lies there.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The absolute path of what a person named from a working folder. `..` leads where the system goes, after a symbolic
  /// link as well; if nothing lies there, it is resolved by its name. What follows the last one stays as it is named.
  package static func absolute(_ path: String, from folder: String) -> String {
    let named = (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(ascii: "/").filter { $0 != "." }
    if let last = named.lastIndex(of: ".."), let place = resolved("/" + named[...last].joined(separator: "/")) {
      return "/" + (place.split(ascii: "/") + named[(last + 1)...]).joined(separator: "/")
    }
    var parts: [Substring] = []
    for part in named { if part == ".." { _ = parts.popLast() } else { parts.append(part) } }
    return "/" + parts.joined(separator: "/")
  }

  /// Makes a folder and those above it that are missing, all 0700.
  ///
  /// Tries again if one above it goes meanwhile: a daemon that ends removes the cgroup it shared with others.
  static func makeFolders(_ path: String) throws(PlatformError) {
    var code: Int32 = 0
    for _ in 0..<16 {
      if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
      code = errno
      guard code == ENOENT, let parent = parent(of: path) else { break }
      try makeFolders(parent)
    }
    throw .system("cannot make the folder \(path)", code)
  }

  /// The folder that a path lies in; nil for the root and for bare names.
  static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }

  /// The last component of a path.
  static func name(of path: String) -> String {
    path.split(ascii: "/").last.map(String.init) ?? ""
  }

  /// The names in a folder, sorted, without `.` and `..`; none if it cannot be read.
  static func names(in folder: String) -> [String] { (try? entries(of: folder)) ?? [] }

  /// The same names. Throws if the folder cannot be read, which does not mean that it is empty.
  static func entries(of folder: String) throws(PlatformError) -> [String] {
    guard let opened = Descriptor.opened(folder, O_RDONLY | O_DIRECTORY), let names = rawNames(in: opened) else {
      throw .system("cannot read the folder \(folder)")
    }
    return names.map(shown).sorted()
  }

  /// The names in a folder that was just opened, as the kernel has them, each with its closing zero: a name need not be
  /// UTF-8. Nil with `errno` set if they cannot be read.
  static func rawNames(in folder: Descriptor) -> [[CChar]]? {
    let twin = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)  // It is closed with the stream.
    guard twin >= 0, let stream = fdopendir(twin) else { return nil }
    defer { closedir(stream) }
    let dot = CChar(UInt8(ascii: "."))
    var names: [[CChar]] = []
    while true {
      errno = 0  // Only that tells the end from a failure (readdir(3)).
      guard let entry = readdir(stream) else { return errno == 0 ? names : nil }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          [CChar](UnsafeBufferPointer(start: text, count: Int(strlen(text)) + 1))
        }
      }
      if name != [dot, 0] && name != [dot, dot, 0] { names.append(name) }
    }
  }

  /// A raw name or path as text; what is not UTF-8 in it shows as U+FFFD.
  static func shown(_ name: [CChar]) -> String {
    name.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
  }

  /// A file's bytes, at most so many; nil if it cannot be read or is longer.
  static func bytes(of path: String, max: Int = 65_536) -> [UInt8]? {
    guard let file = Descriptor.opened(path, O_RDONLY | O_NONBLOCK) else { return nil }
    return bytes(of: file, max: max)
  }

  /// The bytes of an open file from its beginning.
  static func bytes(of file: Descriptor, max: Int = 65_536) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = pread(file.number, &piece, piece.count, off_t(bytes.count))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= max else { return nil }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  /// A small file's text; nil if it cannot be read.
  static func text(of path: String) -> String? { bytes(of: path).map { String(decoding: $0, as: UTF8.self) } }

  /// Writes all bytes to an open file.
  static func write(_ bytes: some Collection<UInt8>, to file: Descriptor) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Puts a small file in place whole, 0600. `synced`: it survives a power cut from then on.
  ///
  /// Its draft lies beside it, under a name that no app can have: files may be named after apps there.
  static func replace(_ path: String, with text: String, synced: Bool) throws(PlatformError) {
    let name = name(of: path)
    let draft = "\(path.dropLast(name.count)).new-\(name)"
    guard let file = Descriptor.ofNewFile(draft), write(text.utf8, to: file),
      !synced || fsync(file.number) == 0, rename(draft, path) == 0
    else {
      let reason = PlatformError.system("cannot write \(path)")
      unlink(draft)  // On a full disk it would take the room that is left.
      throw reason
    }
    if synced, let parent = parent(of: path) { try sync(folder: parent) }
  }

  /// Makes a folder's entries durable. A file system that syncs no folders (EINVAL, fsync(2)), such as a virtual
  /// machine's shared folder, promises no more than it can.
  static func sync(folder: String) throws(PlatformError) {
    guard let descriptor = Descriptor.opened(folder, O_RDONLY | O_DIRECTORY),
      fsync(descriptor.number) == 0 || errno == EINVAL
    else { throw .system("cannot sync the folder \(folder)") }
  }

  /// So many random bytes as lowercase hexadecimal digits.
  static func randomName(bytes count: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in
      let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
