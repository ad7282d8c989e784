import Glibc

/// A folder that is made beside its place, and put there whole by one rename or not at all.
///
/// A draft that never settled is removed with this value; a crash leaves a folder whose name begins with `.new-`.
public struct FolderDraft: ~Copyable {
  /// Where the folder is to stand.
  public let place: String
  /// Where it stands until then; its last component is already the right one.
  public let path: String

  var renaming = Renaming()

  private var scaffold: String { Disk.parent(of: path)! }

  /// Begins a draft. Nothing but a folder around it exists yet.
  ///
  /// - Parameter place: An absolute path; the folders above it are made if they are missing.
  /// - Throws: `system` if nothing can be made there.
  public init(for place: String) throws(PlatformError) {
    let above = Disk.parent(of: place) ?? "/"
    self.place = place
    path = "\(above == "/" ? "" : above)/.new-\(Disk.randomName(bytes: 8))/\(Disk.name(of: place))"
    try Self.makeFolders(scaffold)
  }

  deinit { try? Tree.remove(scaffold) }

  /// Copies a folder's contents into the draft, which must be empty. Symbolic links may not lead out of it. The draft
  /// itself and what it is to replace are left out where they lie in the folder.
  public func copyContents(of folder: String) throws(PlatformError) {
    try Tree.copy(folder, to: path, except: [scaffold, place])
  }

  /// Copies a file or a folder into the draft, under a name that is not there yet.
  public func copy(_ original: String, as name: String) throws(PlatformError) {
    try Self.makeFolders(path)
    guard !has(name) else {
      throw PlatformError(
        .badBundle(key: nil), "two things in it would be called \(name); rename the one among its files, or the app")
    }
    guard let status = Disk.status(of: original) else { throw .system("cannot copy \(original)") }
    if Disk.isFolder(status) { return try Tree.copy(original, to: "\(path)/\(name)") }
    try Tree.copyFile(original, to: "\(path)/\(name)")
  }

  /// Writes a text file, and syncs it; folders in its name are made.
  public func write(_ text: String, to name: String) throws(PlatformError) {
    let file = "\(path)/\(name)"
    var folder = Disk.parent(of: file)!
    try Self.makeFolders(folder)
    guard let new = Descriptor.opened(file, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666), Disk.write(text.utf8, to: new),
      fsync(new.number) == 0
    else { throw .system("cannot write \(file)") }
    while folder != path {  // Each of them may be new.
      try Disk.sync(folder: folder)
      folder = Disk.parent(of: folder)!
    }
  }

  /// Whether something of this name is in the draft.
  public func has(_ name: String) -> Bool { Disk.status(of: "\(path)/\(name)") != nil }

  /// Puts the folder in its place. At every moment, and after a power cut, the old one is there or the new one. Where
  /// the file system cannot exchange the two, a crash may leave them in the folder around the draft.
  ///
  /// - Parameter replaces: Whether something that stands there may go.
  /// - Throws: `system`, with `EEXIST` if something stands there that may not go; then it is untouched.
  public func settle(replaces: Bool) throws(PlatformError) {
    try Disk.sync(folder: path)
    // No system call does both: rename to a free name, or exchange with what is there.
    var result = renaming.moveToFree(path, place)
    if result == EEXIST, replaces { result = try exchange() }
    guard result == 0 else { throw .system("cannot put a folder at \(place)", result) }
    try Disk.sync(folder: Disk.parent(of: place) ?? "/")
  }

  /// Changes places with what stands there, or, where that cannot be done in one step, moves it aside before. What
  /// cannot be moved is removed where it lies: it can be made again.
  private func exchange() throws(PlatformError) -> Int32 {
    let result = renaming.exchange(path, place)
    guard Renaming.isLacking(result) else { return result }
    let former = "\(scaffold)/former-\(Disk.name(of: place))"
    try renaming.moveAside(place, to: former)
    try Tree.remove(place)
    let moved = renaming.move(path, place)
    if moved != 0 { _ = renaming.move(former, place) }
    return moved
  }

  /// Makes folders for the user to look into, with the permissions that the umask leaves.
  private static func makeFolders(_ path: String) throws(PlatformError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let parent = Disk.parent(of: path) else { throw .system("cannot make the folder \(path)") }
    try makeFolders(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .system("cannot make the folder \(path)") }
  }
}
